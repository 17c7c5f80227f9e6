/** The time by which everything in one tenant ages. */
export interface Clock {
  now(): Date;
}

export const realClock: Clock = { now: () => new Date() };
