/** Third-party access: access keys, and the dates of a customer's authorization at an institution. */
import { byLogin } from "../../../fixtures/financial-data/linked-accounts.ts";
import { REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import {
  contentOf,
  type Exchange,
  isAccepted,
  refusalIn,
  statusOf,
} from "../../../helpers/exchange/exchange.ts";
import { fieldOf, NotTried, secondsOf, valuesIn } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("App registration and third-party access");
const GENERATE = "GenerateThirdPartyAccessKey";
const UPDATE = "UpdateThirdPartyAccessKey";
const AUTHORIZATION = "getCustomerAuthorizationDetails";

export const thirdPartyAccessScenarios = [
  scenario("third-party-access/key", {
    title: "an access key is generated for a third party and updated",
    operations: [GENERATE, UPDATE],
    requirements: ["thirdPartyAccess.request-body"],
    async run(t) {
      const keeps = ["thirdPartyAccess.request-body"];
      const given = await t.accepted(GENERATE, {}, { keeps });
      const own = { "consent-receipt": t.identifierIn(given, "consent-receipt") };
      await t.accepted(UPDATE, own, { keeps });
      await t.send(await t.validCall("RevokeThirdPartyAccessKey", own));
    },
  }),

  scenario("authorization-details/dates", {
    title: "an authorization on an OAuth connection has a start date and an end date",
    operations: [AUTHORIZATION],
    requirements: ["getCustomerAuthorizationDetails.dates"],
    async run(t) {
      const exchange = await t.answered(AUTHORIZATION);
      if (!isAccepted(exchange)) throw new NotTried("lacks", "a login on an OAuth connection");
      const body = contentOf(exchange);
      const named = [
        fieldOf(body, "authorizationStartDate", "startDate"),
        fieldOf(body, "authorizationEndDate", "endDate"),
      ].filter((date) => secondsOf(date) !== undefined);
      const written = valuesIn(body).filter((value) => ISO_DATE.test(value));
      const holds = named.length === 2 || written.length > 1;
      t.recordIfConfirmed("getCustomerAuthorizationDetails.dates", holds, [exchange], {
        message: "the authorization does not show both dates",
        expected: "a start date and an end date",
        actual: `${Math.max(named.length, written.length)} of them`,
      });
    },
  }),

  scenario("authorization-details/legacy", {
    title: "a legacy connection has no authorization details: it is refused with code 3003",
    operations: [AUTHORIZATION],
    requirements: [
      "getCustomerAuthorizationDetails.oauth-only",
      "getCustomerAuthorizationDetails.error-3003",
    ],
    async run(t) {
      const probe = await answerAboutLegacy(t);
      const control = await t.answered(AUTHORIZATION);
      const requirement = "getCustomerAuthorizationDetails.oauth-only";
      // The status of these codes is not documented (gaps: authorization error codes).
      t.judgeRefused(requirement, "a login on a legacy connection", [probe, control], REFUSALS);
      judgeCode(t, "3003", probe);
    },
  }),

  scenario("authorization-details/older", {
    title: "an authorization older than its details may be answered with code 3004",
    operations: [AUTHORIZATION],
    requirements: ["getCustomerAuthorizationDetails.error-3004"],
    async run(t) {
      const need = "an authorization that is older than the operation";
      const older = await t.situation("old-authorization", need);
      const exchange = await t.answered(AUTHORIZATION, older, { judged: "refusals" });
      // "May" also allows the server to return the details.
      if (isAccepted(exchange)) t.pass("getCustomerAuthorizationDetails.error-3004", [exchange]);
      else judgeCode(t, "3004", exchange);
    },
  }),
];

/**
 * Returns the answer about a login on a legacy connection. If none is named, the answers about the customer's logins show
 * one.
 */
const answerAboutLegacy = async (t: T): Promise<Exchange> => {
  const known = await t.situationIfOffered(LEGACY);
  if (known !== undefined) return t.answered(AUTHORIZATION, known);
  const logins = [...byLogin((await t.accountsOf()).accounts).values()].slice(0, MOST_LOGINS);
  for (const [account] of logins) {
    const exchange = await t.answered(AUTHORIZATION, account?.resources);
    if (valuesIn(refusalIn(exchange)).includes("3003")) return exchange;
  }
  const seen = `none of ${logins.length} logins of the customer is answered with code 3003`;
  throw new NotTried("lacks-situation", `a login on a legacy connection (${seen})`, LEGACY);
};

const LEGACY = "legacy-connection";
const MOST_LOGINS = 5;

const ISO_DATE = /^\d{4}-\d\d-\d\d/;

/** Judges that the answer is a client error with the code anywhere in its body. */
const judgeCode = (t: T, code: string, exchange: Exchange): void => {
  const status = statusOf(exchange);
  const found = valuesIn(refusalIn(exchange)).includes(code);
  const requirement = `getCustomerAuthorizationDetails.error-${code}`;
  t.judgeThat(requirement, found && status >= 400 && status < 500, [exchange], {
    message: `the refusal does not contain code ${code}`,
    expected: `a client error with ${code} in its body`,
    actual: found ? `${status}` : `${status} without it`,
  });
};
