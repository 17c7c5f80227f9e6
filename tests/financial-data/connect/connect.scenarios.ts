/** Connect: addresses of the hosted flows, and experiences. What happens on the pages is in hosted-flows.scenarios.ts. */

import {
  answerTo,
  judgeParameter,
  judgeThat,
  namesAreCertain,
  parameterValue,
  taken,
  validCall,
  valuesIn,
} from "../../../fixtures/financial-data/asking.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { statusOf } from "../../../helpers/exchange/exchange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Connect (hosted flows)";
const EXPERIENCES = "GetAllExperience";

/** `url`: whether the document says that the answer is an address. */
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
    scenario(
      {
        id: `connect/${operationId}`,
        title: `${operationId} takes its body${url ? " and gives an address" : ""}`,
        section: SECTION,
        operations: [operationId],
        requirements: ["connect.request-bodies", ...(url ? ["connect.returns-url"] : [])],
      },
      async (context) => {
        const call = await validCall(context, operationId, await arrangeFor(context, operationId));
        const exchange = await taken(context, call, ["connect.request-bodies"]);
        if (!url) return;
        const addresses = valuesIn(exchange.response?.json).filter((value) =>
          /^https?:\/\/[^\s/]+/.test(value),
        );
        judgeThat(context, "connect.returns-url", addresses.length > 0, [exchange], {
          message: `${operationId} answered without an address`,
          expected: "a URL in the body",
          actual: "none",
        });
      },
    ),
  ),

  scenario(
    {
      id: "connect/experiences",
      title: "experiences are listed by app name, with product codes or without",
      section: SECTION,
      operations: [EXPERIENCES],
      requirements: ["GetAllExperience.productCodes-optional", "GetAllExperience.app-name-query"],
    },
    async (context) => {
      const appName = await parameterValue(context, EXPERIENCES, "appName");
      const productCode = "voa";
      const bare = await answerTo(context, { operationId: EXPERIENCES });
      const named = await answerTo(context, { operationId: EXPERIENCES, query: { appName } });
      const coded = await answerTo(context, { operationId: EXPERIENCES, query: { appName, productCode } });
      // Whether the app name may be left out is open: the call with codes vouches for it, too.
      if (namesAreCertain(context, EXPERIENCES)) {
        judgeThat(context, "GetAllExperience.app-name-query", isOk(named), [named], {
          message: "an app name in the query was refused",
          expected: "200",
          actual: `${statusOf(named)}`,
        });
      } else {
        const twin = [bare, coded].find(isOk) ?? coded;
        judgeParameter(context, "GetAllExperience.app-name-query", "appName", [named, twin]);
      }
      judgeParameter(context, "GetAllExperience.productCodes-optional", "productCode", [coded, named]);
      judgeParameter(context, "GetAllExperience.productCodes-optional", "productCode", [named, coded]);
    },
  ),
];

const isOk = ({ response }: { readonly response?: { readonly status: number } }): boolean =>
  response?.status === 200;

/** A micro deposit is not always there to verify. */
const arrangeFor = async ({ arrange, capabilities }: TrialContext, operationId: string) => {
  if (operationId !== "VerifyMicroEntryMicrodeposit" || !capabilities.offers("micro-deposits-arrived"))
    return arrange;
  const values = await capabilities.arrange("micro-deposits-arrived");
  return having(arrange, {
    customer: values.FINANCIAL_DATA_CUSTOMER_ID ?? "",
    "micro-deposit-account": values.FINANCIAL_DATA_MICRO_DEPOSIT_ACCOUNT_ID ?? "",
  });
};
