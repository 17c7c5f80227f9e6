/** The sources of some reports: stored pay statements, and the payroll source of a connect flow. */
import { reportTypesOf } from "../../../fixtures/financial-data/operation-data.ts";
import { GENERATION_SECTION, REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { because, fieldOf, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const ASSETS = "payStatementReports.asset-ids";
const REFRESH = "RefreshVOIEPayrollReport";
const REFRESH_ONLY = `${REFRESH}.refresh-only`;
const BY_CONNECT = `${REFRESH}.generated-by-connect`;
const STORED = [
  "GeneratePayStatementReport",
  "GenerateVOIEPaystubWithTXVerifyReport",
  "GenerateVOIEPaystubReport",
];

const CONSUMER_ONLY = { accounts: [], consumer: true, business: false };

export const reportSourceScenarios = [
  scenario("reports/stored-pay-statements", {
    title: "pay statement reports accept only the ids of stored pay statements",
    operations: STORED,
    requirements: [ASSETS],
    async run(t) {
      for (const { operationId, ack, missing } of await t.reportsOfSession()) {
        if (!STORED.includes(operationId)) continue;
        if (ack === undefined) throw new NotTried(missing ?? because("lacks", "a stored pay statement"));
        if (!t.judgeAcceptedCall(ASSETS, `${operationId} for a stored pay statement`, ack)) continue;
        const asset = "7".repeat((await t.arrange.need("asset")).length);
        const [other] = await t.followReports([await t.generate({ operationId }, { asset })]);
        const holds = other?.ack !== undefined && (!isAccepted(other.ack) || other.polled?.end === "failure");
        if (other?.ack === undefined || (!holds && other.polled?.end !== "success")) continue;
        t.judgeThat(ASSETS, holds, [other.ack, ack], {
          message: `${operationId} generated a report from a pay statement that was not stored`,
          expected: "a refusal, or a failed report",
        });
      }
    },
  }),

  scenario("reports/payroll", {
    title: "the connect flow generates a payroll report, which can then be refreshed",
    operations: [REFRESH, "GetReportsByCustomerId"],
    requirements: [BY_CONNECT, REFRESH_ONLY],
    async run(t) {
      await t.attempt(REFRESH_ONLY, async () => {
        const need = "a customer without a payroll report";
        const bare = await t.situation("bare-customer", need, CONSUMER_ONLY);
        const without = having(t.arrange.exclusive(), { ...bare, consumer: "its own" });
        const own = { ...t, arrange: without };
        const probe = await own.generationOf({ operationId: REFRESH });
        const there = await t.situation("payroll-report", "a customer with a payroll report");
        const control = await t.answered(REFRESH, there);
        const what = "a refresh of a payroll report that does not exist";
        t.judgeRefused(REFRESH_ONLY, what, [probe, control], REFUSALS);
      });
      // Such a target links accounts as a completed connect flow with a payroll source does.
      if (!t.capabilities.has("linked-accounts"))
        throw new NotTried("lacks", "a completed connect flow with a payroll source");
      const own = t.arrange.exclusive();
      const customer = await own.need("customer");
      await own.need("consumer");
      const [type] = reportTypesOf(t.operationOf(REFRESH));
      const isListed = (exchange: Exchange): boolean =>
        t.itemsIn(exchange).some((item) => fieldOf(item, "type") === type);
      const list = await t.readUntil(() => t.accepted("GetReportsByCustomerId", { customer }), isListed);
      t.recordIfConfirmed(BY_CONNECT, isListed(list), [list], {
        message: "the connect flow generated no payroll report",
        expected: `a report of type ${type}`,
        actual: "none",
      });
    },
  }),
];
