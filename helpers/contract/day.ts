/** Reads the day of a date that a document states. */

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/** An HTTP date, in UTC (RFC 9110, 5.6.7). The last of its forms ends with the year. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [A-Z\d][\w -]{5,10} \d{2}:\d{2}:\d{2} (?:GMT|\d{4})$/;

/** @returns the day as it is written, `2026-12-31`; `undefined` if it is neither a date of RFC 3339 nor an HTTP date */
export const dayOf = (text: unknown): string | undefined => {
  const [, day] = RFC_3339.exec(String(text)) ?? [];
  const [date] = HTTP_DATE.exec(String(text)) ?? [];
  const time = Date.parse(day ?? `${date} GMT`);
  const found = Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
  return day === undefined || day === found ? found : undefined;
};
