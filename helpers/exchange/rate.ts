/** Keeps the rate that the user allows. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Allowance } from "./allowance.ts";
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

export const limitRate =
  (perSecond: number | undefined, { turn }: Allowance): Interceptor =>
  (next) => {
    if (perSecond === undefined) return next;
    return async (draft) => {
      await turn();
      return await next(draft);
    };
  };
