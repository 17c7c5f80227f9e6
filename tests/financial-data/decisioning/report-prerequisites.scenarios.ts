/** Whom and what a report needs: a consumer, a business, an account of an eligible type, no security freeze. */
import { answered, situation } from "../../../fixtures/financial-data/calls.ts";
import { attempt, recordPair } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import {
  attempted,
  GENERATION_SECTION,
  GENERATORS,
  isNew,
  judgeRefusal,
} from "../../../fixtures/financial-data/reporting.ts";
import { FIRST_OR_THIRD_PARTY, generationCall } from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkAccepted } from "../../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const HISTORY = "GeneratePaymentHistoryReport";
const PERSONAL = "GenerateCashFlowPersonalReport";
const FORESIGHT = ["GenerateForesightAnalyticsNonCraReport", FIRST_OR_THIRD_PARTY];
/** Need nobody, as the document states. */
const NOBODY: readonly (readonly [operationId: string, requirement: string])[] = [
  ["GenerateCashFlowBusinessReport", "GenerateCashFlowBusinessReport.no-consumer"],
  ...FORESIGHT.map((operationId) => [operationId, "foresightAnalytics.no-consumer"] as const),
];
const CRA = { analyticsReportData: { forCraPurpose: true } };
const NOT_CRA = { analyticsReportData: { forCraPurpose: false } };
const WITHOUT_CONSUMER = "consumers.report-without-consumer-refused";

export const reportPrerequisiteScenarios: readonly Trial[] = [
  scenario(
    {
      id: "reports/parties",
      title: "reports that need a consumer or a business are refused without one, the others are not",
      section: GENERATION_SECTION,
      operations: GENERATORS,
      requirements: [
        WITHOUT_CONSUMER,
        `${PERSONAL}.consumer-required`,
        "GenerateCashFlowBusinessReport.no-consumer",
        "foresightAnalytics.no-consumer",
        `${HISTORY}.business-required`,
        `${HISTORY}.consumer-required-for-cra`,
      ],
    },
    async (context) => {
      const own = { ...context, arrange: context.arrange.apart() };
      const customer = await own.arrange.need("customer");
      const nobody = { customer, consumer: "none", business: "none" };
      const needy = [...needConsumer(context), PERSONAL];
      const probes = new Map<string, Exchange>();
      for (const operationId of needy) probes.set(operationId, await attempted(own, operationId, nobody));
      const free = [];
      for (const [operationId, requirement] of NOBODY) {
        free.push({ operationId, requirement, exchange: await attempted(own, operationId, nobody) });
      }
      const history = await attempted(own, HISTORY, nobody, NOT_CRA);
      const business = await own.arrange.need("business");
      const withBusiness = { ...nobody, business };
      const historyTwin = await attempted(own, HISTORY, withBusiness, NOT_CRA);
      judgeRefusal(
        context,
        `${HISTORY}.business-required`,
        [history, historyTwin],
        "a customer without a business",
      );
      const cra = await attempted(own, HISTORY, withBusiness, CRA);
      const all = { ...withBusiness, consumer: await own.arrange.need("consumer") };
      const craTwin = await attempted(own, HISTORY, all, CRA);
      judgeRefusal(context, `${HISTORY}.consumer-required-for-cra`, [cra, craTwin], NO_CONSUMER);
      for (const [operationId, probe] of probes) {
        const requirement = operationId === PERSONAL ? `${PERSONAL}.consumer-required` : WITHOUT_CONSUMER;
        judgeRefusal(context, requirement, [probe, await attempted(own, operationId, all)], NO_CONSUMER);
      }
      for (const { operationId, requirement, exchange } of free) {
        const twin = await attempted(own, operationId, all);
        const result = checkAccepted(
          { what: `${operationId} for ${NO_CONSUMER}`, pointer: "" },
          exchange,
          twin,
        );
        recordPair(context, requirement, result, [exchange, twin]);
      }
    },
  ),

  scenario(
    {
      id: "reports/security-freeze",
      title: "reports about a consumer under a security freeze are answered with 403",
      section: GENERATION_SECTION,
      operations: GENERATORS,
      requirements: ["reports.generate.403-security-freeze"],
    },
    async (context) => {
      const frozen = await situation(context, "security-freeze", "a consumer under a security freeze");
      const requirement = "reports.generate.403-security-freeze";
      for (const operationId of GENERATORS) {
        await attempt(context, [requirement], async () => {
          const probe = await attempted(context, operationId, frozen);
          const twin = await attempted(context, operationId, {});
          judgeRefusal(context, requirement, [probe, twin], "a consumer under a security freeze", [403]);
        });
      }
    },
  ),

  scenario(
    {
      id: "reports/entity-by-user-type",
      title: "the user type decides whether analytics create a consumer or a business",
      section: GENERATION_SECTION,
      operations: ["GenerateBalanceAnalyticsReport", "GenerateCashflowAnalyticsReport"],
      requirements: ["analytics.entity-by-userType"],
    },
    async (context) => {
      // The sentence may as well ask the client to have created them before.
      if (!isNew(context)) throw new NotTried("who creates the consumer or the business is left open");
      for (const operationId of ["GenerateBalanceAnalyticsReport", "GenerateCashflowAnalyticsReport"]) {
        for (const userType of ["personal", "business"]) await judgeCreated(context, operationId, userType);
      }
    },
  ),
];

const NO_CONSUMER = "a customer without a consumer";

/** Those for which the document states it. */
const needConsumer = ({ contract }: TrialContext): string[] =>
  (contract.requirements.find((one) => one.id === id(WITHOUT_CONSUMER))?.operations ?? []).filter(
    (operationId) => operationId !== PERSONAL && operationId !== HISTORY && GENERATORS.includes(operationId),
  );

const ENTITIES = { personal: "GetConsumerForCustomer", business: "GetBusinessByCustomer" };

const judgeCreated = async (context: TrialContext, operationId: string, userType: string): Promise<void> => {
  const own = { ...context, arrange: context.arrange.apart() };
  const resources = { customer: await own.arrange.need("customer"), consumer: "none", business: "none" };
  const call = await generationCall(own, { operationId }, resources);
  const generated = await context.send({ ...call, path: { ...call.path, userType } });
  if (!isAccepted(generated)) return;
  for (const [type, operation] of Object.entries(ENTITIES)) {
    const read = await answered(own, operation, resources);
    const there = isAccepted(read) && JSON.stringify(read.response?.json) !== "[]";
    context.judge.record(
      id("analytics.entity-by-userType"),
      {
        holds: there === (type === userType),
        pointer: "",
        message: `after ${operationId} of the user type ${userType}, ${operation} finds ${there ? "one" : "none"}`,
        expected: type === userType ? "one was created" : "none was created",
        actual: `${statusOf(read)}`,
      },
      [read, generated],
    );
  }
};
