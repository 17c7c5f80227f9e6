/** Balances as payments know them: fetched from the institution, then good for as long as the client likes. */

import type { Account } from "./account.ts";
import { perState, type State } from "./state.ts";

export interface Balance {
  /** In dollars. */
  readonly amount: number;
  /** Seconds since 1970 at which it was fetched. */
  readonly fetched: number;
}

/** By account id. */
const cache = perState(() => new Map<string, Balance>());

/** The latest aggregation fetched one, too. */
export const cachedBalance = (state: State, { id, balance, attempted }: Account): Balance => {
  const known = cache(state).get(id);
  if (known !== undefined && known.fetched >= attempted) return known;
  const aggregated = { amount: balance, fetched: attempted };
  cache(state).set(id, aggregated);
  return aggregated;
};

export const freshBalance = (state: State, { id, balance, attempted }: Account): Balance => {
  const fetched = { amount: balance, fetched: Math.max(state.seconds(), attempted) };
  cache(state).set(id, fetched);
  return fetched;
};

/** @param minutes how old a cached balance may be */
export const balanceWithin = (state: State, account: Account, minutes: number): Balance => {
  const cached = cachedBalance(state, account);
  return minutes > 0 && state.seconds() - cached.fetched < minutes * 60
    ? cached
    : freshBalance(state, account);
};
