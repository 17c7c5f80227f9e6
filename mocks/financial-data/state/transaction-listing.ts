/** Lists the transactions of one or more accounts by date. The cost of a page does not depend on its position. */
import { firstIndex } from "../../engine/values/search.ts";
import type { Account } from "./account.ts";
import { firstFrom, type Ledger, rowAt, sortKey, type TransactionRow } from "./ledger.ts";
import { pendingIndexes } from "./pending.ts";
import type { State } from "./state.ts";

export interface Entry {
  readonly account: Account;
  readonly row: TransactionRow;
}

export interface Listing {
  readonly found: number;
  /** Changes whenever an entry may have changed. */
  readonly revision: string;
  /** @param start counts from 1 */
  page(start: number, limit: number, sort: "asc" | "desc"): readonly Entry[];
}

export const listingOf = (
  state: State,
  accounts: readonly Account[],
  window: {
    /** Seconds since 1970, both inclusive. */
    readonly from: number;
    readonly to: number;
    readonly includePending: boolean;
  },
): Listing => {
  const sources = accounts.map((account) => sourceOf(account, state.accounts.ledgerOf(account), window));
  const found = sources.reduce((sum, source) => sum + shownBefore(source, source.until), 0);
  return {
    found,
    revision: sources
      .map(({ account, ledger }) => `${account.id} ${ledger.revision} ${account.balance}`)
      .join(),
    page: (start, limit, sort) => {
      const skipped = Math.max(0, start - 1);
      const count = Math.max(0, Math.min(limit, found - skipped));
      if (sort === "asc") return ascending(sources, skipped, count);
      return [...ascending(sources, found - skipped - count, count)].reverse();
    },
  };
};

interface Source {
  readonly account: Account;
  readonly ledger: Ledger;
  /** Indexes of hidden rows, in order. */
  readonly hidden: readonly number[];
  /** The first index in the window, and the first after it. */
  readonly from: number;
  readonly until: number;
}

const sourceOf = (
  account: Account,
  ledger: Ledger,
  { from, to, includePending }: Parameters<typeof listingOf>[2],
): Source => {
  const first = firstFrom(ledger, from);
  const until = Math.max(first, firstFrom(ledger, to + 1));
  const hidden = includePending
    ? []
    : pendingIndexes(ledger).filter((index) => index >= first && index < until);
  return { account, ledger, hidden, from: first, until };
};

const shownBefore = ({ from, hidden }: Source, index: number): number =>
  index - from - hidden.filter((one) => one < index).length;

const indexAt = ({ ledger, from, until }: Source, seconds: number): number =>
  Math.min(until, Math.max(from, firstFrom(ledger, seconds)));

/** Finds the second at which the page begins by binary search, without reading the earlier pages. */
const ascending = (sources: readonly Source[], skipped: number, count: number): readonly Entry[] => {
  if (count === 0) return [];
  const before = (seconds: number): number =>
    sources.reduce((sum, source) => sum + shownBefore(source, indexAt(source, seconds)), 0);
  const low = firstIndex(1, LAST_SECOND + 1, (second) => before(second) > skipped) - 1;
  const cursors = sources.map((source) => indexAt(source, low));
  const entries: Entry[] = [];
  for (let left = skipped - before(low); entries.length < count; left -= 1) {
    const at = earliest(sources, cursors);
    const source = sources[at];
    if (source === undefined) break;
    const index = cursors[at] as number;
    cursors[at] = index + 1;
    if (left <= 0) entries.push({ account: source.account, row: rowAt(source.ledger, index) });
  }
  return entries;
};

/** The end of the range of 32-bit dates. */
const LAST_SECOND = 2 ** 32;

/** @returns the index of the source with the next entry, or -1 */
const earliest = (sources: readonly Source[], cursors: number[]): number => {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, { ledger, hidden, until }] of sources.entries()) {
    while (hidden.includes(cursors[at] as number)) cursors[at] = (cursors[at] as number) + 1;
    const index = cursors[at] as number;
    if (index >= until || sortKey(ledger, index) >= least) continue;
    best = at;
    least = sortKey(ledger, index);
  }
  return best;
};
