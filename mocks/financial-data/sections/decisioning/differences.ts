/** Permitted differences in reports: their statuses, their prerequisites, their retrieval and their billing. */
import { edited, json, permitted, remove, status, validating } from "../../../engine/deviations/rows.ts";
import { parametersOf } from "../../../engine/parameters.ts";
import { REPORT_KINDS } from "../../reporting/kinds.ts";
import { SHARED } from "../../shared-requirements.ts";

const BILLING = "getResellerBillingReport";
const BY_ID = "GetReportById";
const METRICS = "GenerateSBCAMetricsReport";
const READS = [BY_ID, "GetReportByCustomer", "GetReportByConsumer"];
const GENERATIONS = Object.keys(REPORT_KINDS);
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

/** What a client sends that repeats the words of such a server. */
const SENT_IN_CAPITALS = [
  ...validating({ admit: { enum: ["ACTIVE", "PENDING"] } })(
    parametersOf("GetCustomerAccounts", "query"),
    "/status",
  ),
  ...validating({ admit: { enum: ["ACTIVE", "TESTING"] } })(parametersOf("GetCustomers", "query"), "/type"),
];

export const REPORT_DIFFERENCES = [
  ...permitted("report statuses over time", { operations: GENERATIONS, group: "generation" })({
    "reports-slow": {
      what: "A report is in progress for 18 seconds.",
      // A short sequence of calls ends before the reports do.
      silences: ["portfolios.most-recent-per-type"],
    },
    "reports-quick": "A report is finished before a client can read that it is in progress.",
    "reports-found-late": "A report is not found until it is finished.",
    "reports-found-later": {
      what: "A report is not found until it is finished, which takes almost a minute.",
      effects: ["reports-found-late", "reports-slower"],
    },
  }),
  ...permitted("spelling of statuses and kinds", { group: "words" })({
    "words-in-capitals": {
      what: "Statuses and kinds are written in capitals with underscores.",
      effects: [
        ...SPELLED.flatMap(([operationId, pointer]) =>
          edited({ operationId }, pointer, { convert: "other-spelling" }),
        ),
        ...SENT_IN_CAPITALS,
      ],
      // The values are assumed.
      affects: ["*.response.shape"],
    },
    "words-in-other-letter-case": {
      what: "Statuses and kinds are written in capitals.",
      effects: [{ kind: "habit", habits: { letters: "capitals" } }, ...SENT_IN_CAPITALS],
    },
  }),
  ...permitted("consumer of a business cash flow report")({
    "business-cash-flow-without-consumer": {
      what: "The answer to the generation of a business cash flow report names no consumer.",
      effects: ["/consumerId", "/consumerSsn"].flatMap((pointer) =>
        remove({ operationId: "GenerateCashFlowBusinessReport" }, pointer),
      ),
      operations: ["GenerateCashFlowBusinessReport"],
    },
  }),
  ...permitted("callback of a report generation", { operations: GENERATIONS, group: "callback" })({
    "callback-of-another-shape": "The callback of a report has another body.",
    "callback-by-get": "The callback of a report is a GET with a query.",
  }),
  ...permitted("parameter names defined by reference")({
    "parameters-named-otherwise": {
      what: "Parameters of reports and lists have other names than assumed, and unknown ones are ignored.",
      silences: ["reports.callback-on-completion", "transactions.include-pending-query"],
    },
  }),
  ...permitted("which reports need a consumer", { operations: [METRICS], group: "parties" })({
    "consumers-always-needed": "The analytics of a small business need a consumer.",
  }),
  ...permitted("consumer or business by userType", { operations: GENERATIONS, group: "parties" })({
    "parties-not-created":
      "The client creates the consumer or the business of a user type, the service does not.",
  }),
  ...permitted("eligible accounts for prequalification and 400 cause")({
    "prequalification-of-any-account": {
      what: "Any type of account is eligible for prequalification.",
      operations: ["GeneratePrequalificationCRAReport", "GeneratePrequalificationNonCRAReport"],
    },
  }),
  ...permitted("400 or 404 or 202 for a customer without accounts", { operations: GENERATIONS })({
    "no-accounts-not-found": "A report for a customer without any account is refused with 404.",
    "foresight-fails-later": {
      what: "Foresight analytics without an eligible account are accepted, and the report then fails.",
      operations: GENERATIONS.filter((operationId) => operationId.includes("Foresight")),
    },
  }),
  ...permitted(["parameter names defined by reference", "field-level schemas"])({
    "report-dates-in-body": {
      what: "The dates of a transactions report may be in its body instead of its query.",
      effects: [
        "report-dates-in-body",
        ...["/fromDate", "/toDate"].flatMap((pointer) => validating({ waive: true })(IN_QUERY, pointer)),
      ],
      operations: ["GenerateTransactionsReport"],
    },
  }),
  ...permitted("window of the transactions report beyond 24 months")({
    "long-windows-cut": {
      what: "The window of a transactions report is cut to 24 months instead of refused.",
      operations: ["GenerateTransactionsReport"],
    },
  }),
  ...permitted(["which reports need a consumer", "error body shape"])({
    "business-reports-not-by-consumer": {
      what: "A report about a business is not found among those of a consumer, and refusals have a field with their status.",
      effects: [
        "business-reports-not-by-consumer",
        ...json({ operationId: "GetReportByConsumer", status: 404 }, "/status", "404"),
      ],
      operations: ["GetReportByConsumer"],
    },
  }),
  ...permitted("field-level schemas", { operations: READS })({
    "employments-with-start": {
      what: "Reports show an employment that began years before their history.",
      effects: READS.flatMap((operationId) =>
        json({ operationId, status: 200 }, "/employments", [{ startDate: "2014-05-01" }]),
      ),
    },
  }),
  ...permitted("Lender body of GetReportById", { operations: [BY_ID] })({
    "lender-demanded": {
      what: "A report is read by its id only with a body.",
      effects: [`body-demanded-${BY_ID}`],
    },
  }),
  ...permitted("PDF for every report", { operations: READS, group: "pdf" })({
    "some-reports-without-pdf": "Some types of reports cannot be had as PDF (406).",
    "some-reports-only-as-json": "Some types of reports are answered in JSON also when a PDF is asked for.",
  }),
  ...permitted("reissue purpose code", { operations: ["ReportReissue"] })({
    "reissue-refused-otherwise": {
      what: "A reissue without a purpose code is forbidden (403).",
      effects: [{ kind: "habit", habits: { statuses: { "no-purpose": 403 } } }],
    },
  }),
  ...permitted("billing date unit and range", { operations: [BILLING], group: "billing" })({
    "billing-in-milliseconds": {
      what: "The dates of the billing report are milliseconds; a date before the year 2000 is refused.",
      // The unit is not known until the user configures it.
      silences: [`${BILLING}.*`, ...SHARED],
    },
    "billing-range-not-found": {
      what: "A range of more than 31 days is not found (404).",
      effects: status(404, { operationId: BILLING, status: 400, cause: ["range-too-long"] }),
    },
  }),
];
