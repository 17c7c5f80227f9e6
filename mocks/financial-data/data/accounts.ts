/** Accounts in a data file, with their transactions. */
import { defined } from "../../../helpers/contract/json.ts";
import { DataError, refuseRepeated, within } from "../../engine/data/data-error.ts";
import {
  day,
  described,
  fields,
  flag,
  identifying,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  ownId,
  type Part,
  type RowOf,
  record,
  seconds,
  text,
} from "../../engine/data/parts.ts";
import { loaded } from "../sections/transactions/historic-load.ts";
import { KINDS as ACCOUNT_KINDS, type Account, type Login } from "../state/account.ts";
import { newAccount } from "../state/accounts.ts";
import { NOTHING_GENERATED } from "../state/aggregation.ts";
import { fetchedBalances } from "../state/balances.ts";
import { rowsAt } from "../state/ledger.ts";
import { pending } from "../state/pending.ts";
import type { State } from "../state/state.ts";

/** JSON numbers, because the documents have numbers here. */
const transactionId: Part<number> = {
  ...integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  read: (value, allows) => Number(ownId("transaction").read(value, allows)),
};

const transactionRow = record({
  id: optional(identifying(transactionId, "transaction")),
  amount: described(number, "In dollars; a debit is negative."),
  description: text,
  created: optional(seconds),
  transactionDate: optional(seconds),
  postedDate: optional(
    described(seconds, "Absent while the transaction is pending, if there is a transactionDate."),
  ),
});

export const accountRow = record({
  id: ownId("account"),
  type: oneOf(...ACCOUNT_KINDS.map(({ type }) => type)),
  number: optional(text),
  routingNumber: optional(text),
  name: optional(text),
  status: optional(oneOf("active", "pending")),
  balance: optional(number),
  created: optional(seconds),
  aggregated: optional(described(seconds, "The time of the latest aggregation.")),
  position: optional(integer({ minimum: 1 })),
  perDay: optional(
    described(
      { ...number, schema: { type: "number", minimum: 0 } },
      "The average number of generated transactions per day; 0 generates none.",
    ),
  ),
  fields: optional(described(fields, "Further fields of the account, for example interestRate.")),
  situations: optional(listOf(text)),
  fetchedBalance: optional(record({ amount: number, fetched: seconds })),
  transactions: optional(
    described(listOf(transactionRow), "Without perDay, an account with transactions gets no generated ones."),
  ),
  pendingTransaction: optional(described(transactionId, "It posts after a day.")),
  history: optional(
    described(
      record({
        from: day,
        until: day,
        loaded: described(flag, "Whether a client has loaded the transactions before the usual ones."),
        /** Ids of generated transactions begin at it. */
        range: integer({ minimum: 0 }),
      }),
      "The days whose transactions are generated, up to the last one, which is excluded.",
    ),
  ),
});

export type AccountRow = RowOf<typeof accountRow>;

/** Returns an account that no customer has yet. @param position among the accounts of the customer */
export const accountFrom = (state: State, login: Login, row: AccountRow, position: number): Account => {
  const institution = state.institutions.find(login.institutionId) ?? state.institutions.test();
  const { id, type, status, balance, perDay, transactions } = row;
  const account = newAccount({
    id,
    seed: state.seed,
    login,
    institution,
    wanted: { type, ...defined({ status, balance, perDay }) },
    position: row.position ?? position,
  });
  const isQuiet = perDay === 0 || (perDay === undefined && transactions !== undefined);
  for (const situation of row.situations ?? []) account.marks.add(situation);
  if (isQuiet) account.marks.add(NOTHING_GENERATED);
  const { number: own = account.number, routingNumber = account.routingNumber, name = account.name } = row;
  return {
    ...account,
    perDay: isQuiet ? 0 : account.perDay,
    number: own,
    routingNumber,
    name,
    given: { ...row.fields },
    created: row.created ?? account.created,
    attempted: row.aggregated ?? Math.max(account.attempted, state.seconds()),
  };
};

/** Reserves the ids of its transactions, if the row states them. */
export const reserveRange = (state: State, account: Account, { history }: AccountRow): void => {
  if (history === undefined) return;
  const isTaken = !state.accounts.reserveAt(account, history.range);
  within("history", () => refuseRepeated(isTaken, "range", history.range, "range"));
};

/** Gives the account, which is in the state, what the row says of its transactions. */
export const giveTransactions = (state: State, account: Account, row: AccountRow): void => {
  const { transactions, history, fetchedBalance, pendingTransaction } = row;
  if (fetchedBalance !== undefined) fetchedBalances(state).set(account.id, fetchedBalance);
  if (pendingTransaction !== undefined) pending(state).set(account.id, pendingTransaction);
  if (history?.loaded) loaded(state).add(account.id);
  if (transactions === undefined) return;
  const seen = new Set<number>();
  for (const [index, { id }] of transactions.entries()) {
    if (id === undefined) continue;
    if (seen.has(id) || state.accounts.hasTransaction(id))
      throw new DataError(["transactions", index, "id"], `the id "${id}" repeats`);
    seen.add(id);
  }
  const rows = transactions.map(({ postedDate, ...row }) => {
    const posted = postedDate ?? (row.transactionDate === undefined ? state.seconds() : undefined);
    return { ...row, postedDate: posted };
  });
  state.accounts.give(account, rows, history);
};

/** An account whose transactions nobody has read has none yet: they are generated again from the same seed. */
export const rowOfAccount = (state: State, account: Account): AccountRow => {
  const { id, type, number: own, routingNumber, name, status, balance, created, position, given } = account;
  const { attempted, marks, ledger, reserved } = account;
  return {
    ...{ id, type, number: own, routingNumber, name, status, balance, created, position },
    aggregated: attempted,
    perDay: marks.has(NOTHING_GENERATED) ? 0 : account.perDay,
    fields: given,
    situations: [...marks].filter((mark) => mark !== NOTHING_GENERATED),
    fetchedBalance: fetchedBalances(state).get(id),
    pendingTransaction: pending(state).get(id),
    transactions: ledger && rowsAt(ledger, 0, ledger.length),
    history:
      reserved === undefined
        ? undefined
        : {
            ...(ledger ?? state.accounts.emptied(account)),
            loaded: loaded(state).has(id),
            range: reserved,
          },
  };
};
