/** Transactions: lists by date, single ones, those that recur, and what is loaded from longer ago. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { DAY } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
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
import { dailyBalances, transactionFields } from "../../transaction-fields.ts";
import type { Account } from "../../world/account.ts";
import { idAt, indexOfId, post, rowAt } from "../../world/ledger.ts";
import { bringPending, settlePending } from "../../world/pending.ts";
import { dateOf, type Recurring, recurringOf } from "../../world/recurring.ts";
import { type Entry, type Listing, listingOf, type Sort } from "../../world/transaction-listing.ts";
import type { World } from "../../world/world.ts";
import { environmentOf, linkedCustomer } from "../accounts/account-situations.ts";
import { loadHistoric, showOlder } from "./historic-load.ts";
import { TRANSACTION_TWISTS } from "./transaction-twists.ts";

const listed = (world: World, call: Call, accounts: readonly Account[]): Answer => {
  const { query, bent } = call;
  const window = {
    from: Number(query.fromDate),
    to: Number(query.toDate),
    includePending: query.includePending === true,
  };
  if (window.to - window.from > TWO_YEARS && bent("transactions-long-window-refused"))
    throw refused("long-window");
  for (const account of accounts) showOlder(world, call, account);
  const shown = bent("transactions-none") ? [] : accounts;
  const listing = listingOf(world, shown, window);
  const key = JSON.stringify([call.operation.operationId, call.path, query]);
  return keptPage(world, key, listing.revision, () => pageOf(world, call, listing, accounts));
};

const TWO_YEARS = 2 * 366 * DAY;

const pageOf = (world: World, call: Call, listing: Listing, accounts: readonly Account[]): Answer => {
  const { query, bent } = call;
  const start = bent("transactions-start-ignored") ? 1 : Number(query.start ?? 1);
  const limit = bent("transactions-limit-ignored") ? 25 : Number(query.limit ?? 25);
  const sort: Sort = String(query.sort).toLowerCase() === "asc" ? "asc" : "desc";
  const entries = arranged(call, listing.page(start, limit, sort));
  const [account] = accounts;
  const known = {
    found: listing.found,
    displaying: entries.length,
    moreAvailable: String(start - 1 + entries.length < listing.found),
    fromDate: String(query.fromDate),
    toDate: String(query.toDate),
    sort,
    transactions: entries.map((entry) => transactionFields(entry)),
    ...(query.showDailyBalance === true &&
      account !== undefined && {
        dailyBalances: dailyBalances(world, account, Number(query.fromDate), Number(query.toDate)),
      }),
  };
  return success(world, call, known, { made: "required" });
};

/** In the order of the list, unless a fault puts them in another. */
const arranged = ({ bent }: Call, entries: readonly Entry[]): readonly Entry[] => {
  if (bent("transactions-by-amount")) return [...entries].sort((a, b) => a.row.amount - b.row.amount);
  if (!bent("transactions-undated-last")) return entries;
  const dated = entries.filter(({ row }) => row.transactionDate !== undefined);
  return [...dated, ...entries.filter(({ row }) => row.transactionDate === undefined)];
};

/** Pages hold up to a thousand transactions, so that few of them are kept. */
const keptPage = keeping(16);

const directionOf = ([row]: Recurring["rows"]): "debit" | "credit" =>
  row !== undefined && row.amount < 0 ? "debit" : "credit";

const FREQUENCIES: readonly [days: number, name: string][] = [
  [10, "Weekly"],
  [20, "BiWeekly"],
  [45, "Monthly"],
  [120, "Quarterly"],
];

const recurringFields = (world: World, { account, rows, days }: Recurring): Fields => {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return {};
  const next = Math.round(dateOf(last) + days * DAY);
  return {
    id: world.identifiers.uuid("recurring", account.id, last.description, last.amount),
    accountId: account.id,
    direction: directionOf(rows),
    normalizedPayeeName: last.payee,
    category: last.category,
    frequency: FREQUENCIES.find(([most]) => days <= most)?.[1] ?? "Yearly",
    status: next + days * DAY < world.seconds() ? "inactive" : "active",
    averageAmount: last.amount,
    lastAmount: last.amount,
    firstDate: dateOf(first),
    lastDate: dateOf(last),
    nextExpectedDate: next,
    transactionIds: rows.map(({ id }) => id),
  };
};

const postUndated = (world: World, { accounts: [account] }: ReturnType<typeof linkedCustomer>): string => {
  if (account === undefined) return "";
  const ledger = world.accounts.ledgerOf(account);
  const posted = { transactionDate: undefined, postedDate: account.created - 20 * DAY };
  const index = post(ledger, { ...posted, amount: -21.4, description: "PAPER & PEN 22" });
  return String(idAt(ledger, index));
};

export const transactions: Section = {
  handlers: {
    LoadHistoricTransactionsForCustomerAccount(world, call) {
      const account = readAccount(world, call);
      if (isChallenged(world, account) && !call.bent("transactions-load-without-challenge")) {
        return success(world, call, {}, { status: 203 });
      }
      return loadHistoric(world, call, account, bodyOf(call).force === true).then(() => success(world, call));
    },
    GetAllCustomerTransactions: (world, call) =>
      listed(world, call, accountsOf(world, call, customerIn(world, call))),
    GetCustomerTransaction(world, call) {
      const customer = customerIn(world, call);
      const id = Number(pathValue(call, "transactionId"));
      const account = world.accounts.ofTransaction(id);
      const ledger = account?.customerId === customer.id ? world.accounts.ledgerOf(account) : undefined;
      const index = ledger === undefined ? -1 : indexOfId(ledger, id);
      if (account === undefined || ledger === undefined || index < 0) throw refused("unknown-transaction");
      settlePending(world, account);
      const fields = transactionFields({ account, row: rowAt(ledger, index) });
      return success(world, call, fields, { key: String(id), made: "required" });
    },
    GetCustomerAccountTransactions: (world, call) => listed(world, call, [readAccount(world, call)]),
    GetRecurringTransactions(world, call) {
      const customer = customerIn(world, call);
      const { accountIds } = bodyOf(call);
      const ids = Array.isArray(accountIds) && accountIds.length > 0 ? accountIds.map(String) : undefined;
      const accounts =
        ids?.map((id) => accountWithId(world, call, customer, id)) ?? accountsOf(world, call, customer);
      const regarded = call.bent("transactions-recurring-of-one-account") ? accounts.slice(0, 1) : accounts;
      const found = regarded
        .flatMap((account) => recurringOf(world, account))
        .filter(({ rows }) => !call.bent(`transactions-no-recurring-${directionOf(rows)}s`));
      const recurringTransactions = found.map((one) => recurringFields(world, one));
      return success(world, call, { customerId: customer.id, recurringTransactions }, { made: "required" });
    },
  },
  situations: {
    /** A transaction that posts within a day. */
    "pending-transaction"(world) {
      const linked = linkedCustomer(world, "pending", ["checking"]);
      const [account] = linked.accounts;
      const id = account === undefined ? undefined : bringPending(world, account);
      return { ...environmentOf(linked), FINANCIAL_DATA_TRANSACTION_ID: String(id) };
    },
    /** One transaction of which the institution knows only when it posted. */
    "undated-transaction"(world) {
      const linked = linkedCustomer(world, "undated", ["checking"]);
      return { ...environmentOf(linked), FINANCIAL_DATA_TRANSACTION_ID: postUndated(world, linked) };
    },
    /** An account with more transactions than fit on one page. */
    "many-transactions": (world) =>
      environmentOf(linkedCustomer(world, "busy", [{ type: "checking", perDay: 12 }])),
  },
  twists: [TRANSACTION_TWISTS],
};
