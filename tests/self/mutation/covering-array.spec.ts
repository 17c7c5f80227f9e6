/** Every two values of two factors meet in a row of a covering array. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { coveringArray } from "../../../mutation/covering-array.ts";

test("Every pair of values of two factors is in a row", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 12 }), (sizes) => {
      const factors = sizes.map((size, factor) =>
        Array.from({ length: size }, (_, value) => `${factor}-${value}`),
      );
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
