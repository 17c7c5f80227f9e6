/** Groups and orders what is told. */
import { groupedBy } from "../helpers/grouped.ts";

/** Orders texts by code units, so that no locale changes what a certificate looks like. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface Group<T> {
  readonly title: string;
  readonly items: readonly T[];
}

/** In the order in which titles first come up. */
export const grouped = <T>(items: readonly T[], titleOf: (item: T) => string): Group<T>[] =>
  [...groupedBy(items, titleOf)].map(([title, members]) => ({ title, items: members }));

/** The largest group first; titles break a tie. */
export const largestFirst = <T>(a: Group<T>, b: Group<T>): number =>
  b.items.length - a.items.length || byText(a.title, b.title);
