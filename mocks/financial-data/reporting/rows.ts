/** Calculations with transactions: dates, months and sums, and their fields in a report. */
import type { Fields } from "../../engine/values/fields.ts";
import { cents, DAY } from "../../engine/values/units.ts";
import type { Account } from "../state/account.ts";
import {
  emptyLedger,
  fillDays,
  firstFrom,
  type Ledger,
  rowsAt,
  type TransactionRow,
} from "../state/ledger.ts";
import type { Report } from "../state/reports.ts";
import { perState, type State } from "../state/state.ts";

/** Returns seconds since 1970. */
export const dateOf = (row: TransactionRow | undefined): number | undefined =>
  row?.postedDate ?? row?.transactionDate;

/** Returns the first second of the month in UTC. */
export const monthOf = (seconds: number): number => {
  const date = new Date(seconds * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
};

export const creditsOf = (rows: readonly TransactionRow[]): TransactionRow[] =>
  rows.filter(({ amount }) => amount > 0);

export const debitsOf = (rows: readonly TransactionRow[]): TransactionRow[] =>
  rows.filter(({ amount }) => amount < 0);

export const sumOf = (rows: readonly TransactionRow[]): number =>
  cents(rows.reduce((total, { amount }) => total + amount, 0));

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : cents(values.reduce((sum, value) => sum + value, 0) / values.length);

/** Returns the standard deviation. */
export const spreadOf = (values: readonly number[]): number => {
  const middle = average(values);
  return Math.sqrt(average(values.map((value) => (value - middle) ** 2)));
};

export const transactionOf = (row: TransactionRow, withAmount: boolean): Fields => ({
  id: row.id,
  postedDate: dateOf(row),
  amount: withAmount ? row.amount : undefined,
  description: row.description,
  normalizedPayee: row.payee,
  category: row.category,
  type: row.amount < 0 ? "debit" : "credit",
  institutionTransactionId: `t${row.id}`,
});

/**
 * Returns rows, oldest first. Reports look further back than aggregation, even without a load of historic transactions.
 * @param from seconds since 1970
 * @param until seconds since 1970, inclusive
 */
export const rowsBetween = (
  state: State,
  account: Account,
  from: number,
  until: number,
): TransactionRow[] => {
  const { ledger } = account;
  if (ledger === undefined) return [];
  const older = olderThan(state, account, ledger, Math.floor(from / DAY));
  return [older, ledger].flatMap((part) =>
    part === undefined ? [] : rowsAt(part, firstFrom(part, from), firstFrom(part, until + 1)),
  );
};

/** Returns the rows of all accounts, oldest first within each, and the total balance at the time of the request. */
export const everything = (state: State, { holdings, from, until }: Report) => ({
  rows: holdings.flatMap(({ account }) => rowsBetween(state, account, from, until)),
  balance: cents(holdings.reduce((sum, { balance }) => sum + balance, 0)),
});

/** The offset of the ids. It makes them higher than the ids of the ledger itself. */
const OLDER_IDS = 5_000_000;

const olderThan = (state: State, account: Account, ledger: Ledger, fromDay: number): Ledger | undefined => {
  if (fromDay >= ledger.from) return undefined;
  const { id, perDay, kind } = account;
  const range = `${fromDay} ${ledger.from}`;
  const known = latestOlder(state).get(account);
  if (known?.range === range) return known.older;
  const older = emptyLedger(ledger.firstId + OLDER_IDS, fromDay);
  fillDays(older, { seed: `${state.seed} ${id}`, perDay, recurring: kind.deposits }, fromDay, ledger.from);
  latestOlder(state).set(account, { range, older });
  return older;
};

/** The older days of each account that were read last. Several reports of a day read the same days. */
const latestOlder = perState(
  () => new WeakMap<Account, { readonly range: string; readonly older: Ledger }>(),
);
