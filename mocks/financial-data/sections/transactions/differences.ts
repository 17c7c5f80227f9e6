/** Permitted differences in transactions: dates, pages and their order. */
import { permitted, status, validating } from "../../../engine/deviations/rows.ts";
import { parametersOf } from "../../../engine/parameters.ts";

const OF_CUSTOMER = "GetAllCustomerTransactions";
const OF_ACCOUNT = "GetCustomerAccountTransactions";
const BILLING = "getResellerBillingReport";
const ENRICH = "enrichTransactions";
/** Lists with a `start`. */
const COUNTED = [
  OF_CUSTOMER,
  OF_ACCOUNT,
  "GetCustomers",
  "GetInstitutions",
  "GetCertifiedInstitutions",
  "GetCertifiedInstitutionsWithRSSD",
  "getApplications",
  "getRegisteredInstitutions",
];
const LISTS = [OF_CUSTOMER, OF_ACCOUNT];
const unlimited = validating({ drop: "maximum" });

export const TRANSACTION_DIFFERENCES = [
  ...permitted("missing from or to date", { operations: LISTS })({
    "dates-not-found": {
      what: "A list without its dates is not found (404).",
      effects: LISTS.flatMap((operationId) =>
        status(404, { operationId, status: 400, cause: ["invalid-parameter"] }),
      ),
    },
  }),
  ...permitted("page size above the maximum", { operations: [...LISTS, BILLING, ENRICH] })({
    "large-pages-cut": {
      what: "A page or a batch above the maximum is cut to it instead of refused.",
      effects: [
        "large-pages-cut",
        ...LISTS.flatMap((operationId) => unlimited(parametersOf(operationId, "query"), "/limit")),
        ...unlimited(parametersOf(BILLING, "query"), "/size"),
        ...validating({ drop: "maxItems" })(ENRICH, "/transactions"),
      ],
    },
  }),
  ...permitted("paging parameters")({
    "pages-from-zero": {
      what: "Lists count their entries from zero.",
      effects: [
        "pages-from-zero",
        ...COUNTED.flatMap((operationId) =>
          validating({ set: "minimum", to: 0 })(parametersOf(operationId, "query"), "/start"),
        ),
      ],
    },
  }),
  ...permitted("sort values", { operations: LISTS, group: "sort" })({
    "oldest-first": "Transactions are in ascending order unless the caller asks for another one.",
    "sort-ignored": "The order of transactions has other values than assumed, and unknown ones are ignored.",
  }),
  ...permitted("sort values", { operations: LISTS })({
    "ties-turned": "Transactions of one date are in another order when the caller gives a size of pages.",
  }),
  ...permitted("field-level schemas")({
    "only-posted-dates": "Transactions of savings accounts have only a posted date.",
  }),
  ...permitted("field-level schemas", { operations: [...LISTS, "GetCustomerTransaction"] })({
    "pending-posts-anew": "A pending transaction posts as another transaction, with an id of its own.",
  }),
];
