/** How the operations on transactions can break what is promised of them. */
import type { Bend, FaultRow } from "../../../engine/faults/fault.ts";
import {
  behaviour,
  json,
  refusesParameter,
  remove,
  rowsOf,
  status,
} from "../../../engine/faults/fault-rows.ts";

const LISTS = ["GetAllCustomerTransactions", "GetCustomerAccountTransactions"];
const LOAD = "LoadHistoricTransactionsForCustomerAccount";

const refuses = (parameter: string): Bend[] =>
  LISTS.flatMap((operationId) => refusesParameter(operationId, parameter));

const withoutDate = (name: string): Bend[] => [
  ...LISTS.flatMap((operationId) => remove({ operationId, status: 200 }, `/transactions/*/${name}`)),
  ...remove({ operationId: "GetCustomerTransaction", status: 200 }, `/${name}`),
];

const gone = (operationId: string): Bend[] => status(404, { operationId, status: 200 });

export const TRANSACTION_FAULTS: readonly FaultRow[] = rowsOf({
  "transaction.dates": {
    "transaction-date-missing": withoutDate("transactionDate"),
    "posted-date-missing": withoutDate("postedDate"),
  },
  [`${LOAD}.203-mfa`]: {
    "no-challenge": behaviour("transactions-load-without-challenge"),
    "bad-request": status(400, { operationId: LOAD, status: 203 }),
  },
  [`${LOAD}.24-months`]: { "36-months": behaviour("transactions-load-36-months") },
  [`${LOAD}.range-from-createdDate`]: {
    "from-today": behaviour("transactions-load-counted-from-today"),
  },
  [`${LOAD}.second-call-adds-nothing`]: { "adds-some": behaviour("transactions-second-load-adds") },
  [`${LOAD}.second-call-quick`]: { slow: behaviour("transactions-second-load-slow") },
  [`${LOAD}.force-second-connection`]: { ignored: behaviour("transactions-force-ignored") },
  "transactions.start-limit-query": {
    "start-ignored": behaviour("transactions-start-ignored"),
    "limit-ignored": behaviour("transactions-limit-ignored"),
    "start-refused": refuses("start"),
    "limit-refused": refuses("limit"),
  },
  "transactions.sort-query": { refused: refuses("sort") },
  "transactions.include-pending-query": { refused: refuses("includePending") },
  "GetCustomerAccountTransactions.show-daily-balance-query": {
    refused: refusesParameter("GetCustomerAccountTransactions", "showDailyBalance"),
  },
  "transactions.sorted-by-transactionDate": { "by-amount": behaviour("transactions-by-amount") },
  "transactions.sort-falls-back-to-postedDate": {
    "undated-last": behaviour("transactions-undated-last"),
  },
  "transactions.no-window-limit": { "two-years": behaviour("transactions-long-window-refused") },
  "transactions.standard-history-180-days": {
    "12-months": behaviour("transactions-standard-of-12-months"),
  },
  "transactions.older-needs-historic-load": {
    "without-load": behaviour("transactions-older-without-load"),
    "load-brings-nothing": behaviour("transactions-load-nothing"),
  },
  "GetRecurringTransactions.debits-and-credits": {
    "no-debits": behaviour("transactions-no-recurring-debits"),
    "no-credits": behaviour("transactions-no-recurring-credits"),
    none: json({ operationId: "GetRecurringTransactions", status: 200 }, "/recurringTransactions", []),
  },
  "GetRecurringTransactions.one-or-more-accounts": {
    "first-only": behaviour("transactions-recurring-of-one-account"),
  },
  "version.variants-coexist": {
    "transactions-v3-gone": gone("GetAllCustomerTransactions"),
    "owner-v1-gone": gone("GetAccountOwner"),
    "details-v1-gone": gone("GetAccountACHDetails"),
  },
});
