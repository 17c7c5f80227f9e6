/** The prerequisites of a report: a consumer or a business, and no security freeze. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import { GENERATION_SECTION, GENERATORS } from "../../../fixtures/financial-data/reporting.ts";
import { FIRST_OR_THIRD_PARTY } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const HISTORY = "GeneratePaymentHistoryReport";
const PERSONAL = "GenerateCashFlowPersonalReport";
const FORESIGHT = ["GenerateForesightAnalyticsNonCraReport", FIRST_OR_THIRD_PARTY];
/** Operations that need no consumer, as the document states. */
const NOBODY: ReadonlyMap<string, string> = new Map([
  ["GenerateCashFlowBusinessReport", "GenerateCashFlowBusinessReport.no-consumer"],
  ...FORESIGHT.map((operationId) => [operationId, "foresightAnalytics.no-consumer"] as const),
]);
const FREEZE = "reports.generate.403-security-freeze";
const CRA = { analyticsReportData: { forCraPurpose: true } };
const NOT_CRA = { analyticsReportData: { forCraPurpose: false } };
const WITHOUT_CONSUMER = "consumers.report-without-consumer-refused";

export const reportPrerequisiteScenarios = [
  scenario("reports/parties", {
    title: "only reports that need a consumer or a business are refused without one",
    operations: GENERATORS,
    requirements: [
      WITHOUT_CONSUMER,
      `${PERSONAL}.consumer-required`,
      "GenerateCashFlowBusinessReport.no-consumer",
      "foresightAnalytics.no-consumer",
      `${HISTORY}.business-required`,
      `${HISTORY}.consumer-required-for-cra`,
    ],
    async run(t) {
      const own = { ...t, arrange: t.arrange.exclusive() };
      const ask = (operationId: string, resources: Resources, fields = {}) =>
        own.generationOf({ operationId, fields }, resources);
      // The customer needs accounts, because the refusals could otherwise be about missing accounts.
      await own.arrange.need("account");
      const withoutConsumer = {
        customer: await own.arrange.need("customer"),
        consumer: "none",
        business: "none",
      };
      const probes = new Map<string, Exchange>();
      for (const operationId of [...needConsumer(t), PERSONAL, ...NOBODY.keys()]) {
        const probe = await ask(operationId, withoutConsumer);
        if (!NOBODY.has(operationId)) await assertAbsent(own, probe, ENTITIES.personal, withoutConsumer);
        probes.set(operationId, probe);
      }
      const history = await ask(HISTORY, withoutConsumer, NOT_CRA);
      await assertAbsent(own, history, ENTITIES.business, withoutConsumer);
      const withBusiness = { ...withoutConsumer, business: await own.arrange.need("business") };
      const owned = await ask(HISTORY, withBusiness, NOT_CRA);
      const needed = `${HISTORY}.business-required`;
      await t.judgeRefusedSomehow(needed, "a customer without a business", [history, owned], withoutConsumer);
      const cra = await ask(HISTORY, withBusiness, CRA);
      await assertAbsent(own, cra, ENTITIES.personal, withBusiness);
      const all = { ...withBusiness, consumer: await own.arrange.need("consumer") };
      const pair = [cra, await ask(HISTORY, all, CRA)] as const;
      await t.judgeRefusedSomehow(`${HISTORY}.consumer-required-for-cra`, NO_CONSUMER, pair, withBusiness);
      for (const [operationId, probe] of probes) {
        const both = [probe, await ask(operationId, all)] as const;
        const free = NOBODY.get(operationId);
        const requirement = operationId === PERSONAL ? `${PERSONAL}.consumer-required` : WITHOUT_CONSUMER;
        if (free === undefined) await t.judgeRefusedSomehow(requirement, NO_CONSUMER, both, withoutConsumer);
        else t.judgeAccepted(free, `${operationId} for ${NO_CONSUMER}`, both);
      }
    },
  }),

  scenario("reports/security-freeze", {
    title: "reports on a consumer with a security freeze are refused with 403",
    operations: GENERATORS,
    requirements: [FREEZE],
    async run(t) {
      const frozen = await t.situation("security-freeze", "a consumer under a security freeze");
      for (const operationId of t.inFocus(t.someOf(GENERATORS))) {
        await t.attempt(FREEZE, async () => {
          const probe = await t.generationOf({ operationId }, frozen);
          const control = await t.generationOf({ operationId });
          t.judgeRefused(FREEZE, "a consumer with a security freeze", [probe, control], [403]);
        });
      }
    },
  }),

  scenario("reports/entity-by-user-type", {
    title: "the user type determines whether analytics create a consumer or a business",
    operations: ["GenerateBalanceAnalyticsReport", "GenerateCashflowAnalyticsReport"],
    requirements: ["analytics.entity-by-userType"],
    async run(t) {
      // The sentence in the document may also mean that the client must create them first.
      if (!t.isConfirmed())
        throw new NotTried("left-open", "the documents leave open who creates the consumer or the business");
      for (const operationId of ["GenerateBalanceAnalyticsReport", "GenerateCashflowAnalyticsReport"]) {
        for (const userType of ["personal", "business"]) await judgeCreated(t, operationId, userType);
      }
    },
  }),
];

const NO_CONSUMER = "a customer without a consumer";

/** Returns the operations that need a consumer, as the document states. */
const needConsumer = ({ contract }: T): string[] =>
  (contract.requirements.find((one) => one.id === id(WITHOUT_CONSUMER))?.operations ?? []).filter(
    (operationId) => operationId !== PERSONAL && operationId !== HISTORY && GENERATORS.includes(operationId),
  );

const ENTITIES = { personal: "GetConsumerForCustomer", business: "GetBusinessByCustomer" };

/** Whether the answer shows a consumer or a business. */
const isThere = (exchange: Exchange): boolean =>
  isAccepted(exchange) && JSON.stringify(contentOf(exchange)) !== "[]";

/** @throws NotTried when the customer has the consumer or the business that the accepted probe should lack */
const assertAbsent = async (
  t: T,
  probe: Exchange,
  operation: string,
  resources: Resources,
): Promise<void> => {
  const read = () => t.answered(operation, resources);
  if (!(await t.isStillAbsent(probe, read, isThere)))
    throw new NotTried("not-arranged", `a new customer already has what ${operation} returns`);
};

const judgeCreated = async (t: T, operationId: string, userType: string): Promise<void> => {
  const own = { ...t, arrange: t.arrange.exclusive() };
  const resources = { customer: await own.arrange.need("customer"), consumer: "none", business: "none" };
  const call = await own.generationCall({ operationId }, resources);
  const made = await t.send({ ...call, path: { ...call.path, userType } });
  if (!isAccepted(made)) return;
  for (const [type, operation] of Object.entries(ENTITIES)) {
    const read = await t.readUntil(
      () => own.answered(operation, resources),
      (exchange) => isThere(exchange) === (type === userType),
    );
    if (!isAccepted(read) && statusOf(read) !== 404) continue;
    const there = isThere(read);
    t.judgeThat("analytics.entity-by-userType", there === (type === userType), [read, made], {
      message: `after ${operationId} of the user type ${userType}, ${operation} finds ${there ? "one" : "none"}`,
      expected: type === userType ? "one was created" : "none was created",
    });
  }
};
