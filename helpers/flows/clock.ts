/** The clock of a trial: moves the target's clock if possible, or else waits in real time. */
import { setTimeout as wait } from "node:timers/promises";
import { steadyNow } from "../contract/steady-time.ts";
import type { Capabilities } from "../target/capabilities.ts";

export interface TrialClock {
  /** Returns the target's time in milliseconds since 1970: the local time plus `ahead`. */
  now(): number;
  /** The number of milliseconds by which we moved the target's clock. */
  readonly ahead: number;
  /** Lets time pass: immediately if the target's clock can be moved. */
  pass(seconds: number): Promise<void>;
  /** Waits in real time. */
  rest(seconds: number): Promise<void>;
}

export const createClock = ({ advanceClock }: Capabilities): TrialClock => {
  let ahead = 0;
  return {
    now: () => steadyNow() + ahead,
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
    rest: (seconds) => wait(seconds * 1000),
  };
};
