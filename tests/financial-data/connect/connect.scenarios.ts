/** Connect: links to the hosted flows, and experiences. The tests of the pages are in hosted-flows.scenarios.ts. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, type Resources, statusOf } from "../../../helpers/trials/kit/language.ts";

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

export const connectScenarios = [
  ...FLOWS.map(({ operationId, url }) =>
    scenario(`connect/${operationId}`, {
      title: `${operationId} accepts its body${url ? " and returns a URL" : ""}`,
      operations: [operationId],
      requirements: ["connect.request-bodies", ...(url ? ["connect.returns-url"] : [])],
      async run(t) {
        const keeps = ["connect.request-bodies"];
        const exchange = await t.accepted(operationId, await aboutFor(t, operationId), { keeps });
        if (!url) return;
        t.judgeThat("connect.returns-url", t.addressesIn(exchange).length > 0, [exchange], {
          message: `${operationId} answered without a URL`,
          expected: "a URL in the body",
          actual: "none",
        });
      },
    }),
  ),

  scenario("connect/experiences", {
    title: "experiences are listed by app name, with product codes or without",
    operations: [EXPERIENCES],
    requirements: [OPTIONAL, BY_NAME],
    async run(t) {
      const appName = t.parameterValue(EXPERIENCES, "appName");
      const productCode = "voa";
      const bare = await t.answerTo({ operationId: EXPERIENCES });
      const named = await t.answerTo({ operationId: EXPERIENCES, query: { appName } });
      const coded = await t.answerTo({ operationId: EXPERIENCES, query: { appName, productCode } });
      // The documents do not state whether the app name is optional, so the call with product codes can also be its
      // control.
      if (t.isConfirmed(EXPERIENCES)) {
        t.judgeThat(BY_NAME, isOk(named), [named], {
          message: "an app name in the query was refused",
          expected: "200",
        });
      } else {
        const control = [bare, coded].find(isOk) ?? coded;
        t.judgeParameter(BY_NAME, "appName", [named, control]);
      }
      t.judgeParameter(OPTIONAL, "productCode", [coded, named]);
      t.judgeParameter(OPTIONAL, "productCode", [named, coded]);
    },
  }),
];

const isOk = (exchange: Exchange): boolean => statusOf(exchange) === 200;

/** Returns a micro deposit to verify, if the target offers one. */
const aboutFor = async (t: T, operationId: string): Promise<Resources | undefined> =>
  operationId === "VerifyMicroEntryMicrodeposit" ? t.situationIfOffered("micro-deposits-arrived") : undefined;
