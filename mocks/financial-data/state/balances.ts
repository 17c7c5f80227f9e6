/** Balances for payments: fetched from the institution and cached. The client limits their age. */
import type { Account } from "./account.ts";
import { type State, stored } from "./state.ts";

export interface Balance {
  /** In dollars. */
  readonly amount: number;
  /** Seconds since 1970. The time of the fetch. */
  readonly fetched: number;
}

/** By account id. */
export const fetchedBalances = stored("balances", () => new Map<string, Balance>());

/** Returns the latest balance. An aggregation also fetches the balance. */
export const cachedBalance = (state: State, { id, balance, attempted }: Account): Balance => {
  const known = fetchedBalances(state).get(id);
  if (known !== undefined && known.fetched >= attempted) return known;
  const aggregated = { amount: balance, fetched: attempted };
  fetchedBalances(state).set(id, aggregated);
  return aggregated;
};

export const freshBalance = (state: State, { id, balance, attempted }: Account): Balance => {
  const fetched = { amount: balance, fetched: Math.max(state.seconds(), attempted) };
  fetchedBalances(state).set(id, fetched);
  return fetched;
};

/** @param minutes maximum age of a cached balance */
export const balanceWithin = (state: State, account: Account, minutes: number): Balance => {
  const cached = cachedBalance(state, account);
  return minutes > 0 && state.seconds() - cached.fetched < minutes * 60
    ? cached
    : freshBalance(state, account);
};
