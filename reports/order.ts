/** Groups and orders the lines of a report. */
import { groupBy } from "../helpers/contract/memoize.ts";

/** Orders texts by code units, so that the locale does not affect a certificate. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface Group<T> {
  readonly title: string;
  readonly items: readonly T[];
}

/** Groups items by title, in the order in which titles first occur. */
export const groupByTitle = <T>(items: readonly T[], titleOf: (item: T) => string): Group<T>[] =>
  [...groupBy(items, titleOf)].map(([title, members]) => ({ title, items: members }));

/** Orders the largest group first, and groups of the same size by title. */
export const largestFirst = <T>(a: Group<T>, b: Group<T>): number =>
  b.items.length - a.items.length || byText(a.title, b.title);
