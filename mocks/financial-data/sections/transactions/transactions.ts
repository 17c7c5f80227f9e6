/** Transactions: lists by date, single transactions, recurring ones, and the historic load. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { DAY } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import {
  accountsOf,
  accountWithId,
  bodyOf,
  customerIn,
  isChallenged,
  pathValue,
  readAccount,
} from "../../found.ts";
import { keeping } from "../../kept-answers.ts";
import type { Section } from "../../section.ts";
import type { Account } from "../../state/account.ts";
import { idAt, indexOfId, post, rowAt } from "../../state/ledger.ts";
import { bringPending, settlePending } from "../../state/pending.ts";
import { dateOf, type Recurring, recurringOf } from "../../state/recurring.ts";
import type { State } from "../../state/state.ts";
import { type Entry, type Listing, listingOf } from "../../state/transaction-listing.ts";
import { dailyBalances, transactionFields } from "../../transaction-fields.ts";
import { environmentOf, linkedCustomer } from "../accounts/account-situations.ts";
import { loadHistoric, showOlder } from "./historic-load.ts";
import { TRANSACTION_STATEFUL_FAULTS } from "./transaction-stateful-faults.ts";

const listed = (state: State, call: Call, accounts: readonly Account[]): Answer => {
  const { query, faulty } = call;
  const window = {
    // A fault ignores a date.
    from: Number(query.fromDate ?? 0),
    to: Number(query.toDate ?? state.seconds() + DAY),
    includePending: query.includePending === true,
  };
  const isShort = window.to - window.from < LONG_WINDOW;
  if (isShort && faulty("transactions-window-starts-late")) window.from += LOST;
  if (isShort && faulty("transactions-window-ends-early")) window.to -= LOST;
  if (window.to - window.from > TWO_YEARS && faulty("transactions-long-window-refused"))
    throw refused("long-window");
  for (const account of accounts) showOlder(state, call, account);
  const shown = faulty("transactions-none") ? [] : accounts;
  const listing = listingOf(state, shown, window);
  const key = JSON.stringify([call.operation.operationId, call.path, query]);
  return keptPage(state, key, listing.revision, () => pageOf(state, call, listing, accounts));
};

const TWO_YEARS = 2 * 366 * DAY;
const LONG_WINDOW = 150 * DAY;
/** What two faults leave out of a window. */
const LOST = 4 * DAY;

/** The most entries of one page. */
const LARGEST_PAGE = 1_000;

const sizeIn = ({ query, differs }: Call): number => {
  const limit = Number(query.limit ?? 25);
  return differs("large-pages-cut") ? Math.min(limit, LARGEST_PAGE) : limit;
};

const sortIn = ({ query, differs }: Call): "asc" | "desc" => {
  if (differs("sort-ignored")) return "desc";
  const usual = differs("oldest-first") ? "asc" : "desc";
  return String(query.sort ?? usual).toLowerCase() === "asc" ? "asc" : "desc";
};

const pageOf = (state: State, call: Call, listing: Listing, accounts: readonly Account[]): Answer => {
  const { query } = call;
  const start = Number(query.start ?? 1);
  const limit = sizeIn(call);
  const sort = sortIn(call);
  const isByPage = sort === "asc" && call.faulty("transactions-sorted-in-page");
  const page = isByPage ? listing.page(start, limit, "desc").toReversed() : listing.page(start, limit, sort);
  const entries = arranged(call, page);
  const [account] = accounts;
  const known = {
    found: listing.found,
    displaying: entries.length,
    moreAvailable: String(start - 1 + entries.length < listing.found),
    fromDate: String(query.fromDate ?? 0),
    toDate: String(query.toDate ?? state.seconds()),
    sort,
    transactions: entries.map((entry) => transactionFields(state, entry)),
    ...(query.showDailyBalance === true &&
      account !== undefined && {
        dailyBalances: dailyBalances(state, account, Number(query.fromDate), Number(query.toDate)),
      }),
  };
  return success(state, call, known, { made: "required" });
};

/** Returns the entries in order, unless a fault changes the order, or a difference changes the order of ties. */
const arranged = ({ faulty, differs, query }: Call, entries: readonly Entry[]): readonly Entry[] => {
  if (query.limit !== undefined && differs("ties-turned")) return tiesTurned(entries);
  const isByAmount =
    faulty("transactions-by-amount") ||
    (query.showDailyBalance === true && faulty("transactions-by-amount-with-balances"));
  if (isByAmount) return [...entries].sort((a, b) => a.row.amount - b.row.amount);
  if (!faulty("transactions-undated-last")) return entries;
  const dated = entries.filter(({ row }) => row.transactionDate !== undefined);
  return [...dated, ...entries.filter(({ row }) => row.transactionDate === undefined)];
};

const tiesTurned = (entries: readonly Entry[]): readonly Entry[] => {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && dateOf(last[0].row) === dateOf(entry.row)) last.unshift(entry);
    else runs.push([entry]);
  }
  return runs.flat();
};

/** Pages hold up to a thousand transactions, so the cache holds only a few pages. */
const keptPage = keeping(16);

const directionOf = ([row]: Recurring["rows"]): "debit" | "credit" =>
  row !== undefined && row.amount < 0 ? "debit" : "credit";

const FREQUENCIES: readonly [days: number, name: string][] = [
  [10, "Weekly"],
  [20, "BiWeekly"],
  [45, "Monthly"],
  [120, "Quarterly"],
];

const recurringFields = (state: State, { account, rows, days }: Recurring): Fields => {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return {};
  const next = Math.round(dateOf(last) + days * DAY);
  return {
    id: state.identifiers.uuid("recurring", account.id, last.description, last.amount),
    accountId: account.id,
    direction: directionOf(rows),
    normalizedPayeeName: last.payee,
    category: last.category,
    frequency: FREQUENCIES.find(([most]) => days <= most)?.[1] ?? "Yearly",
    status: next + days * DAY < state.seconds() ? "inactive" : "active",
    averageAmount: last.amount,
    lastAmount: last.amount,
    firstDate: dateOf(first),
    lastDate: dateOf(last),
    nextExpectedDate: next,
    transactionIds: rows.map(({ id }) => id),
  };
};

const postUndated = (state: State, { accounts: [account] }: ReturnType<typeof linkedCustomer>): string => {
  if (account === undefined) return "";
  const ledger = state.accounts.ledgerOf(account);
  const posted = { transactionDate: undefined, postedDate: account.created - 20 * DAY };
  const index = post(ledger, { ...posted, amount: -21.4, description: "PAPER & PEN 22" });
  return String(idAt(ledger, index));
};

export const transactions: Section = {
  handlers: {
    LoadHistoricTransactionsForCustomerAccount(state, call) {
      const account = readAccount(state, call);
      if (isChallenged(state, account) && !call.faulty("transactions-load-without-challenge")) {
        return success(state, call, {}, { status: 203 });
      }
      return loadHistoric(state, call, account, bodyOf(call).force === true).then(() => success(state, call));
    },
    GetAllCustomerTransactions: (state, call) =>
      listed(state, call, accountsOf(state, call, customerIn(state, call))),
    GetCustomerTransaction(state, call) {
      const customer = customerIn(state, call);
      const id = Number(pathValue(call, "transactionId"));
      const account = state.accounts.ofTransaction(id);
      const ledger = account?.customerId === customer.id ? state.accounts.ledgerOf(account) : undefined;
      if (account !== undefined && ledger !== undefined) settlePending(state, account);
      const index = ledger === undefined ? -1 : indexOfId(ledger, id);
      if (account === undefined || ledger === undefined || index < 0) throw refused("unknown-transaction");
      const fields = transactionFields(state, { account, row: rowAt(ledger, index) });
      return success(state, call, fields, { key: String(id), made: "required" });
    },
    GetCustomerAccountTransactions: (state, call) => listed(state, call, [readAccount(state, call)]),
    GetRecurringTransactions(state, call) {
      const customer = customerIn(state, call);
      const { accountIds } = bodyOf(call);
      const ids = Array.isArray(accountIds) && accountIds.length > 0 ? accountIds.map(String) : undefined;
      const accounts =
        ids?.map((id) => accountWithId(state, call, customer, id)) ?? accountsOf(state, call, customer);
      const regarded = call.faulty("transactions-recurring-of-one-account") ? accounts.slice(0, 1) : accounts;
      const found = regarded
        .flatMap((account) => recurringOf(state, account))
        .filter(({ rows }) => !call.faulty(`transactions-no-recurring-${directionOf(rows)}s`));
      const recurringTransactions = found.map((one) => recurringFields(state, one));
      return success(state, call, { customerId: customer.id, recurringTransactions }, { made: "required" });
    },
  },
  situations: {
    /** Arranges a transaction that posts within a day. */
    "pending-transaction"(state) {
      const linked = linkedCustomer(state, "pending", ["checking"]);
      const [account] = linked.accounts;
      const id = account === undefined ? undefined : bringPending(state, account);
      return { ...environmentOf(linked), FINANCIAL_DATA_TRANSACTION_ID: String(id) };
    },
    /** Arranges a transaction without a transaction date. */
    "undated-transaction"(state) {
      const linked = linkedCustomer(state, "undated", ["checking"]);
      return { ...environmentOf(linked), FINANCIAL_DATA_TRANSACTION_ID: postUndated(state, linked) };
    },
    /** Arranges an account with a regular income and regular costs. */
    "recurring-transactions": (state) => environmentOf(linkedCustomer(state, "recurring", ["checking"])),
    /** Arranges an account with more transactions than fit on one page. */
    "many-transactions": (state) =>
      environmentOf(linkedCustomer(state, "busy", [{ type: "checking", perDay: 12 }])),
  },
  statefulFaults: [TRANSACTION_STATEFUL_FAULTS],
};
