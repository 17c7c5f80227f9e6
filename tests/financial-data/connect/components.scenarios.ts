/** Connect components: parts of the flow for the partner's own pages, and configurations for their owner alone. */

import {
  answerTo,
  identifierIn,
  inSituation,
  judgeThat,
  namesAreCertain,
  taken,
  validCall,
  valuesIn,
  withFields,
} from "../../../fixtures/financial-data/asking.ts";
import { goThrough, visitorOf } from "../../../fixtures/financial-data/hosted-pages.ts";
import { disposablePartner, tokenHeader, workingToken } from "../../../fixtures/financial-data/signing-in.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Connect components";
const OAUTH = "post-institutions-institutionId-oauth-urls";
const FORM = "post-institutions-institutionId-login-forms";
const READ = "get-configurations-configurationId";
const OWNER_ONLY = "connectComponents.configuration-owner-only";

export const componentScenarios: readonly Trial[] = [
  ...[OAUTH, FORM].map((operationId) =>
    scenario(
      {
        id: `components/${operationId}`,
        title: `${operationId} works with a configuration and without one`,
        section: SECTION,
        operations: [operationId],
        requirements: [`${operationId}.request-body`, "connectComponents.configuration-optional"],
      },
      async (context) => {
        const requirement = "connectComponents.configuration-optional";
        const configurationId = await context.arrange.need("configuration");
        const call = withFields(await validCall(context, operationId), { configurationId });
        const without = await answerTo(context, withFields(call, { configurationId: undefined }));
        const configured = await answerTo(context, call);
        if (isAccepted(without) || isAccepted(configured)) {
          judgeThat(context, requirement, isAccepted(without), [without, configured], {
            message: `${operationId} without a configuration was refused`,
            expected: "accepted, as with one",
            actual: `${statusOf(without)}`,
          });
        }
        await taken(context, isAccepted(without) ? withFields(call, { configurationId: undefined }) : call, [
          `${operationId}.request-body`,
        ]);
      },
    ),
  ),

  scenario(
    {
      id: "components/reconnection",
      title: "a reconnection takes no body, and asks for a challenge where one is due",
      section: SECTION,
      operations: ["post-reconnections"],
      requirements: ["post-reconnections.no-body", "post-reconnections.203-mfa"],
    },
    async (context) => {
      await reconnect(context);
      const values = await inSituation(
        context,
        "mfa-account",
        "a login whose institution asks for a challenge",
      );
      const arrange = having(context.arrange, {
        customer: values.FINANCIAL_DATA_CUSTOMER_ID ?? "",
        "institution-login": values.FINANCIAL_DATA_INSTITUTION_LOGIN_ID ?? "",
      });
      const challenged = await answerTo(context, await validCall(context, "post-reconnections", arrange));
      judgeThat(context, "post-reconnections.203-mfa", statusOf(challenged) === 203, [challenged], {
        message: "a login that needs a challenge was reconnected without one",
        expected: "203",
        actual: `${statusOf(challenged)}`,
      });
    },
  ),

  scenario(
    {
      id: "components/configuration",
      title: "a configuration is created",
      section: SECTION,
      operations: ["post-configurations"],
      requirements: ["post-configurations.request-body"],
    },
    async (context) => {
      await taken(context, await validCall(context, "post-configurations"), [
        "post-configurations.request-body",
      ]);
    },
  ),

  scenario(
    {
      id: "components/owner-only",
      title: "a configuration is returned to its owner alone",
      section: SECTION,
      operations: ["get-configurations", READ],
      requirements: [OWNER_ONLY],
    },
    async (context) => {
      const created = await taken(context, await validCall(context, "post-configurations"));
      const own = identifierIn(context, created, "configuration");
      const twin = await taken(context, { operationId: READ, path: { configuration_id: own } });
      if (context.capabilities.offers("foreign-configuration")) {
        const values = await context.capabilities.arrange("foreign-configuration");
        await judgeHidden(context, values.FINANCIAL_DATA_CONFIGURATION_ID ?? "", twin);
      } else await judgeHidden(context, own, twin, await strangersToken(context));
    },
  ),

  scenario(
    {
      id: "components/redirect",
      title: "the redirectURI is called when the session completes",
      section: SECTION,
      operations: [OAUTH],
      requirements: ["connectComponents.redirectURI-called-on-completion"],
    },
    async (context) => {
      const visitor = visitorOf(context);
      const redirectURI = "https://partner.example.com/connected";
      const exchange = await taken(context, withFields(await validCall(context, OAUTH), { redirectURI }));
      const address = valuesIn(exchange.response?.json).find((value) => /^https?:\/\//.test(value)) ?? "";
      const { location } = await goThrough(visitor, address, ["sign-in", "challenge", "accounts"]);
      judgeThat(
        context,
        "connectComponents.redirectURI-called-on-completion",
        location.startsWith(redirectURI),
        [exchange],
        {
          message: "after the session the browser is not sent to the redirectURI",
          expected: redirectURI,
          actual: new URL(location).pathname,
        },
      );
    },
  ),
];

/** The login is one that is linked already, so that a challenge it asks for shows nothing about the body. */
const reconnect = async (context: TrialContext): Promise<void> => {
  const exchange = await answerTo(context, await validCall(context, "post-reconnections"));
  if (
    !isAccepted(exchange) &&
    !namesAreCertain(context, "post-reconnections") &&
    statusOf(exchange) !== 400
  ) {
    throw new NotTried(`the login in use is not reconnected (${statusOf(exchange)})`);
  }
  judgeThat(context, "post-reconnections.no-body", isAccepted(exchange), [exchange], {
    message: "a reconnection without a body was refused",
    expected: "201 or 203",
    actual: `${statusOf(exchange)}`,
  });
};

/** @param token of a partner that does not own the configuration; the session's own if absent */
const judgeHidden = async (
  context: TrialContext,
  configurationId: string,
  twin: Exchange,
  token?: string,
): Promise<void> => {
  const headers = token === undefined ? {} : { [tokenHeader(context.contract)]: token };
  const read = await answerTo(context, {
    operationId: READ,
    path: { configuration_id: configurationId },
    headers,
  });
  const list = await answerTo(context, { operationId: "get-configurations", headers });
  const listed = isAccepted(list) && holdsValue(list.response?.json, configurationId);
  judgeThat(context, OWNER_ONLY, !isAccepted(read) && !listed, [isAccepted(read) ? read : list, twin], {
    message: "a configuration is returned to a partner that does not own it",
    expected: "refused, and not listed",
    actual: `${statusOf(read)}, ${listed ? "listed" : "not listed"}`,
  });
};

const strangersToken = async (context: TrialContext): Promise<string> => {
  const disposable = await disposablePartner(context);
  const main = await context.arrange.get("partner");
  if (disposable === undefined || ("value" in main && main.value === (await disposable.need("partner")))) {
    throw new NotTried(
      "needs disposable-partner: a second partner, to whom the configuration does not belong",
    );
  }
  return workingToken(context, disposable);
};
