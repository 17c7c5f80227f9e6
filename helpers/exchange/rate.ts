/** Keeps the rate that the user allows: a token bucket that holds one token. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Interceptor } from "./draft.ts";

export interface Clock {
  /** Milliseconds, from any origin. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export const wallClock: Clock = {
  now: () => performance.now(),
  wait: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/**
 * Spaces requests evenly: a server may count over any second it likes, so a burst after a quiet time would
 * exceed the rate as well.
 */
export const limitRate =
  (perSecond: number | undefined, clock: Clock): Interceptor =>
  (next) => {
    if (perSecond === undefined) return next;
    let free = Number.NEGATIVE_INFINITY;
    return async (draft) => {
      const now = clock.now();
      const start = Math.max(now, free);
      free = start + 1000 / perSecond;
      if (start > now) await clock.wait(start - now);
      return await next(draft);
    };
  };
