/** Checks that an answer obeys the parameters of its request: filters, date windows and page sizes. */
import { type CheckResult, checkThat, HOLDS, violation } from "../exchange/check-result.ts";

/** The most items that a message names. */
const MOST_NAMED = 5;

/**
 * @param shown the value that each item shows; `undefined` for an item without it
 * @returns `undefined` when no item shows a value
 */
export const checkFilter = (
  parameter: string,
  value: string,
  shown: readonly (string | undefined)[],
  isSame: (one: string, other: string) => boolean,
): CheckResult | undefined => {
  const known = shown.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const others = [...new Set(known.filter((one) => !isSame(one, value)))];
  return checkThat(others.length === 0, {
    pointer: parameter,
    message: `with ${parameter}=${value} a list has other items too`,
    expected: `only items with ${value}`,
    actual: `items with ${others.slice(0, MOST_NAMED).join(", ")}`,
  });
};

/** A window of dates, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether a date counts for a day of the window depends on time zones, which the documents do not state. */
const LEEWAY = 86_400;

/** Whether all dates of an item are certainly before the window, or all after it. It is open which of them counts. */
const isOutside = ({ from, to }: Span, dates: readonly number[]): boolean =>
  dates.length > 0 &&
  (dates.every((date) => date < from - LEEWAY) || dates.every((date) => date > to + LEEWAY));

/** @param dates the dates of each item, in seconds since 1970 @returns `undefined` when no item has a date */
export const checkWindow = (
  parameter: string,
  span: Span,
  dates: readonly (readonly number[])[],
): CheckResult | undefined => {
  if (dates.every(({ length }) => length === 0)) return undefined;
  const outside = dates.find((one) => isOutside(span, one));
  if (outside === undefined) return HOLDS;
  return violation({
    pointer: parameter,
    message: "a list has an item from outside its dates",
    expected: `items from ${dateOf(span.from)} to ${dateOf(span.to)}`,
    actual: outside.map(dateOf).join(" and "),
  });
};

/**
 * Checks that two windows that overlap by a day, and together are another one, have all items of that one: it is open which
 * date counts, and for which day, but not that an item is in neither.
 * @param whole the keys and dates of the items of the other window
 * @param listed the keys of the items of the two windows
 * @returns `undefined` when a server that ignores its dates would give the same lists
 */
export const checkHalves = (
  parameter: string,
  halves: readonly Span[],
  whole: readonly { readonly key: string; readonly dates: readonly number[] }[],
  listed: readonly string[],
): CheckResult | undefined => {
  if (!halves.every((half) => whole.some(({ dates }) => isOutside(half, dates)))) return undefined;
  const lost = whole.filter(({ key, dates }) => dates.length > 0 && !listed.includes(key));
  return checkThat(lost.length === 0, {
    pointer: parameter,
    message: `${lost.length} of ${whole.length} items of a window are in neither of two windows that cover it`,
    expected: `all items in the windows ${halves.map(({ from, to }) => `${dateOf(from)} to ${dateOf(to)}`).join(" and ")}`,
    actual: `not ${lost
      .slice(0, MOST_NAMED)
      .map(({ key }) => key)
      .join(", ")}`,
  });
};

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

export const checkSize = (parameter: string, most: number, items: number): CheckResult =>
  checkThat(items <= most, {
    pointer: parameter,
    message: "a page has more items than it may have",
    expected: `${most} at most`,
    actual: `${items}`,
  });
