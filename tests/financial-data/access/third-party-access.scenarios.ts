/** Third-party access: access keys, and how long an institution lets us in for a customer. */

import {
  answerTo,
  identifierIn,
  judgeRefused,
  judgeThat,
  taken,
  validCall,
  valuesIn,
} from "../../../fixtures/financial-data/asking.ts";
import { fieldOf, secondsOf, situation } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { HOLDS } from "../../../helpers/checks/check.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "App registration and third-party access";
const GENERATE = "GenerateThirdPartyAccessKey";
const UPDATE = "UpdateThirdPartyAccessKey";
const AUTHORIZATION = "getCustomerAuthorizationDetails";
const LEGACY = "legacy-connection";

/** The status that goes with the codes is open (gaps: authorization error codes). */
const REFUSALS: readonly number[] = [400, 403, 404, 405, 406, 409, 410, 412, 422];

export const thirdPartyAccessScenarios: readonly Trial[] = [
  scenario(
    {
      id: "third-party-access/key",
      title: "a third party is given an access key, and the key is changed",
      section: SECTION,
      operations: [GENERATE, UPDATE],
      requirements: ["thirdPartyAccess.request-body"],
    },
    async (context) => {
      const { arrange } = context;
      const given = await taken(context, await validCall(context, GENERATE), [
        "thirdPartyAccess.request-body",
      ]);
      const own = having(arrange, { "consent-receipt": identifierIn(context, given, "consent-receipt") });
      await taken(context, await validCall(context, UPDATE, own), ["thirdPartyAccess.request-body"]);
      const revocation = await validCall(context, "RevokeThirdPartyAccessKey", own);
      await context.send(revocation);
    },
  ),

  scenario(
    {
      id: "authorization-details/dates",
      title: "an authorization on an OAuth connection has a start date and an end date",
      section: SECTION,
      operations: [AUTHORIZATION],
      requirements: ["getCustomerAuthorizationDetails.dates"],
    },
    async (context) => {
      const exchange = await answerTo(context, await validCall(context, AUTHORIZATION));
      if (!isAccepted(exchange)) throw new NotTried("needs a login on an OAuth connection");
      const body = exchange.response?.json;
      const named = [
        fieldOf(body, "authorizationStartDate", "startDate"),
        fieldOf(body, "authorizationEndDate", "endDate"),
      ].filter((date) => secondsOf(date) !== undefined);
      const written = valuesIn(body).filter((value) => ISO_DATE.test(value));
      conclude(
        context,
        "getCustomerAuthorizationDetails.dates",
        {
          holds: named.length === 2 || written.length > 1,
          certain: context.capabilities.has("new-implementation"),
          finding: {
            message: "the authorization does not show both dates",
            expected: "a start date and an end date",
            actual: `${Math.max(named.length, written.length)} of them`,
          },
        },
        [exchange],
      );
    },
  ),

  scenario(
    {
      id: "authorization-details/legacy",
      title: "a legacy connection has no authorization details, which code 3003 tells",
      section: SECTION,
      operations: [AUTHORIZATION],
      requirements: [
        "getCustomerAuthorizationDetails.oauth-only",
        "getCustomerAuthorizationDetails.error-3003",
      ],
    },
    async (context) => {
      const legacy = having(
        context.arrange,
        await situation(context, LEGACY, "a login on a legacy connection"),
      );
      const probe = await answerTo(context, await validCall(context, AUTHORIZATION, legacy));
      const twin = await answerTo(context, await validCall(context, AUTHORIZATION));
      const requirement = "getCustomerAuthorizationDetails.oauth-only";
      judgeRefused(context, requirement, "a login on a legacy connection", [probe, twin], REFUSALS);
      judgeCode(context, "3003", probe);
    },
  ),

  scenario(
    {
      id: "authorization-details/older",
      title: "an authorization older than its details may be answered with code 3004",
      section: SECTION,
      operations: [AUTHORIZATION],
      requirements: ["getCustomerAuthorizationDetails.error-3004"],
    },
    async (context) => {
      const need = "an authorization older than the operation";
      const older = having(context.arrange, await situation(context, "old-authorization", need));
      const exchange = await answerTo(context, await validCall(context, AUTHORIZATION, older));
      if (isAccepted(exchange)) {
        // "May" allows the details as well.
        context.judge.record(id("getCustomerAuthorizationDetails.error-3004"), HOLDS, [exchange]);
      } else judgeCode(context, "3004", exchange);
    },
  ),
];

const ISO_DATE = /^\d{4}-\d\d-\d\d/;

/** Any client error will do, and the code may stand anywhere in its body. */
const judgeCode = (context: TrialContext, code: string, exchange: Exchange): void => {
  const status = statusOf(exchange);
  const found = valuesIn(exchange.response?.json).includes(code);
  const requirement = `getCustomerAuthorizationDetails.error-${code}`;
  judgeThat(context, requirement, found && status >= 400 && status < 500, [exchange], {
    message: `the refusal does not carry code ${code}`,
    expected: `a client error with ${code} in its body`,
    actual: found ? `${status}` : `${status} without it`,
  });
};
