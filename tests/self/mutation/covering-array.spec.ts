/** Every two values of two factors meet in a row of a covering array, which is small. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { coveringArray } from "../../../mutation/covering-array.ts";

const factorsOf = (sizes: readonly number[]): string[][] =>
  sizes.map((size, factor) => Array.from({ length: size }, (_, value) => `${factor}-${value}`));

test("Every pair of values of two factors is in a row", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 12 }), (sizes) => {
      const factors = factorsOf(sizes);
      const rows = coveringArray(factors);
      const met = new Set(rows.flatMap((row) => row.flatMap((one) => row.map((other) => `${one} ${other}`))));
      const pairs = factors.flatMap((values, at) =>
        factors
          .slice(at + 1)
          .flatMap((others) => values.flatMap((one) => others.map((other) => `${one} ${other}`))),
      );
      expect(pairs.filter((pair) => !met.has(pair))).toEqual([]);
      expect(rows.length).toBeLessThanOrEqual(factors.flat().length ** 2);
    }),
    { numRuns: 30 },
  );
});

test("An array has hardly more rows than the two largest factors have pairs", () => {
  expect(
    coveringArray(factorsOf([5, 4, ...Array<number>(10).fill(3), ...Array<number>(20).fill(2)])),
  ).toHaveLength(20);
});

test("The same factors give the same rows", () => {
  const factors = factorsOf([4, 3, 3, 2, 2]);
  expect(coveringArray(factors)).toEqual(coveringArray(factors));
});
