/**
 * Rows of values in which every two values of two factors meet, by the algorithm IPO (Y. Lei and K. C. Tai, "In-Parameter-
 * Order", 1998): the two largest factors first, then each other factor in the rows that are there and, for pairs that
 * find no place, in new ones.
 */
import { type Random, randomOf } from "../mocks/engine/values/random.ts";

/** The algorithm chooses among equal values at random; the smallest array of so many attempts is taken. */
const ATTEMPTS = 60;

/**
 * Returns rows with one value of each factor, such that every pair of values of two factors is in a row. The same factors
 * give the same rows.
 */
export const coveringArray = <Value>(factors: readonly (readonly Value[])[]): Value[][] => {
  const order = [...factors.keys()].sort((a, b) => sizeOf(factors, b) - sizeOf(factors, a));
  const sizes = order.map((factor) => sizeOf(factors, factor));
  const arrays = Array.from({ length: ATTEMPTS }, (_, seed) => arrayOf(sizes, randomOf(seed)));
  const smallest = arrays.reduce((best, one) => (one.length < best.length ? one : best));
  const columns = factors.map((_, factor) => order.indexOf(factor));
  return smallest.map((row) =>
    factors.map((values, factor) => values[row[columns[factor] as number] as number] as Value),
  );
};

const sizeOf = (factors: readonly (readonly unknown[])[], factor: number): number =>
  factors[factor]?.length ?? 0;

/** A row with the number of a value of each factor so far; `ANY` where every value will do. */
type Row = number[];
const ANY = -1;

const arrayOf = (sizes: readonly number[], random: Random): Row[] => {
  const rows: Row[] = [[]];
  sizes.forEach((_, factor) => void addFactor(rows, sizes.slice(0, factor + 1), random));
  return rows.map((row) =>
    row.map((value, factor) => (value === ANY ? random.integer(0, (sizes[factor] as number) - 1) : value)),
  );
};

/** Adds the last factor of `sizes` to rows of the others. */
const addFactor = (rows: Row[], sizes: readonly number[], random: Random): void => {
  const added = sizes.length - 1;
  const size = sizes[added] as number;
  const open = openPairs(sizes.slice(0, -1), size);
  for (const row of shuffled([...rows], random)) {
    const gains = Array.from({ length: size }, (_, value) => open.gain(row, value));
    const most = Math.max(...gains);
    const best = gains.flatMap((gain, value) => (gain === most ? [value] : []));
    row[added] = most === 0 ? ANY : random.pick(best);
    if (most > 0) open.close(row, row[added] as number);
  }
  for (const { factor, value, own } of open.left()) {
    if (!open.has(factor, value, own)) continue;
    const place =
      rows.find((row) => fits(row[factor], value) && fits(row[added], own)) ?? newRow(rows, sizes.length);
    place[factor] = value;
    place[added] = own;
    open.close(place, own);
  }
};

const fits = (found: number | undefined, value: number): boolean => found === value || found === ANY;

const newRow = (rows: Row[], length: number): Row => {
  const row = Array.from({ length }, () => ANY);
  rows.push(row);
  return row;
};

/** Keeps the pairs of a value of an earlier factor and a value of the added factor that no row has yet. */
const openPairs = (sizes: readonly number[], size: number) => {
  const open = sizes.map((count) => Array.from({ length: count }, () => new Set(Array(size).keys())));
  const has = (factor: number, value: number, own: number): boolean =>
    open[factor]?.[value]?.has(own) === true;
  return {
    has,
    gain: (row: Row, own: number): number =>
      sizes.reduce((sum, _, factor) => sum + (has(factor, row[factor] as number, own) ? 1 : 0), 0),
    close: (row: Row, own: number): void =>
      sizes.forEach((_, factor) => void open[factor]?.[row[factor] as number]?.delete(own)),
    left: () =>
      open.flatMap((values, factor) =>
        values.flatMap((owns, value) => [...owns].map((own) => ({ factor, value, own }))),
      ),
  };
};

const shuffled = <Item>(items: Item[], random: Random): Item[] => {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const at = random.integer(0, last);
    [items[last], items[at]] = [items[at] as Item, items[last] as Item];
  }
  return items;
};
