/** What some reports are made from: pay statements that were stored, and the payroll that a connect flow leads to. */

import { answerTo } from "../../../fixtures/financial-data/asking.ts";
import { accepted, answered, fieldOf, itemsIn, situation } from "../../../fixtures/financial-data/calls.ts";
import { attempt, conclude, recordPair } from "../../../fixtures/financial-data/conclude.ts";
import {
  GENERATION_SECTION,
  isNew,
  judgeTaken,
  REFUSALS,
} from "../../../fixtures/financial-data/reporting.ts";
import {
  follow,
  generate,
  generationCall,
  reportsOfSession,
} from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkRefused } from "../../../helpers/checks/refusal.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

const REFRESH = "RefreshVOIEPayrollReport";
const STORED = [
  "GeneratePayStatementReport",
  "GenerateVOIEPaystubWithTXVerifyReport",
  "GenerateVOIEPaystubReport",
];

export const reportSourceScenarios: readonly Trial[] = [
  scenario(
    {
      id: "reports/stored-pay-statements",
      title: "pay statement reports take the ids of stored pay statements and no others",
      section: GENERATION_SECTION,
      operations: STORED,
      requirements: ["payStatementReports.asset-ids"],
    },
    async (context) => {
      const stored = (await reportsOfSession(context)).filter(({ operationId }) =>
        STORED.includes(operationId),
      );
      for (const { operationId, ack, missing } of stored) {
        if (ack === undefined) throw new NotTried(missing ?? "no pay statement was stored");
        if (
          !judgeTaken(
            context,
            "payStatementReports.asset-ids",
            `${operationId} for a stored pay statement`,
            ack,
          )
        )
          continue;
        const asset = "7".repeat((await context.arrange.need("asset")).length);
        const [other] = await follow(context, [await generate(context, { operationId }, { asset })]);
        const holds = other?.ack !== undefined && (!isAccepted(other.ack) || other.polled?.end === "failure");
        if (other?.ack === undefined || (!holds && other.polled?.end !== "success")) continue;
        const finding = {
          message: `${operationId} made a report of a pay statement that was not stored`,
          expected: "refused, or a failure",
          actual: `${statusOf(other.ack)}`,
        };
        conclude(context, "payStatementReports.asset-ids", { holds, certain: true, finding }, [
          other.ack,
          ack,
        ]);
      }
    },
  ),

  scenario(
    {
      id: "reports/payroll",
      title: "a payroll report comes with the connect flow and can then be refreshed",
      section: GENERATION_SECTION,
      operations: [REFRESH, "GetReportsByCustomerId"],
      requirements: [`${REFRESH}.generated-by-connect`, `${REFRESH}.refresh-only`],
    },
    async (context) => {
      await attempt(context, [`${REFRESH}.refresh-only`], async () => {
        const need = "a customer without a payroll report";
        const bare = await situation(context, "bare-customer", need, {
          consumer: true,
        });
        const without = having(context.arrange.apart(), { ...bare, consumer: "its own" });
        const probe = await answerTo(
          context,
          await generationCall({ ...context, arrange: without }, { operationId: REFRESH }),
        );
        const there = await situation(context, "payroll-report", "a customer with a payroll report");
        const twin = await answered(context, REFRESH, there);
        const what = { what: "a refresh of a payroll report that does not exist", pointer: "" };
        recordPair(context, `${REFRESH}.refresh-only`, checkRefused(what, probe, twin, REFUSALS), [
          probe,
          twin,
        ]);
      });
      // Accounts are linked there as a completed connect flow with a payroll source links them.
      if (!context.capabilities.has("linked-accounts"))
        throw new NotTried("needs a completed connect flow with a payroll source");
      const own = context.arrange.apart();
      const customer = await own.need("customer");
      await own.need("consumer");
      const list = await accepted(context, "GetReportsByCustomerId", { customer });
      const [type] =
        context.contract.operations.find(({ operationId }) => operationId === REFRESH)?.reportType ?? [];
      const holds = itemsIn(context, list).some((item) => fieldOf(item, "type") === type);
      const finding = {
        message: "the connect flow left no payroll report",
        expected: `a report of type ${type}`,
        actual: "none",
      };
      conclude(context, `${REFRESH}.generated-by-connect`, { holds, certain: isNew(context), finding }, [
        list,
      ]);
    },
  ),
];
