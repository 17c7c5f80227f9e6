/** Balances as payments know them: fetched from the institution, then good for as long as the client likes. */

import type { Account } from "./account.ts";
import { perWorld, type World } from "./world.ts";

export interface Balance {
  /** In dollars. */
  readonly amount: number;
  /** Seconds since 1970 at which it was fetched. */
  readonly fetched: number;
}

/** By account id. */
const cache = perWorld(() => new Map<string, Balance>());

/** The latest aggregation fetched one, too. */
export const cachedBalance = (world: World, { id, balance, attempted }: Account): Balance => {
  const known = cache(world).get(id);
  if (known !== undefined && known.fetched >= attempted) return known;
  const aggregated = { amount: balance, fetched: attempted };
  cache(world).set(id, aggregated);
  return aggregated;
};

export const freshBalance = (world: World, { id, balance, attempted }: Account): Balance => {
  const fetched = { amount: balance, fetched: Math.max(world.seconds(), attempted) };
  cache(world).set(id, fetched);
  return fetched;
};

/** @param minutes how old a cached balance may be */
export const balanceWithin = (world: World, account: Account, minutes: number): Balance => {
  const cached = cachedBalance(world, account);
  return minutes > 0 && world.seconds() - cached.fetched < minutes * 60
    ? cached
    : freshBalance(world, account);
};
