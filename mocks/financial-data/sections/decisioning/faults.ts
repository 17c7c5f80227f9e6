/** The faults of report generation, report retrieval and reseller billing. */
import {
  json,
  refusesField,
  refusesParameter,
  rowsOf,
  statusOfEach,
} from "../../../engine/deviations/rows.ts";
import { REPORT_KINDS } from "../../reporting/kinds.ts";

const GENERATIONS = Object.keys(REPORT_KINDS);
const WITH_SBCA = [...GENERATIONS, "GenerateSBCAMetricsReport"];
const NO_ACCOUNT = [
  "GenerateVOAReport",
  "GenerateVOAWithIncomeReport",
  "GeneratePrequalificationCRAReport",
  "GeneratePrequalificationNonCRAReport",
  "GenerateVOIReport",
];
const ANALYTICS = [
  "GenerateBalanceAnalyticsReport",
  "GenerateCashflowAnalyticsReport",
  "GeneratePaymentHistoryReport",
];
const FORESIGHT = [
  "GenerateForesightAnalyticsNonCraReport",
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport",
];
const EITHER = "GenerateForesightAnalyticsFirstThirdPartyNonCraReport";

const SINGLE = ["GetReportById", "GetReportByCustomer", "GetReportByConsumer"];
const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const FREEZING = [...SINGLE, ...LISTS, "ReportReissue", "GetPortfolioByCustomer", "GetPortfolioByConsumer"];

const anyType = (operations: readonly string[]) =>
  operations.map((operationId) => `reports-any-type-${operationId}` as const);

const narrow = (operations: readonly string[]) =>
  operations.map((operationId) => `reports-narrow-${operationId}` as const);

const longer = (operationId: string) => ({ longer: `reports-long-history-${operationId}` as const });

const TABLE = rowsOf({
  "reports.asynchronous": { "complete-at-once": "reports-complete-at-once" },
  "reports.generate-answers-202": { ok: statusOfEach(GENERATIONS, 202, 200) },
  "reports.generate.callback-url-parameter": {
    refused: refusesParameter(WITH_SBCA, "callbackUrl"),
  },
  "reports.callback-on-completion": { silent: "reports-no-callback", early: "reports-callback-early" },
  "reports.generate.403-security-freeze": {
    accepted: "reports-freeze-ignored",
    "bad-request": statusOfEach(GENERATIONS, 403, 400),
  },
  "consumers.report-without-consumer-refused": { accepted: "reports-without-consumer" },
  "reports.no-eligible-account-400": {
    accepted: anyType(NO_ACCOUNT),
    "not-found": statusOfEach(NO_ACCOUNT, 400, 404, ["no-eligible-account"]),
  },
  "analytics.no-eligible-account-400": {
    accepted: anyType(ANALYTICS),
    "not-found": statusOfEach(ANALYTICS, 400, 404, ["no-eligible-account"]),
  },
  "GenerateVOAReport.account-types": {
    "any-type": anyType(["GenerateVOAReport"]),
    "investment-refused": narrow(["GenerateVOAReport"]),
  },
  "GenerateVOIReport.account-types": {
    "any-type": anyType(["GenerateVOIReport"]),
    "money-market-refused": narrow(["GenerateVOIReport"]),
  },
  "foresightAnalytics.account-types": {
    "any-type": anyType(FORESIGHT),
    "savings-refused": narrow(FORESIGHT),
  },
  "GenerateVOAReport.history-12-months": longer("GenerateVOAReport"),
  "GenerateVOAWithIncomeReport.history-24-months": longer("GenerateVOAWithIncomeReport"),
  "GenerateVOIReport.history-two-years": longer("GenerateVOIReport"),
  "GenerateVOAWithIncomeReport.default-history-61-days": { "91-days": "reports-usual-91-days" },
  "GenerateVOAWithIncomeReport.fromDate-changes-history": { ignored: "reports-from-date-ignored" },
  "GenerateVOAWithIncomeReport.income-credits-24-months": {
    "within-history": "reports-income-within-history",
  },
  "GenerateVOAWithIncomeReport.incomeFromDate": { ignored: "reports-income-from-date-ignored" },
  "payStatementReports.asset-ids": {
    refused: "reports-no-asset",
    "any-accepted": "reports-any-asset",
  },
  "GenerateVOETransactionsReport.no-amounts": { amounts: "reports-voe-amounts" },
  "RefreshVOIEPayrollReport.generated-by-connect": {
    "not-generated": "reports-no-payroll-from-connect",
  },
  "RefreshVOIEPayrollReport.refresh-only": { creates: "reports-refresh-creates" },
  "GenerateTransactionsReport.include-pending": {
    refused: refusesParameter("GenerateTransactionsReport", "includePending"),
  },
  "GenerateTransactionsReport.window-24-months": { "any-window": "reports-any-window" },
  "GeneratePaymentHistoryReport.business-required": { accepted: "reports-without-business" },
  "GeneratePaymentHistoryReport.consumer-required-for-cra": {
    accepted: "reports-history-without-consumer",
  },
  "GenerateCashFlowBusinessReport.no-consumer": { demanded: "reports-cfrb-needs-consumer" },
  "GenerateCashFlowPersonalReport.consumer-required": {
    accepted: "reports-cfrp-without-consumer",
  },
  "analytics.entity-by-userType": {
    "nobody-created": "reports-create-nobody",
    "the-other-created": "reports-create-the-other",
  },
  "foresightAnalytics.no-consumer": { demanded: "reports-foresight-needs-consumer" },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.customerId": {
    refused: refusesField(EITHER, "/customerId"),
  },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.externalCustomerId": {
    refused: refusesField(EITHER, "/externalCustomerId"),
  },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.both-ids": {
    refused: "reports-either-id",
  },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.fetched-by-report-id": {
    "not-found": "reports-foresight-not-fetched",
  },
  "reports.fetched-by-report-id": {
    "not-found": statusOfEach(SINGLE, 200, 404),
    "another-report": SINGLE.flatMap((operationId) =>
      json({ operationId, status: 200 }, "/id", "1000000000"),
    ),
  },
  "reports.status-enum": {
    another: [
      ...SINGLE.flatMap((operationId) => json({ operationId, status: 200 }, "/status", "done")),
      ...LISTS.flatMap((operationId) => json({ operationId, status: 200 }, "/reports/*/status", "done")),
    ],
  },
  "reports.get.purpose-parameter": {
    refused: refusesParameter([...SINGLE, ...LISTS], "purpose"),
  },
  "reports.get.on-behalf-of-parameter": {
    refused: refusesParameter(SINGLE, "onBehalfOf"),
  },
  "consumer.persists-after-customer-deletion": {
    "reports-lost": "reports-lost-with-customer",
  },
  "reports.lists.429": {
    accepted: "reports-limit-ignored",
    unavailable: statusOfEach(LISTS, 429, 503),
  },
  "errors.403-security-freeze-on-retrieval": {
    accepted: "reports-read-despite-freeze",
    "not-found": statusOfEach(FREEZING, 403, 404),
  },
  "ReportReissue.lender-required": { "missing-accepted": "missing-body-accepted" },
  "ReportReissue.third-party-retrieval": { "own-only": "reports-reissue-own-only" },
  "ReportReissue.by-report-id-and-purpose": {
    "purpose-refused": refusesField("ReportReissue", "/purpose"),
  },
  // The purpose was optional until a date in the past, so no test can detect a fault that required it earlier.
  "ReportReissue.purpose-required-by-2026-04-30": {
    "not-demanded": "reports-purpose-never-required",
  },
  "portfolios.most-recent-per-type": {
    all: "reports-portfolio-of-all",
    oldest: "reports-portfolio-oldest",
  },
  "getResellerBillingReport.range-max-31-days": { "any-range": "billing-any-range" },
  "getResellerBillingReport.size-default-100": { fifty: "billing-size-50" },
  "getResellerBillingReport.page-zero-based": { "from-one": "billing-pages-from-one" },
  "getResellerBillingReport.page-default-0": { "second-page": "billing-second-page" },
  "getResellerBillingReport.viewTestingReports-default-false": {
    true: "billing-testing-by-default",
  },
  "getResellerBillingReport.viewTestingReports-false-active-only": {
    "testing-too": "billing-testing-always",
  },
  "getResellerBillingReport.reseller-reads-customer-partners": { "own-only": "billing-own-only" },
});

export const REPORT_FAULTS = [
  ...TABLE,
  ...SINGLE.flatMap((operationId) =>
    rowsOf({
      [`${operationId}.accept-json`]: {
        pdf: `reports-json-as-pdf-${operationId}`,
        "pdf-of-other-kinds": `reports-others-as-pdf-${operationId}`,
      },
      [`${operationId}.accept-pdf`]: { json: `reports-pdf-as-json-${operationId}` },
      [`${operationId}.accept-default-json`]: { pdf: `reports-pdf-by-default-${operationId}` },
    }),
  ),
];
