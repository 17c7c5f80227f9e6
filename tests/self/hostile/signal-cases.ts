/** What the tests of signals share: the ways to send one, random moments, and the time in which processes end. */

/** How a signal is sent: to the command, or to all processes of its group, as a terminal does. */
export const WAYS = [
  { signal: "SIGINT", toAll: true },
  { signal: "SIGTERM", toAll: false },
  { signal: "SIGKILL", toAll: true },
  { signal: "SIGKILL", toAll: false },
  { signal: "SIGHUP", toAll: true },
] as const;

/** The time in which processes end. */
export const GONE_MS = 3_000;

/** Returns the same numbers between 0 and 1 each time (a linear congruential generator). */
export const numbersFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};
