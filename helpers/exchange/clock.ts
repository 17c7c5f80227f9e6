/** The time by which the rate is kept. */
import { setTimeout as sleep } from "node:timers/promises";

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
