/** Polls until a result is available. Between attempts, it waits on the target's clock. */
import type { TrialClock } from "./clock.ts";

export interface Patience {
  readonly everySeconds: number;
  readonly limitSeconds: number;
}

/** @returns the first result, or `undefined` after the limit */
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
