/** Describes a set of statuses in one phrase, because a long list of numbers tells a reader nothing. */

/** Returns `400 or 404`; for most of the client errors, `a 4xx other than 401, 403, 429`. */
export const statusWords = (statuses: readonly number[]): string => {
  if (statuses.length <= MOST_LISTED || !statuses.every(isClientError)) return statuses.join(" or ");
  const others = OF_THE_CALLER.filter((status) => !statuses.includes(status));
  return others.length === 0 ? "a 4xx" : `a 4xx other than ${others.join(", ")}`;
};

const MOST_LISTED = 4;

const isClientError = (status: number): boolean => status >= 400 && status < 500;

/** Client errors that do not depend on the content of the request (RFC 9110, 15.5; RFC 6585, 4). */
const OF_THE_CALLER: readonly number[] = [401, 403, 429];
