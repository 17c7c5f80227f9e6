/** The faults of transactions and their enrichment. */
import type { AnswerEffect } from "../../../engine/deviations/deviation.ts";
import {
  ignores,
  json,
  raw,
  refusesParameter,
  remove,
  removeFromEach,
  rowsOf,
  status,
} from "../../../engine/deviations/rows.ts";

const LISTS = ["GetAllCustomerTransactions", "GetCustomerAccountTransactions"];
const LOAD = "LoadHistoricTransactionsForCustomerAccount";
const ENRICHED = { operationId: "enrichTransactions", status: 200 };

const withoutDate = (name: string) => [
  ...removeFromEach(LISTS, `/transactions/*/${name}`),
  ...remove({ operationId: "GetCustomerTransaction", status: 200 }, `/${name}`),
];

/** Answers as at a path that is not served. */
const gone = (operationId: string): AnswerEffect[] => {
  const when = { operationId, status: 200 };
  const content = JSON.stringify({ code: 14001, message: 'Nothing is served at "/".' });
  return [...raw(content)(when), ...status(404, when)];
};

export const TRANSACTION_FAULTS = rowsOf({
  "transaction.dates": {
    "transaction-date-missing": withoutDate("transactionDate"),
    "posted-date-missing": withoutDate("postedDate"),
  },
  [`${LOAD}.203-mfa`]: {
    "no-challenge": "transactions-load-without-challenge",
    "bad-request": status(400, { operationId: LOAD, status: 203 }),
  },
  [`${LOAD}.24-months`]: { "36-months": "transactions-load-36-months" },
  [`${LOAD}.range-from-createdDate`]: {
    "from-today": "transactions-load-counted-from-today",
  },
  [`${LOAD}.second-call-adds-nothing`]: { "adds-some": "transactions-second-load-adds" },
  [`${LOAD}.second-call-quick`]: { slow: "transactions-second-load-slow" },
  [`${LOAD}.force-second-connection`]: { ignored: "transactions-force-ignored" },
  "transactions.start-limit-query": {
    "start-ignored": ignores(LISTS, "start"),
    "limit-ignored": ignores(LISTS, "limit"),
    "start-refused": refusesParameter(LISTS, "start"),
    "limit-refused": refusesParameter(LISTS, "limit"),
  },
  "transactions.sort-query": { refused: refusesParameter(LISTS, "sort") },
  "transactions.include-pending-query": { refused: refusesParameter(LISTS, "includePending") },
  "GetCustomerAccountTransactions.show-daily-balance-query": {
    refused: refusesParameter("GetCustomerAccountTransactions", "showDailyBalance"),
  },
  "transactions.sorted-by-transactionDate": {
    "by-amount": "transactions-by-amount",
    "by-amount-with-balances": "transactions-by-amount-with-balances",
    "within-pages": "transactions-sorted-in-page",
  },
  "transactions.sort-falls-back-to-postedDate": {
    "undated-last": "transactions-undated-last",
  },
  "transactions.no-window-limit": {
    "two-years": "transactions-long-window-refused",
    "starts-late": "transactions-window-starts-late",
    "ends-early": "transactions-window-ends-early",
  },
  "transactions.standard-history-180-days": {
    "12-months": "transactions-standard-of-12-months",
  },
  "transactions.older-needs-historic-load": {
    "without-load": "transactions-older-without-load",
    "load-brings-nothing": "transactions-load-nothing",
  },
  "GetRecurringTransactions.debits-and-credits": {
    "no-debits": "transactions-no-recurring-debits",
    "no-credits": "transactions-no-recurring-credits",
    none: json({ operationId: "GetRecurringTransactions", status: 200 }, "/recurringTransactions", []),
  },
  "GetRecurringTransactions.one-or-more-accounts": {
    "first-only": "transactions-recurring-of-one-account",
  },
  "version.variants-coexist": {
    "transactions-v3-gone": gone("GetAllCustomerTransactions"),
    "owner-v1-gone": gone("GetAccountOwner"),
    "details-v1-gone": gone("GetAccountACHDetails"),
  },

  "enrichTransactions.categorization": {
    missing: ["transactionCategory", "transactionCategoryScore", "transactionCategoryGroup"].flatMap((name) =>
      remove(ENRICHED, `/transactions/*/${name}`),
    ),
  },
  "enrichTransactions.entity-recognition": { missing: remove(ENRICHED, "/transactions/*/entities") },
});
