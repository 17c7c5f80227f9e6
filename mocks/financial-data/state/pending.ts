/** Card purchases that a refresh finds before they post. They are pending for a day. */
import { randomOf } from "../../engine/values/random.ts";
import { DAY } from "../../engine/values/units.ts";
import type { Account } from "./account.ts";
import { NOTHING_GENERATED } from "./aggregation.ts";
import { idAt, indexOfId, type Ledger, post, renumber } from "./ledger.ts";
import { type State, stored } from "./state.ts";

/** Ids of transactions by account id. */
export const pending = stored("pending-transactions", () => new Map<string, number>());

const PAID_BY_CARD = ["checking", "creditCard"];

/** Adds at most one per account. @returns the id of the pending transaction, or `undefined` */
export const bringPending = (state: State, account: Account): number | undefined => {
  const waiting = pending(state);
  const known = waiting.get(account.id);
  if (known !== undefined || !PAID_BY_CARD.includes(account.type)) return known;
  if (account.marks.has(NOTHING_GENERATED)) return undefined;
  const ledger = state.accounts.ledgerOf(account);
  const transactionDate = state.seconds();
  const random = randomOf(`${state.seed} pending ${account.id} ${transactionDate}`);
  const paid = { amount: -random.integer(3_00, 80_00) / 100, description: "SIDE STREET DINER" };
  const index = post(ledger, { transactionDate, postedDate: undefined, created: transactionDate, ...paid });
  const id = idAt(ledger, index);
  waiting.set(account.id, id);
  return id;
};

/** Posts the transaction after it has been pending for a day. */
export const settlePending = (state: State, account: Account): void => {
  const id = pending(state).get(account.id);
  const { ledger } = account;
  if (id === undefined || ledger === undefined) return;
  const index = indexOfId(ledger, id);
  const postedDate = (ledger.transactionDate[index] as number) + DAY;
  if (postedDate > state.seconds()) return;
  pending(state).delete(account.id);
  ledger.postedDate[index] = postedDate;
  if (state.differs("pending-posts-anew")) renumber(ledger, index);
  ledger.revision += 1;
  state.accounts.book(account, ledger, [index]);
};

/** Returns the indexes of pending transactions, in order. They are cached by revision of the ledger. */
export const pendingIndexes = (ledger: Ledger): readonly number[] => {
  const known = found.get(ledger);
  if (known?.revision === ledger.revision) return known.indexes;
  const indexes: number[] = [];
  for (let index = 0; index < ledger.length; index += 1)
    if (ledger.postedDate[index] === 0) indexes.push(index);
  found.set(ledger, { revision: ledger.revision, indexes });
  return indexes;
};

const found = new WeakMap<Ledger, { readonly revision: number; readonly indexes: readonly number[] }>();
