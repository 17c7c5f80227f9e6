/** Builds the fields of a transaction, and the daily balances of an account. */
import type { Fields } from "../engine/values/fields.ts";
import { DAY } from "../engine/values/units.ts";
import type { Account } from "./state/account.ts";
import { firstFrom, type Ledger } from "./state/ledger.ts";
import type { State } from "./state/state.ts";
import type { Entry } from "./state/transaction-listing.ts";

export const transactionFields = (state: State, { account, row }: Entry): Fields => {
  const { transactionDate, postedDate } = datesOf(state, account, row);
  return {
    id: row.id,
    amount: row.amount,
    accountId: account.id,
    customerId: account.customerId,
    status: row.pending ? "pending" : "active",
    description: row.description,
    type: row.amount < 0 ? "debit" : "credit",
    // A transaction cannot be known before its account is known.
    createdDate: row.created ?? Math.max(account.created, row.postedDate ?? row.transactionDate ?? 0),
    transactionDate,
    postedDate,
    categorization: {
      normalizedPayeeName: row.payee,
      category: row.category,
      country: "USA",
      bestRepresentation: row.description,
    },
  };
};

/** A sandbox may leave out the transaction date of a posted transaction. Then the posted date determines the order. */
const datesOf = (
  state: State,
  { type }: Account,
  { transactionDate, postedDate }: Entry["row"],
): Partial<Pick<Entry["row"], "transactionDate" | "postedDate">> =>
  state.differs("only-posted-dates") && type === "savings" && postedDate !== undefined
    ? { postedDate: transactionDate ?? postedDate }
    : { transactionDate, postedDate };

/** Returns the balances of the days with known transactions, calculated backwards from the present balance. */
export const dailyBalances = (
  state: State,
  account: Account,
  from: number,
  to: number,
): readonly Record<string, number>[] => {
  const ledger = state.accounts.ledgerOf(account);
  const first = Math.max(ledger.from, Math.floor(from / DAY));
  const last = Math.min(Math.floor(state.seconds() / DAY), Math.floor(to / DAY));
  const days: Record<string, number>[] = [];
  let ending =
    Math.round(account.balance * 100) - sumBetween(ledger, (last + 1) * DAY, Number.POSITIVE_INFINITY);
  for (let day = last; day >= first; day -= 1) {
    const beginning = ending - sumBetween(ledger, day * DAY, (day + 1) * DAY);
    days.push({ date: day * DAY, beginning: beginning / 100, ending: ending / 100 });
    ending = beginning;
  }
  return days.reverse();
};

/** Returns cents. Pending transactions do not count. */
const sumBetween = (ledger: Ledger, from: number, until: number): number => {
  let sum = 0;
  const end = until === Number.POSITIVE_INFINITY ? ledger.length : firstFrom(ledger, until);
  for (let index = firstFrom(ledger, from); index < end; index += 1) {
    if (ledger.postedDate[index] !== 0) sum += ledger.cents[index] as number;
  }
  return sum;
};
