/** Days, dates and money: times are seconds since 1970, dates are of UTC, money is in dollars. */

/** Seconds. */
export const DAY = 86_400;

/** Days since 1970. */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY);

/** `2026-04-30T12:00:00.000Z` */
export const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** `2026-04-30` */
export const dateOf = (seconds: number): string => instantOf(seconds).slice(0, 10);

/** Rounded to a hundredth. */
export const cents = (dollars: number): number => Math.round(dollars * 100) / 100;
