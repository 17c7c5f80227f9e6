/** Waits for something that takes its time: asks again and again, and lets the target's time pass between. */
import type { TrialClock } from "../trials/clock.ts";

export interface Patience {
  readonly everySeconds: number;
  readonly limitSeconds: number;
}

/** @returns what the first attempt gave that gave anything, or `undefined` after the limit */
export const waitUntil = async <Result>(
  clock: TrialClock,
  attempt: () => Promise<Result | undefined>,
  { everySeconds, limitSeconds }: Patience,
): Promise<Result | undefined> => {
  for (let passed = 0; ; passed += everySeconds) {
    const result = await attempt();
    if (result !== undefined || passed >= limitSeconds) return result;
    await clock.pass(everySeconds);
  }
};
