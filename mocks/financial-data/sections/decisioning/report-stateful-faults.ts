/** Stateful faults of reports, their lists and portfolios, visible when there are several reports. */
import type { Fields } from "../../../engine/values/fields.ts";
import { refused } from "../../answers.ts";
import { pathValue } from "../../found.ts";
import { portfolioEntry } from "../../reporting/content.ts";
import { type Report, reportById, reportsOf } from "../../state/reports.ts";
import type { State } from "../../state/state.ts";
import { afterwards, listing, on, type StatefulFaultTable } from "../../stateful-faults.ts";

const GENERATE = ["GenerateVOAReport", "GenerateVOIReport"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const SINGLE = ["GetReportById", "GetReportByCustomer", "GetReportByConsumer"];

/** Returns the reports of the same type about the same customer, oldest first. */
const siblings = (state: State, { customerId, type }: Report): readonly Report[] =>
  reportsOf(state, customerId).filter((report) => report.type === type);

const isOlder = (state: State, report: Report): boolean => siblings(state, report).at(-1) !== report;

const reportOf = (state: State, { id }: Fields): Report | undefined => reportById(state, String(id));

export const REPORT_STATEFUL_FAULTS: StatefulFaultTable = {
  "portfolios.most-recent-per-type": {
    "third-report-not-in-portfolio": on(
      PORTFOLIOS,
      listing("reports", (items, state) =>
        items.map((item) => {
          const report = reportOf(state, item);
          const second = report === undefined ? undefined : siblings(state, report)[1];
          return second === undefined || second === report ? item : portfolioEntry(second);
        }),
      ),
    ),
    "second-report-hides-other-types": on(
      PORTFOLIOS,
      listing("reports", (items, state) => {
        const doubled = items.find((item) => {
          const report = reportOf(state, item);
          return report !== undefined && siblings(state, report).length > 1;
        });
        return doubled === undefined ? items : [doubled];
      }),
    ),
  },
  "reports.fetched-by-report-id": {
    "older-report-lost": on(SINGLE, (state, call, handle) => {
      const report = reportById(state, pathValue(call, "reportId"));
      if (report === undefined || !isOlder(state, report)) return handle();
      throw refused("unknown-report");
    }),
  },
  "sequences.reports-stay-ended": {
    "next-report-restarts-older-ones": on(
      GENERATE,
      afterwards((state, call) => {
        for (const report of reportsOf(state, pathValue(call, "customerId"))) report.status = "inProgress";
      }),
    ),
  },
  "sequences.lists-agree": {
    "report-list-of-newest-only": {
      GetReportsByCustomerId: listing("reports", (items, state) =>
        items.filter((item) => {
          const report = reportOf(state, item);
          return report === undefined || !isOlder(state, report);
        }),
      ),
    },
    "report-list-of-last-one": on(
      ["GetReportsByCustomerId", "GetReportsByConsumerId"],
      listing("reports", (items) => items.slice(-1)),
    ),
    "report-list-of-consumer-lags": {
      GetReportsByConsumerId: listing("reports", (items) => (items.length > 2 ? items.slice(0, -1) : items)),
    },
  },
};
