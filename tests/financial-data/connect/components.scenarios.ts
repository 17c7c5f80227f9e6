/**
 * Connect components: parts of the flow on the partner's own pages, and configurations that only their owner can read.
 */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { tokenHeader } from "../../../helpers/contract/lookups.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { NotTried, withFields } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Connect components");
const OAUTH = "post-institutions-institutionId-oauth-urls";
const FORM = "post-institutions-institutionId-login-forms";
const READ = "get-configurations-configurationId";
const OPTIONAL = "connectComponents.configuration-optional";
const OWNER_ONLY = "connectComponents.configuration-owner-only";
const REDIRECT = "connectComponents.redirectURI-called-on-completion";

export const componentScenarios = [
  ...[OAUTH, FORM].map((operationId) =>
    scenario(`components/${operationId}`, {
      title: `${operationId} is accepted with and without a configuration`,
      operations: [operationId],
      requirements: [`${operationId}.request-body`, OPTIONAL],
      async run(t) {
        const configurationId = await t.arrange.need("configuration");
        const call = await t.validCall(operationId, {}, { fields: { configurationId } });
        const bare = withFields(call, { configurationId: undefined });
        const without = await t.answerTo(bare);
        const configured = await t.answerTo(call);
        if (isAccepted(without) || isAccepted(configured)) {
          t.judgeThat(OPTIONAL, isAccepted(without), [without, configured], {
            message: `${operationId} without a configuration was refused`,
            expected: "accepted, like a call with a configuration",
          });
        }
        await t.acceptanceOf(isAccepted(without) ? bare : call, [`${operationId}.request-body`]);
      },
    }),
  ),

  scenario("components/reconnection", {
    title: "a reconnection needs no body, and is answered with 203 if a challenge is due",
    operations: ["post-reconnections"],
    requirements: ["post-reconnections.no-body", "post-reconnections.203-mfa"],
    async run(t) {
      await reconnect(t);
      const need = "a login whose institution asks for a challenge";
      const due = await t.situation("mfa-account", need);
      const challenged = await t.answered("post-reconnections", due);
      t.judgeThat("post-reconnections.203-mfa", statusOf(challenged) === 203, [challenged], {
        message: "a login with a due challenge was reconnected without it",
        expected: "203",
      });
    },
  }),

  scenario("components/configuration", {
    title: "a configuration is created",
    operations: ["post-configurations"],
    requirements: ["post-configurations.request-body"],
    async run(t) {
      await t.accepted("post-configurations", {}, { keeps: ["post-configurations.request-body"] });
    },
  }),

  scenario("components/owner-only", {
    title: "a configuration is returned to its owner only",
    operations: ["get-configurations", READ],
    requirements: [OWNER_ONLY],
    async run(t) {
      const created = await t.accepted("post-configurations");
      const own = t.identifierIn(created, "configuration");
      const control = await t.acceptanceOf({ operationId: READ, path: { configuration_id: own } });
      const foreign = await t.situationIfOffered("foreign-configuration");
      if (foreign !== undefined) await judgeHidden(t, foreign.configuration ?? "", control);
      else await judgeHidden(t, own, control, await t.workingToken(await t.secondPartner()));
    },
  }),

  scenario("components/redirect", {
    title: "the redirectURI is called when the session completes",
    operations: [OAUTH],
    requirements: [REDIRECT],
    async run(t) {
      const redirectURI = "https://partner.example.com/connected";
      const exchange = await t.accepted(OAUTH, {}, { fields: { redirectURI } });
      const steps = ["sign-in", "challenge", "accounts"];
      const { location } = await t.goThrough(t.addressIn(exchange), steps);
      t.judgeThat(REDIRECT, location.startsWith(redirectURI), [exchange], {
        message: "the browser is not redirected to the redirectURI after the session",
        expected: redirectURI,
        actual: new URL(location).pathname,
      });
    },
  }),
];

/** Judges that a reconnection needs no body. Its login is already linked, so a challenge is not caused by the body. */
const reconnect = async (t: T): Promise<void> => {
  const exchange = await t.answered("post-reconnections");
  if (!isAccepted(exchange) && !t.isConfirmed("post-reconnections") && statusOf(exchange) !== 400) {
    throw new NotTried("not-arranged", `the login in use is not reconnected (${statusOf(exchange)})`);
  }
  t.judgeThat("post-reconnections.no-body", isAccepted(exchange), [exchange], {
    message: "a reconnection without a body was refused",
    expected: "201 or 203",
  });
};

/** @param token of a partner that does not own the configuration; the session's own if absent */
const judgeHidden = async (
  t: T,
  configurationId: string,
  control: Exchange,
  token?: string,
): Promise<void> => {
  const headers = token === undefined ? {} : { [tokenHeader(t.contract)]: token };
  const path = { configuration_id: configurationId };
  const read = await t.answerTo({ operationId: READ, path, headers });
  const list = await t.answerTo({ operationId: "get-configurations", headers });
  const listed = isAccepted(list) && holdsValue(contentOf(list), configurationId);
  t.judgeThat(OWNER_ONLY, !isAccepted(read) && !listed, [isAccepted(read) ? read : list, control], {
    message: "a configuration is returned to a partner that does not own it",
    expected: "refused, and not listed",
    actual: `${statusOf(read)}, ${listed ? "listed" : "not listed"}`,
  });
};
