/** Finds recurring transactions: the same description and amount at regular intervals. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { DAY } from "../../engine/values/units.ts";
import type { Account } from "./account.ts";
import { rowsAt, type TransactionRow } from "./ledger.ts";
import type { State } from "./state.ts";

export interface Recurring {
  readonly account: Account;
  /** At least three, in order of date. */
  readonly rows: readonly TransactionRow[];
  /** The average interval. */
  readonly days: number;
}

export const recurringOf = (state: State, account: Account): readonly Recurring[] => {
  const ledger = state.accounts.ledgerOf(account);
  const posted = rowsAt(ledger, 0, ledger.length).filter(({ pending }) => !pending);
  const alike = groupBy(posted, ({ amount, description }) => `${amount} ${description}`);
  return [...alike.values()].flatMap((rows) => {
    const days = evenDistance(rows);
    return days === undefined ? [] : [{ account, rows, days }];
  });
};

/** Returns seconds since 1970. */
export const dateOf = ({ transactionDate, postedDate }: TransactionRow): number =>
  transactionDate ?? postedDate ?? 0;

const FEWEST = 3;
/** Days by which an interval may differ from the average, due to weekends and holidays. */
const TOLERANCE = 3;
const SHORTEST = 5;

const evenDistance = (rows: readonly TransactionRow[]): number | undefined => {
  if (rows.length < FEWEST) return undefined;
  const dates = rows.map(dateOf);
  const distances = dates.slice(1).map((date, index) => (date - (dates[index] as number)) / DAY);
  const average = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  const even = distances.every((distance) => Math.abs(distance - average) <= TOLERANCE);
  return even && average >= SHORTEST ? average : undefined;
};
