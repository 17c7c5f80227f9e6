/** Permitted differences in reports: their statuses, their prerequisites, their retrieval and their billing. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { json, remove, status, switched } from "../../../engine/deviations/rows.ts";
import { parametersOf } from "../../../engine/parameters.ts";
import { REPORT_KINDS } from "../../reporting/kinds.ts";
import { SHARED } from "../../shared-requirements.ts";

const BILLING = "getResellerBillingReport";
const BY_ID = "GetReportById";
const METRICS = "GenerateSBCAMetricsReport";
const READS = [BY_ID, "GetReportByCustomer", "GetReportByConsumer"];
const GENERATIONS = Object.keys(REPORT_KINDS);
const generating = <const Name extends string>(name: Name, what: string, gap: string, group?: string) =>
  ({ ...switched(name, what, gap, group), operations: GENERATIONS }) as const;
const ACCOUNT_LISTS = [
  "GetCustomerAccounts",
  "GetCustomerAccountsByInstitution",
  "GetCustomerAccountsByInstitutionLogin",
  "GetCustomerAccountsSimple",
  "GetCustomerAccountsByInstitutionSimple",
  "GetCustomerAccountsByInstitutionLoginSimple",
];
const SPELLED = [
  ...[...READS, ...GENERATIONS].map((operationId) => [operationId, "/status"] as const),
  ["GetReportsByCustomerId", "/reports/*/status"],
  ["GetReportsByConsumerId", "/reports/*/status"],
  ["GetPortfolioByCustomer", "/reports/*/status"],
  ["GetCustomer", "/type"],
  ["GetCustomers", "/customers/*/type"],
  ...ACCOUNT_LISTS.map((operationId) => [operationId, "/accounts/*/status"] as const),
  ["GetCustomerAccount", "/status"],
  ["getWebhookSubscriptionById", "/events/*/status"],
  ["changeWebhookSubscriptionStatus", "/status"],
  ["changeWebhookSubscriptionEventStatus", "/status"],
] as const;

const IN_QUERY = parametersOf("GenerateTransactionsReport", "query");
const UNDATED = { kind: "request", of: IN_QUERY, edit: { waive: true } } as const;

/** What a client sends that repeats the words of such a server. */
const SENT_IN_CAPITALS = [
  {
    kind: "request",
    of: parametersOf("GetCustomerAccounts", "query"),
    pointer: "/status",
    edit: { admit: { enum: ["ACTIVE", "PENDING"] } },
  },
  {
    kind: "request",
    of: parametersOf("GetCustomers", "query"),
    pointer: "/type",
    edit: { admit: { enum: ["ACTIVE", "TESTING"] } },
  },
] as const;

const REPORT_DIFFERENCES_IN_TIME = [
  {
    name: "reports-slow",
    what: "A report is in progress for 18 seconds.",
    gaps: ["report statuses over time"],
    effects: ["reports-slow"],
    operations: GENERATIONS,
    // A short sequence of calls ends before the reports do.
    silences: ["portfolios.most-recent-per-type"],
    group: "generation",
  },
  generating(
    "reports-quick",
    "A report is finished before a client can read that it is in progress.",
    "report statuses over time",
    "generation",
  ),
  generating(
    "reports-found-late",
    "A report is not found until it is finished.",
    "report statuses over time",
    "generation",
  ),
  {
    name: "reports-found-later",
    what: "A report is not found until it is finished, which takes almost a minute.",
    gaps: ["report statuses over time"],
    effects: ["reports-found-late", "reports-slower"],
    operations: GENERATIONS,
    group: "generation",
  },
  {
    name: "words-in-capitals",
    what: "Statuses and kinds are written in capitals with underscores.",
    gaps: ["spelling of statuses and kinds"],
    effects: [
      ...SPELLED.map(
        ([operationId, pointer]) =>
          ({ kind: "json", when: { operationId }, pointer, edit: { convert: "other-spelling" } }) as const,
      ),
      ...SENT_IN_CAPITALS,
    ],
    // The values are assumed.
    affects: ["*.response.shape"],
    group: "words",
  },
  {
    name: "words-in-other-letter-case",
    what: "Statuses and kinds are written in capitals.",
    gaps: ["spelling of statuses and kinds"],
    effects: [{ kind: "habit", habits: { letters: "capitals" } }, ...SENT_IN_CAPITALS],
    group: "words",
  },
  {
    name: "business-cash-flow-without-consumer",
    what: "The answer to the generation of a business cash flow report names no consumer.",
    gaps: ["consumer of a business cash flow report"],
    effects: ["/consumerId", "/consumerSsn"].flatMap((pointer) =>
      remove({ operationId: "GenerateCashFlowBusinessReport" }, pointer),
    ),
    operations: ["GenerateCashFlowBusinessReport"],
  },
  generating(
    "callback-of-another-shape",
    "The callback of a report has another body.",
    "callback of a report generation",
    "callback",
  ),
  generating(
    "callback-by-get",
    "The callback of a report is a GET with a query.",
    "callback of a report generation",
    "callback",
  ),
] as const satisfies readonly DeviationRow[];

const REPORT_DIFFERENCES_IN_NEEDS = [
  {
    name: "parameters-named-otherwise",
    what: "Parameters of reports and lists have other names than assumed, and unknown ones are ignored.",
    gaps: ["parameter names defined by reference"],
    effects: ["parameters-named-otherwise"],
    silences: ["reports.callback-on-completion", "transactions.include-pending-query"],
  },
  {
    name: "consumers-always-needed",
    what: "The analytics of a small business need a consumer.",
    gaps: ["which reports need a consumer"],
    effects: ["consumers-always-needed"],
    operations: [METRICS],
    group: "parties",
  },
  generating(
    "parties-not-created",
    "The client creates the consumer or the business of a user type, the service does not.",
    "consumer or business by userType",
    "parties",
  ),
  {
    name: "prequalification-of-any-account",
    what: "Any type of account is eligible for prequalification.",
    gaps: ["eligible accounts for prequalification and 400 cause"],
    effects: ["prequalification-of-any-account"],
    operations: ["GeneratePrequalificationCRAReport", "GeneratePrequalificationNonCRAReport"],
  },
  generating(
    "no-accounts-not-found",
    "A report for a customer without any account is refused with 404.",
    "400 or 404 or 202 for a customer without accounts",
  ),
  {
    name: "foresight-fails-later",
    what: "Foresight analytics without an eligible account are accepted, and the report then fails.",
    gaps: ["400 or 404 or 202 for a customer without accounts"],
    effects: ["foresight-fails-later"],
    operations: GENERATIONS.filter((operationId) => operationId.includes("Foresight")),
  },
  {
    name: "report-dates-in-body",
    what: "The dates of a transactions report may be in its body instead of its query.",
    gaps: ["parameter names defined by reference", "field-level schemas"],
    effects: [
      "report-dates-in-body",
      ...["/fromDate", "/toDate"].map((pointer) => ({ ...UNDATED, pointer })),
    ],
    operations: ["GenerateTransactionsReport"],
  },
  {
    name: "long-windows-cut",
    what: "The window of a transactions report is cut to 24 months instead of refused.",
    gaps: ["window of the transactions report beyond 24 months"],
    effects: ["long-windows-cut"],
    operations: ["GenerateTransactionsReport"],
  },
] as const satisfies readonly DeviationRow[];

const REPORT_DIFFERENCES_IN_RETRIEVAL = [
  {
    name: "business-reports-not-by-consumer",
    what: "A report about a business is not found among those of a consumer, and refusals have a field with their status.",
    gaps: ["which reports need a consumer", "error body shape"],
    effects: [
      "business-reports-not-by-consumer",
      ...json({ operationId: "GetReportByConsumer", status: 404 }, "/status", "404"),
    ],
    operations: ["GetReportByConsumer"],
  },
  {
    name: "employments-with-start",
    what: "Reports show an employment that began years before their history.",
    gaps: ["field-level schemas"],
    effects: READS.flatMap((operationId) =>
      json({ operationId, status: 200 }, "/employments", [{ startDate: "2014-05-01" }]),
    ),
    operations: READS,
  },
  {
    name: "lender-demanded",
    what: "A report is read by its id only with a body.",
    gaps: ["Lender body of GetReportById"],
    effects: [`body-demanded-${BY_ID}`],
    operations: [BY_ID],
  },
  {
    name: "some-reports-without-pdf",
    what: "Some types of reports cannot be had as PDF (406).",
    gaps: ["PDF for every report"],
    effects: ["some-reports-without-pdf"],
    operations: READS,
    group: "pdf",
  },
  {
    name: "some-reports-only-as-json",
    what: "Some types of reports are answered in JSON also when a PDF is asked for.",
    gaps: ["PDF for every report"],
    effects: ["some-reports-only-as-json"],
    operations: READS,
    group: "pdf",
  },
  {
    name: "reissue-refused-otherwise",
    what: "A reissue without a purpose code is forbidden (403).",
    gaps: ["reissue purpose code"],
    effects: [{ kind: "habit", habits: { statuses: { "no-purpose": 403 } } }],
    operations: ["ReportReissue"],
  },
  {
    name: "billing-in-milliseconds",
    what: "The dates of the billing report are milliseconds; a date before the year 2000 is refused.",
    gaps: ["billing date unit and range"],
    effects: ["billing-in-milliseconds"],
    operations: [BILLING],
    // The unit is not known until the user configures it.
    silences: [`${BILLING}.*`, ...SHARED],
    group: "billing",
  },
  {
    name: "billing-range-not-found",
    what: "A range of more than 31 days is not found (404).",
    gaps: ["billing date unit and range"],
    effects: [...status(404, { operationId: BILLING, status: 400, cause: ["range-too-long"] })],
    operations: [BILLING],
    group: "billing",
  },
] as const satisfies readonly DeviationRow[];

export const REPORT_DIFFERENCES = [
  ...REPORT_DIFFERENCES_IN_TIME,
  ...REPORT_DIFFERENCES_IN_NEEDS,
  ...REPORT_DIFFERENCES_IN_RETRIEVAL,
] as const;
