/** Properties: tried by seed, shrunk within a call budget. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { createProperty } from "../../../helpers/trials/property.ts";

const BELOW_500 = async (value: number): Promise<boolean> => value < 500;
const NUMBERS = fc.nat({ max: 10_000 });

test("a property that holds is tried as often as asked", async () => {
  let calls = 0;
  const property = createProperty({ seed: 1, runs: 40, callBudget: 10 });
  const result = await property.tries("all", NUMBERS, async () => ++calls > 0);
  expect(result).toEqual({ holds: true, runs: 40 });
  expect(calls).toBe(40);
});

test("a failure is shrunk to the smallest example, the same each time", async () => {
  const result = await createProperty({ seed: 1, runs: 40, callBudget: 200 }).tries(
    "small",
    NUMBERS,
    BELOW_500,
  );
  expect(result).toMatchObject({ holds: false, counterexample: 500 });
  const again = await createProperty({ seed: 1, runs: 40, callBudget: 200 }).tries(
    "small",
    NUMBERS,
    BELOW_500,
  );
  expect(again).toEqual(result);
});

test("shrinking ends with the budget and gives the smallest failure so far", async () => {
  let failed = false;
  let after = 0;
  let smallest = Number.POSITIVE_INFINITY;
  const result = await createProperty({ seed: 1, runs: 40, callBudget: 3 }).tries(
    "small",
    NUMBERS,
    async (value) => {
      if (failed) after += 1;
      if (value < 500) return true;
      failed = true;
      smallest = Math.min(smallest, value);
      return false;
    },
  );
  expect(after).toBe(3);
  expect(result).toMatchObject({ holds: false, counterexample: smallest });
});

test("another seed or name tries other values", async () => {
  const tried = async (seed: number, name: string): Promise<number[]> => {
    const values: number[] = [];
    await createProperty({ seed, runs: 10, callBudget: 1 }).tries(
      name,
      NUMBERS,
      async (value) => values.push(value) > 0,
    );
    return values;
  };
  expect(await tried(1, "a")).toEqual(await tried(1, "a"));
  expect(await tried(1, "a")).not.toEqual(await tried(2, "a"));
  expect(await tried(1, "a")).not.toEqual(await tried(1, "b"));
});

test("what the predicate throws is thrown on at once", async () => {
  const gone = new Error("the target went away");
  let calls = 0;
  const tries = createProperty({ seed: 1, runs: 40, callBudget: 10 }).tries("throws", NUMBERS, async () => {
    calls += 1;
    throw gone;
  });
  await expect(tries).rejects.toBe(gone);
  expect(calls).toBe(1);
});
