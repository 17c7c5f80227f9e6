/** Permitted differences in transactions: dates, pages and their order. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { status, switched } from "../../../engine/deviations/rows.ts";
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
const UNLIMITED = { kind: "request", edit: { drop: "maximum" } } as const;

export const TRANSACTION_DIFFERENCES = [
  {
    name: "dates-not-found",
    what: "A list without its dates is not found (404).",
    gaps: ["missing from or to date"],
    effects: LISTS.flatMap((operationId) =>
      status(404, { operationId, status: 400, cause: ["invalid-parameter"] }),
    ),
    operations: LISTS,
  },
  {
    name: "large-pages-cut",
    what: "A page or a batch above the maximum is cut to it instead of refused.",
    gaps: ["page size above the maximum"],
    effects: [
      "large-pages-cut",
      ...LISTS.map((operationId) => ({
        ...UNLIMITED,
        of: parametersOf(operationId, "query"),
        pointer: "/limit",
      })),
      { ...UNLIMITED, of: parametersOf(BILLING, "query"), pointer: "/size" },
      { kind: "request", of: ENRICH, pointer: "/transactions", edit: { drop: "maxItems" } },
    ],
    operations: [...LISTS, BILLING, ENRICH],
  },
  {
    name: "pages-from-zero",
    what: "Lists count their entries from zero.",
    gaps: ["paging parameters"],
    effects: [
      "pages-from-zero",
      ...COUNTED.map(
        (operationId) =>
          ({
            kind: "request",
            of: parametersOf(operationId, "query"),
            pointer: "/start",
            edit: { set: "minimum", to: 0 },
          }) as const,
      ),
    ],
  },
  {
    name: "oldest-first",
    what: "Transactions are in ascending order unless the caller asks for another one.",
    gaps: ["sort values"],
    effects: ["oldest-first"],
    operations: LISTS,
    group: "sort",
  },
  {
    name: "sort-ignored",
    what: "The order of transactions has other values than assumed, and unknown ones are ignored.",
    gaps: ["sort values"],
    effects: ["sort-ignored"],
    operations: LISTS,
    group: "sort",
  },
  switched(
    "only-posted-dates",
    "Transactions of savings accounts have only a posted date.",
    "field-level schemas",
  ),
  {
    name: "pending-posts-anew",
    what: "A pending transaction posts as another transaction, with an id of its own.",
    gaps: ["field-level schemas"],
    effects: ["pending-posts-anew"],
    operations: [...LISTS, "GetCustomerTransaction"],
  },
] as const satisfies readonly DeviationRow[];
