/** Violations of what report retrieval and reseller billing promise. */
import type { Bend } from "../../../engine/faults/fault.ts";
import { behaviour, json, refusesParameter, rowsOf, status } from "../../../engine/faults/fault-rows.ts";

const SINGLE = ["GetReportById", "GetReportByCustomer", "GetReportByConsumer"];
const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const FREEZING = [...SINGLE, ...LISTS, "ReportReissue", "GetPortfolioByCustomer", "GetPortfolioByConsumer"];

const all = (operations: readonly string[], bends: (operationId: string) => readonly Bend[]): Bend[] =>
  operations.flatMap(bends);

const become = (operations: readonly string[], from: number, to: number): Bend[] =>
  all(operations, (operationId) => status(to, { operationId, status: from }));

const accepts = Object.fromEntries(
  SINGLE.flatMap((operationId) => [
    [`${operationId}.accept-json`, { pdf: behaviour(`reports-json-as-pdf-${operationId}`) }],
    [`${operationId}.accept-pdf`, { json: behaviour(`reports-pdf-as-json-${operationId}`) }],
    [`${operationId}.accept-default-json`, { pdf: behaviour(`reports-pdf-by-default-${operationId}`) }],
  ]),
);

export const reportRetrievalFaults = rowsOf({
  ...accepts,
  "reports.fetched-by-report-id": {
    "not-found": become(SINGLE, 200, 404),
    "another-report": all(SINGLE, (operationId) => json({ operationId, status: 200 }, "/id", "1000000000")),
  },
  "reports.status-enum": {
    another: [
      ...all(SINGLE, (operationId) => json({ operationId, status: 200 }, "/status", "done")),
      ...all(LISTS, (operationId) => json({ operationId, status: 200 }, "/reports/*/status", "done")),
    ],
  },
  "reports.get.purpose-parameter": {
    refused: all([...SINGLE, ...LISTS], (operationId) => refusesParameter(operationId, "purpose")),
  },
  "reports.get.on-behalf-of-parameter": {
    refused: all(SINGLE, (operationId) => refusesParameter(operationId, "onBehalfOf")),
  },
  "consumer.persists-after-customer-deletion": {
    "reports-lost": behaviour("reports-lost-with-customer"),
  },
  "reports.lists.429": {
    accepted: behaviour("reports-limit-ignored"),
    unavailable: become(LISTS, 429, 503),
  },
  "errors.403-security-freeze-on-retrieval": {
    accepted: behaviour("reports-read-despite-freeze"),
    "not-found": become(FREEZING, 403, 404),
  },
  "ReportReissue.lender-required": { "missing-accepted": behaviour("missing-body-accepted") },
  "ReportReissue.third-party-retrieval": { "own-only": behaviour("reports-reissue-own-only") },
  "ReportReissue.by-report-id-and-purpose": {
    "purpose-refused": [
      { kind: "request", of: "ReportReissue", pointer: "/purpose", edit: { forbid: true } },
    ],
  },
  // The purpose is optional up to a date that has passed: no fault shows any more.
  "ReportReissue.purpose-required-by-2026-04-30": {
    "not-demanded": behaviour("reports-purpose-never-required"),
  },
  "portfolios.most-recent-per-type": {
    all: behaviour("reports-portfolio-of-all"),
    oldest: behaviour("reports-portfolio-oldest"),
  },
  "getResellerBillingReport.range-max-31-days": { "any-range": behaviour("billing-any-range") },
  "getResellerBillingReport.size-default-100": { fifty: behaviour("billing-size-50") },
  "getResellerBillingReport.page-zero-based": { "from-one": behaviour("billing-pages-from-one") },
  "getResellerBillingReport.page-default-0": { "second-page": behaviour("billing-second-page") },
  "getResellerBillingReport.viewTestingReports-default-false": {
    true: behaviour("billing-testing-by-default"),
  },
  "getResellerBillingReport.viewTestingReports-false-active-only": {
    "testing-too": behaviour("billing-testing-always"),
  },
  "getResellerBillingReport.reseller-reads-customer-partners": { "own-only": behaviour("billing-own-only") },
});
