/** The time in which a trial waits: the target's own where it can be moved, else the real one. */
import { setTimeout as wait } from "node:timers/promises";
import type { Capabilities } from "../target/capabilities.ts";

export interface TrialClock {
  /** Milliseconds since 1970 on the target, as far as we moved it. */
  now(): number;
  /** Milliseconds by which we moved the target's clock. */
  readonly ahead: number;
  /** Lets the time pass: at once where the target's clock can be moved. */
  pass(seconds: number): Promise<void>;
}

export const createClock = ({ advanceClock }: Capabilities): TrialClock => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    get ahead() {
      return ahead;
    },
    async pass(seconds) {
      if (advanceClock === undefined) {
        await wait(seconds * 1000);
        return;
      }
      await advanceClock(seconds);
      ahead += seconds * 1000;
    },
  };
};
