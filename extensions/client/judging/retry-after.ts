/** Checks that a client keeps the time of `Retry-After` (RFC 9110, 10.2.3) before it sends a request again. */
import { HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { statusOf } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { history, requestOf } from "./check.ts";

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
export const keepsRetryAfter = history(
  "a 429 or 503 with Retry-After whose request is sent again",
  ({ show, atEnd }) => {
    const open = new Memory<string, Refusal[]>(1_000);
    const suspects = new Set<Refusal>();

    const judge = (isOver: (refusal: Refusal) => boolean): void => {
      for (const refusal of [...suspects].filter(isOver)) {
        suspects.delete(refusal);
        const { by, early } = refusal;
        if (early !== undefined) show(tooEarly(refusal, early), early, by);
      }
    };

    /** Returns the refusal that this request follows in time, and marks one that it follows too early. */
    const follow = (refusals: readonly Refusal[], seen: Seen): Refusal | undefined => {
      const kept = refusals.find(({ until }) => seen.start >= until - TOLERANCE);
      if (kept !== undefined) return kept;
      const early = refusals.find((refusal) => refusal.early === undefined && seen.start >= refusal.by.end);
      if (early !== undefined) suspects.add(Object.assign(early, { early: seen }));
      return undefined;
    };

    atEnd(() => judge(() => true));
    return (seen) => {
      judge(({ until }) => seen.start > until + AWAITED);
      const key = requestOf(seen);
      const refusals = open.get(key) ?? [];
      const kept = follow(refusals, seen);
      if (kept !== undefined) suspects.delete(kept);
      const left = refusals.filter((refusal) => refusal !== kept);
      const until = [429, 503].includes(statusOf(seen.exchange)) ? seen.end + waitOf(seen) : Number.NaN;
      if (!Number.isNaN(until)) left.push({ by: seen, until });
      if (left.length > 0) open.set(key, left.slice(-KEPT));
      else open.delete(key);
      if (kept !== undefined) show(HOLDS, seen, kept.by);
    };
  },
);

/** Returns the milliseconds of `Retry-After`; not a number when there is no such header. */
const waitOf = ({ exchange, end }: Seen): number => {
  const text = exchange.response?.headers["retry-after"] ?? "";
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - end;
};

const tooEarly = ({ by, until }: Refusal, early: Seen) =>
  violation({
    pointer: "retry-after",
    message: "a request was sent again before the time of Retry-After",
    expected: `${((until - by.end) / 1000).toFixed(0)} seconds`,
    actual: `${((early.start - by.end) / 1000).toFixed(1)} seconds`,
  });
