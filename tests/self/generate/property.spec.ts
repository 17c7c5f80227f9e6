/** Properties: values generated from a seed, shrunk within a call budget. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { createProperty } from "../../../helpers/trials/property.ts";

const NUMBERS = fc.nat({ max: 10_000 });

test("a property that holds is tried the requested number of times", async () => {
  let calls = 0;
  const property = createProperty({ seed: 1, runs: 40, callBudget: 10 });
  await property.tries("all", NUMBERS, async () => ++calls > 0);
  expect(calls).toBe(40);
});

test("a failure is shrunk to the smallest example, the same each time", async () => {
  const failing = async (): Promise<number[]> => {
    const values: number[] = [];
    const property = createProperty({ seed: 1, runs: 40, callBudget: 200 });
    await property.tries("small", NUMBERS, async (value) => value < 500 || values.push(value) === 0);
    return values;
  };
  const values = await failing();
  expect(values.at(-1)).toBe(500);
  expect(await failing()).toEqual(values);
});

test("shrinking ends with the budget and returns the smallest failure so far", async () => {
  let failed = false;
  let after = 0;
  const failing: number[] = [];
  const property = createProperty({ seed: 1, runs: 40, callBudget: 3 });
  await property.tries("small", NUMBERS, async (value) => {
    if (failed) after += 1;
    if (value < 500) return true;
    failed = true;
    failing.push(value);
    return false;
  });
  expect(after).toBe(3);
  expect(failing.at(-1)).toBe(Math.min(...failing));
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

test("an error of the predicate is rethrown immediately", async () => {
  const gone = new Error("the target went away");
  let calls = 0;
  const tries = createProperty({ seed: 1, runs: 40, callBudget: 10 }).tries("throws", NUMBERS, async () => {
    calls += 1;
    throw gone;
  });
  await expect(tries).rejects.toBe(gone);
  expect(calls).toBe(1);
});

test("no more values are made after the budget is spent", async () => {
  let made = 0;
  const counted = fc.array(fc.integer(), { minLength: 500, maxLength: 500 }).map((value) => {
    made += 1;
    return value;
  });
  await createProperty({ seed: 1, runs: 5, callBudget: 3 }).tries("many values", counted, async () => false);
  expect(made).toBeLessThan(10);
});
