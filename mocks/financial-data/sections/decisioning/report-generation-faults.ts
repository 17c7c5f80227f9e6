/** Violations of what report generation promises. */
import type { Bend } from "../../../engine/faults/fault.ts";
import { behaviour, refusesParameter, rowsOf, status } from "../../../engine/faults/fault-rows.ts";
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

const all = (operations: readonly string[], bends: (operationId: string) => readonly Bend[]): Bend[] =>
  operations.flatMap(bends);

const become = (operations: readonly string[], from: number, to: number, cause?: readonly string[]): Bend[] =>
  all(operations, (operationId) => status(to, { operationId, status: from, ...(cause && { cause }) }));

const anyType = (operations: readonly string[]): Bend[] =>
  all(operations, (operationId) => behaviour(`reports-any-type-${operationId}`));

const narrow = (operations: readonly string[]): Bend[] =>
  all(operations, (operationId) => behaviour(`reports-narrow-${operationId}`));

const refusesField = (operationId: string, name: string): Bend[] => [
  { kind: "request", of: operationId, pointer: `/${name}`, edit: { forbid: true } },
];

const longer = (operationId: string) => ({ longer: behaviour(`reports-long-history-${operationId}`) });

const BY_USER_TYPE = ["GenerateBalanceAnalyticsReport", "GenerateCashflowAnalyticsReport", ...FORESIGHT];

const userTypes = Object.fromEntries(
  BY_USER_TYPE.map((operationId) => [
    `${operationId}.parameter.userType.enum`,
    { "not-enforced": behaviour(`reports-any-user-type-${operationId}`) },
  ]),
);

export const reportGenerationFaults = rowsOf({
  ...userTypes,
  "reports.asynchronous": { "complete-at-once": behaviour("reports-complete-at-once") },
  "reports.generate-answers-202": { ok: become(GENERATIONS, 202, 200) },
  "reports.generate.callback-url-parameter": {
    refused: all(WITH_SBCA, (operationId) => refusesParameter(operationId, "callbackUrl")),
  },
  "reports.callback-on-completion": { silent: behaviour("reports-no-callback") },
  "reports.generate.403-security-freeze": {
    accepted: behaviour("reports-freeze-ignored"),
    "bad-request": become(GENERATIONS, 403, 400),
  },
  "consumers.report-without-consumer-refused": { accepted: behaviour("reports-without-consumer") },
  "reports.no-eligible-account-400": {
    accepted: anyType(NO_ACCOUNT),
    "not-found": become(NO_ACCOUNT, 400, 404, ["no-eligible-account"]),
  },
  "analytics.no-eligible-account-400": {
    accepted: anyType(ANALYTICS),
    "not-found": become(ANALYTICS, 400, 404, ["no-eligible-account"]),
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
  "GenerateVOAWithIncomeReport.default-history-61-days": { "91-days": behaviour("reports-usual-91-days") },
  "GenerateVOAWithIncomeReport.fromDate-changes-history": { ignored: behaviour("reports-from-date-ignored") },
  "GenerateVOAWithIncomeReport.income-credits-24-months": {
    "within-history": behaviour("reports-income-within-history"),
  },
  "GenerateVOAWithIncomeReport.incomeFromDate": { ignored: behaviour("reports-income-from-date-ignored") },
  "payStatementReports.asset-ids": {
    refused: behaviour("reports-no-asset"),
    "any-accepted": behaviour("reports-any-asset"),
  },
  "GenerateVOETransactionsReport.no-amounts": { amounts: behaviour("reports-voe-amounts") },
  "RefreshVOIEPayrollReport.generated-by-connect": {
    "not-generated": behaviour("reports-no-payroll-from-connect"),
  },
  "RefreshVOIEPayrollReport.refresh-only": { creates: behaviour("reports-refresh-creates") },
  "GenerateTransactionsReport.include-pending": {
    refused: refusesParameter("GenerateTransactionsReport", "includePending"),
  },
  "GenerateTransactionsReport.window-24-months": { "any-window": behaviour("reports-any-window") },
  "GeneratePaymentHistoryReport.business-required": { accepted: behaviour("reports-without-business") },
  "GeneratePaymentHistoryReport.consumer-required-for-cra": {
    accepted: behaviour("reports-history-without-consumer"),
  },
  "GenerateCashFlowBusinessReport.no-consumer": { demanded: behaviour("reports-cfrb-needs-consumer") },
  "GenerateCashFlowPersonalReport.consumer-required": {
    accepted: behaviour("reports-cfrp-without-consumer"),
  },
  "analytics.entity-by-userType": {
    "nobody-created": behaviour("reports-create-nobody"),
    "the-other-created": behaviour("reports-create-the-other"),
  },
  "foresightAnalytics.no-consumer": { demanded: behaviour("reports-foresight-needs-consumer") },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.customerId": {
    refused: refusesField(EITHER, "customerId"),
  },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.externalCustomerId": {
    refused: refusesField(EITHER, "externalCustomerId"),
  },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.both-ids": {
    refused: behaviour("reports-either-id"),
  },
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport.fetched-by-report-id": {
    "not-found": behaviour("reports-foresight-not-fetched"),
  },
});
