/** Checks that a client keeps the time of `Retry-After` (RFC 9110, 10.2.3) before it sends a request again. */
import { statusOf } from "../exchange/exchange.ts";
import { Memory } from "../traffic/memory.ts";
import type { Seen } from "../traffic/seen.ts";
import { broken, type HistoryCheck, met, NOTHING, type Shown, shows } from "./check.ts";
import { requestOf } from "./request-key.ts";

interface Refusal {
  readonly by: Seen;
  /** Milliseconds since 1970: the request may be sent again from this time on. */
  readonly until: number;
  /** An equal request that was sent before that time. */
  early?: Seen;
}

const TOLERANCE = 500;
/** Milliseconds after the time of `Retry-After` in which a client that kept it has sent the request again. */
const AWAITED = 30_000;
/** The number of refusals that are stored for each request. */
const KEPT = 5;

/**
 * An equal request before the time may come from another process or task of the client. If the refused request is also
 * sent again in time, the client has kept it. So an early request is judged when that time is over.
 */
export const keepsRetryAfter = (requirement: string): HistoryCheck => ({
  requirement,
  occasion: "a 429 or 503 with Retry-After whose request is sent again",
  watch() {
    const open = new Memory<string, Refusal[]>(1_000);
    const suspects = new Set<Refusal>();

    const judged = (isOver: (refusal: Refusal) => boolean): readonly Shown[] =>
      [...suspects].filter(isOver).flatMap((refusal) => {
        suspects.delete(refusal);
        return tooEarly(refusal);
      });

    /** Returns the refusal that this request follows in time, and marks one that it follows too early. */
    const follow = (refusals: readonly Refusal[], seen: Seen): Refusal | undefined => {
      const kept = refusals.find(({ until }) => seen.start >= until - TOLERANCE);
      if (kept !== undefined) return kept;
      const early = refusals.find((refusal) => refusal.early === undefined && seen.start >= refusal.by.end);
      if (early !== undefined) suspects.add(Object.assign(early, { early: seen }));
      return undefined;
    };

    return {
      see(seen) {
        const violated = suspects.size === 0 ? NOTHING : judged(({ until }) => seen.start > until + AWAITED);
        const key = requestOf(seen);
        const refusals = open.get(key) ?? [];
        const kept = follow(refusals, seen);
        if (kept !== undefined) suspects.delete(kept);
        const left = refusals.filter((refusal) => refusal !== kept);
        const until = [429, 503].includes(statusOf(seen.exchange)) ? seen.end + waitOf(seen) : Number.NaN;
        if (!Number.isNaN(until)) left.push({ by: seen, until });
        if (left.length > 0) open.set(key, left.slice(-KEPT));
        else open.delete(key);
        return kept === undefined ? violated : [...violated, ...shows(met, seen, kept.by)];
      },
      end: () => judged(() => true),
    };
  },
});

/** Returns the milliseconds of `Retry-After`; not a number when there is no such header. */
const waitOf = ({ exchange, end }: Seen): number => {
  const text = exchange.response?.headers["retry-after"] ?? "";
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - end;
};

const tooEarly = ({ by, until, early }: Refusal): readonly Shown[] =>
  early === undefined
    ? NOTHING
    : shows(
        broken({
          pointer: "retry-after",
          message: "a request was sent again before the time of Retry-After",
          expected: `${((until - by.end) / 1000).toFixed(0)} seconds`,
          actual: `${((early.start - by.end) / 1000).toFixed(1)} seconds`,
        }),
        early,
        by,
      );
