/**
 * Rows of values in which every two values of two factors meet, as few as simulated annealing finds (J. Torres-Jimenez and
 * E. Rodriguez-Tello, "New bounds for binary covering arrays using simulated annealing", 2012): one row is left out, then
 * single values are changed until all pairs meet again, and so on. For each row the suite runs for many seconds, so a few
 * seconds of search are well spent.
 */
import { type Random, randomOf } from "../mocks/engine/values/random.ts";

/** After so many steps for each value in the rows, they do not seem to be enough. */
const MOST_STEPS = 1500;

/** The probability of a step that separates one pair more than it joins. Without such steps, the search gets stuck. */
const WORSE = 0.0003;

/**
 * Returns rows with one value of each factor, such that every pair of values of two factors is in a row. The same factors
 * give the same rows.
 */
export const coveringArray = <Value>(factors: readonly (readonly Value[])[]): Value[][] => {
  const values = factors.flat();
  const numbers = numbersOf(factors);
  const random = randomOf(0);
  const [largest = 0, second = 1] = factors.map(({ length }) => length).sort((a, b) => b - a);
  let rows = sufficientRows(numbers, random);
  while (rows.length > largest * second) {
    const fewer = rows.slice(0, -1).map((row) => [...row]);
    if (!joinPairs(fewer, numbers, random)) break;
    rows = fewer;
  }
  return rows.map((row) => row.map((number) => values[number] as Value));
};

/** The numbers of the values of each factor, counted through all factors. */
type Numbers = readonly (readonly number[])[];

const numbersOf = (factors: readonly (readonly unknown[])[]): Numbers => {
  let count = 0;
  return factors.map((factor) => factor.map(() => count++));
};

/** The number of a value of each factor. */
type Row = number[];

/** Returns a row for each pair that no earlier row has. */
const sufficientRows = (numbers: Numbers, random: Random): Row[] => {
  const rows: Row[] = [];
  const pairs = numbers.flatMap((ones, factor) =>
    ones.flatMap((one) => numbers.slice(factor + 1).flatMap((others) => others.map((other) => [one, other]))),
  );
  for (const pair of pairs) {
    if (rows.some((row) => pair.every((number) => row.includes(number)))) continue;
    rows.push(numbers.map((own) => own.find((number) => pair.includes(number)) ?? random.pick(own)));
  }
  return rows;
};

/** Changes values in the rows until every pair is in one. @returns whether it succeeded */
const joinPairs = (rows: readonly Row[], numbers: Numbers, random: Random): boolean => {
  const changeable = numbers.flatMap((own, factor) => (own.length > 1 ? [factor] : []));
  const meetings = meetingsIn(rows, numbers.flat().length);
  const steps = MOST_STEPS * rows.length * numbers.length;
  let open = meetings.open(numbers);
  for (let step = 0; step < steps && open > 0; step += 1) {
    const row = random.pick(rows);
    const factor = random.pick(changeable);
    const value = random.pick(numbers[factor] as readonly number[]);
    if (value === row[factor]) continue;
    const opened = meetings.opened(row, factor, value);
    if (opened > 0 && random.next() > WORSE ** opened) continue;
    meetings.change(row, factor, value);
    open += opened;
  }
  return open === 0;
};

/** Counts in how many rows each two values meet. */
const meetingsIn = (rows: readonly Row[], size: number) => {
  const counts = Array.from({ length: size }, () => new Uint16Array(size));
  const add = (row: Row, factor: number, by: 1 | -1): void => {
    const value = row[factor] as number;
    const own = counts[value] as Uint16Array;
    row.forEach((other, at) => {
      if (at === factor) return;
      const count = (own[other] as number) + by;
      own[other] = count;
      (counts[other] as Uint16Array)[value] = count;
    });
  };
  for (const row of rows) row.forEach((_, factor) => void add(row.slice(0, factor + 1), factor, 1));
  return {
    /** Returns the number of pairs that no row has. */
    open: (numbers: Numbers): number => {
      const isOpen = (one: number) => (other: number) => counts[one]?.[other] === 0;
      return numbers
        .flatMap((own, factor) =>
          own.map((one) =>
            numbers
              .slice(factor + 1)
              .flat()
              .filter(isOpen(one)),
          ),
        )
        .flat().length;
    },
    /** Returns how many more pairs no row would have if the row had another value of the factor. */
    opened: (row: Row, factor: number, value: number): number => {
      const left = counts[row[factor] as number] as Uint16Array;
      const joined = counts[value] as Uint16Array;
      let opened = 0;
      for (let at = 0; at < row.length; at += 1) {
        if (at === factor) continue;
        const other = row[at] as number;
        if (left[other] === 1) opened += 1;
        if (joined[other] === 0) opened -= 1;
      }
      return opened;
    },
    change: (row: Row, factor: number, value: number): void => {
      add(row, factor, -1);
      row[factor] = value;
      add(row, factor, 1);
    },
  };
};
