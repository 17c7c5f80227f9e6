/** Units: times are seconds since 1970, dates are in UTC, and money is in dollars. */

/** Seconds per day. */
export const DAY = 86_400;

/** Returns days since 1970. */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY);

/** Returns text like `2026-04-30T12:00:00.000Z`. */
export const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Returns text like `2026-04-30`. */
export const dateOf = (seconds: number): string => instantOf(seconds).slice(0, 10);

/** Rounds to a hundredth. */
export const cents = (dollars: number): number => Math.round(dollars * 100) / 100;
