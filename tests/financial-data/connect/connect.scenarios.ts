/** Connect: links to the hosted flows, and experiences. The tests of the pages are in hosted-flows.scenarios.ts. */

import { addressesIn } from "../../../fixtures/financial-data/hosted-links.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";
import { accepted, answerTo } from "../../../helpers/trials/kit/asking.ts";
import { parameterValue, type Resources, situationIfOffered } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { judgeParameter } from "../../../helpers/trials/kit/parameters.ts";
import { judgeThat } from "../../../helpers/trials/kit/verdicts.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Connect (hosted flows)");
const EXPERIENCES = "GetAllExperience";
const OPTIONAL = `${EXPERIENCES}.productCodes-optional`;
const BY_NAME = `${EXPERIENCES}.app-name-query`;

/** `url`: whether the document states that the answer is a URL. */
const FLOWS = [
  { operationId: "GenerateConnectUrl", url: true },
  { operationId: "GenerateLiteConnectUrl", url: true },
  { operationId: "GenerateFixConnectUrl", url: true },
  { operationId: "SendConnectEmail", url: false },
  { operationId: "GenerateJointBorrowerConnectUrl", url: false },
  { operationId: "SendJointBorrowerConnectEmail", url: false },
  { operationId: "VerifyMicroEntryMicrodeposit", url: true },
  { operationId: "GenerateTransferBillPaySwitchUrl", url: false },
  { operationId: "GenerateTransferDepositSwitchUrl", url: false },
] as const;

export const connectScenarios: readonly Trial[] = [
  ...FLOWS.map(({ operationId, url }) =>
    scenario({
      id: `connect/${operationId}`,
      title: `${operationId} accepts its body${url ? " and returns a URL" : ""}`,
      operations: [operationId],
      requirements: ["connect.request-bodies", ...(url ? ["connect.returns-url"] : [])],
      async run(context) {
        const keeps = ["connect.request-bodies"];
        const exchange = await accepted(context, operationId, await aboutFor(context, operationId), {
          keeps,
        });
        if (!url) return;
        judgeThat(context, "connect.returns-url", addressesIn(context, exchange).length > 0, [exchange], {
          message: `${operationId} answered without a URL`,
          expected: "a URL in the body",
          actual: "none",
        });
      },
    }),
  ),

  scenario({
    id: "connect/experiences",
    title: "experiences are listed by app name, with product codes or without",
    operations: [EXPERIENCES],
    requirements: [OPTIONAL, BY_NAME],
    async run(context) {
      const appName = parameterValue(context, EXPERIENCES, "appName");
      const productCode = "voa";
      const bare = await answerTo(context, { operationId: EXPERIENCES });
      const named = await answerTo(context, { operationId: EXPERIENCES, query: { appName } });
      const coded = await answerTo(context, { operationId: EXPERIENCES, query: { appName, productCode } });
      // The documents do not state whether the app name is optional, so the call with product codes can also be its
      // control.
      if (isConfirmed(context, EXPERIENCES)) {
        judgeThat(context, BY_NAME, isOk(named), [named], {
          message: "an app name in the query was refused",
          expected: "200",
        });
      } else {
        const control = [bare, coded].find(isOk) ?? coded;
        judgeParameter(context, BY_NAME, "appName", [named, control]);
      }
      judgeParameter(context, OPTIONAL, "productCode", [coded, named]);
      judgeParameter(context, OPTIONAL, "productCode", [named, coded]);
    },
  }),
];

const isOk = (exchange: Exchange): boolean => statusOf(exchange) === 200;

/** Returns a micro deposit to verify, if the target offers one. */
const aboutFor = async (context: TrialContext, operationId: string): Promise<Resources | undefined> =>
  operationId === "VerifyMicroEntryMicrodeposit"
    ? situationIfOffered(context, "micro-deposits-arrived")
    : undefined;
