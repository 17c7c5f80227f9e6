/** The sources of some reports: stored pay statements, and the payroll source of a connect flow. */

import { reportTypesOf } from "../../../fixtures/financial-data/operation-data.ts";
import { GENERATION_SECTION, REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import { follow, generate, generated, reportsOfSession } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { attempt } from "../../../helpers/trials/kit/attempt.ts";
import { situation } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed, operationOf } from "../../../helpers/trials/kit/names.ts";
import { fieldOf, itemsIn } from "../../../helpers/trials/kit/reading.ts";
import {
  judgeAcceptedCall,
  judgeRefused,
  judgeThat,
  recordIfConfirmed,
} from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

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

export const reportSourceScenarios: readonly Trial[] = [
  scenario({
    id: "reports/stored-pay-statements",
    title: "pay statement reports accept only the ids of stored pay statements",
    operations: STORED,
    requirements: [ASSETS],
    async run(context) {
      for (const { operationId, ack, missing } of await reportsOfSession(context)) {
        if (!STORED.includes(operationId)) continue;
        if (ack === undefined) throw new NotTried(missing ?? "no pay statement was stored");
        if (!judgeAcceptedCall(context, ASSETS, `${operationId} for a stored pay statement`, ack)) continue;
        const asset = "7".repeat((await context.arrange.need("asset")).length);
        const [other] = await follow(context, [await generate(context, { operationId }, { asset })]);
        const holds = other?.ack !== undefined && (!isAccepted(other.ack) || other.polled?.end === "failure");
        if (other?.ack === undefined || (!holds && other.polled?.end !== "success")) continue;
        judgeThat(context, ASSETS, holds, [other.ack, ack], {
          message: `${operationId} generated a report from a pay statement that was not stored`,
          expected: "a refusal, or a failed report",
        });
      }
    },
  }),

  scenario({
    id: "reports/payroll",
    title: "the connect flow generates a payroll report, which can then be refreshed",
    operations: [REFRESH, "GetReportsByCustomerId"],
    requirements: [BY_CONNECT, REFRESH_ONLY],
    async run(context) {
      await attempt(context, REFRESH_ONLY, async () => {
        const need = "a customer without a payroll report";
        const bare = await situation(context, "bare-customer", need, CONSUMER_ONLY);
        const without = having(context.arrange.exclusive(), { ...bare, consumer: "its own" });
        const probe = await generated({ ...context, arrange: without }, { operationId: REFRESH });
        const there = await situation(context, "payroll-report", "a customer with a payroll report");
        const control = await answered(context, REFRESH, there);
        const what = "a refresh of a payroll report that does not exist";
        judgeRefused(context, REFRESH_ONLY, what, [probe, control], REFUSALS);
      });
      // Such a target links accounts as a completed connect flow with a payroll source does.
      if (!context.capabilities.has("linked-accounts"))
        throw new NotTried("needs a completed connect flow with a payroll source");
      const own = context.arrange.exclusive();
      const customer = await own.need("customer");
      await own.need("consumer");
      const [type] = reportTypesOf(operationOf(context, REFRESH));
      const isListed = (exchange: Exchange): boolean =>
        itemsIn(context, exchange).some((item) => fieldOf(item, "type") === type);
      const list = await readUntil(
        context,
        () => accepted(context, "GetReportsByCustomerId", { customer }),
        isListed,
      );
      recordIfConfirmed(context, BY_CONNECT, isListed(list), [list], {
        confirmed: isConfirmed(context),
        message: "the connect flow generated no payroll report",
        expected: `a report of type ${type}`,
        actual: "none",
      });
    },
  }),
];
