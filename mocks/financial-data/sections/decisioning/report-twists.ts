/** How reports, their lists and their portfolios can go wrong once there are several. */

import { refused } from "../../answers.ts";
import { pathValue } from "../../found.ts";
import { portfolioEntry } from "../../reporting/content.ts";
import { afterwards, type Listed, listing, on, type TwistTable } from "../../twists.ts";
import { type Report, reportById, reportsOf } from "../../world/reports.ts";
import type { World } from "../../world/world.ts";

const GENERATE = ["GenerateVOAReport", "GenerateVOIReport"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const SINGLE = ["GetReportById", "GetReportByCustomer", "GetReportByConsumer"];

/** Reports of the same type about the same customer, oldest first. */
const siblings = (world: World, { customerId, type }: Report): readonly Report[] =>
  reportsOf(world, customerId).filter((report) => report.type === type);

const isOlder = (world: World, report: Report): boolean => siblings(world, report).at(-1) !== report;

const reportOf = (world: World, { id }: Listed): Report | undefined => reportById(world, String(id));

export const REPORT_TWISTS: TwistTable = {
  "portfolios.most-recent-per-type": {
    "third-report-not-in-portfolio": on(
      PORTFOLIOS,
      listing("reports", (items, world) =>
        items.map((item) => {
          const report = reportOf(world, item);
          const second = report === undefined ? undefined : siblings(world, report)[1];
          return second === undefined || second === report ? item : portfolioEntry(second);
        }),
      ),
    ),
    "second-report-hides-other-types": on(
      PORTFOLIOS,
      listing("reports", (items, world) => {
        const doubled = items.find((item) => {
          const report = reportOf(world, item);
          return report !== undefined && siblings(world, report).length > 1;
        });
        return doubled === undefined ? items : [doubled];
      }),
    ),
  },
  "reports.fetched-by-report-id": {
    "older-report-lost": on(SINGLE, (world, call, handle) => {
      const report = reportById(world, pathValue(call, "reportId"));
      if (report === undefined || !isOlder(world, report)) return handle();
      throw refused("unknown-report");
    }),
  },
  "sequences.reports-stay-ended": {
    "next-report-restarts-older-ones": on(
      GENERATE,
      afterwards((world, call) => {
        for (const report of reportsOf(world, pathValue(call, "customerId"))) report.status = "inProgress";
      }),
    ),
  },
  "sequences.lists-agree": {
    "report-list-of-newest-only": {
      GetReportsByCustomerId: listing("reports", (items, world) =>
        items.filter((item) => {
          const report = reportOf(world, item);
          return report === undefined || !isOlder(world, report);
        }),
      ),
    },
    "report-list-of-consumer-lags": {
      GetReportsByConsumerId: listing("reports", (items) => (items.length > 2 ? items.slice(0, -1) : items)),
    },
  },
};
