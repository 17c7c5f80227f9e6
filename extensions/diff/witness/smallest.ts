/** Searches generated values for one that satisfies a test, and shrinks it while the test holds. */
import fc from "fast-check";
import { NoValue } from "../../../helpers/generate/later.ts";

/** The limit for tests of one draw; its result is small enough to read. */
const MOST_QUESTIONS = 400;

/**
 * @param attempts the number of values drawn; every search draws the same values
 * @returns the value in an object, because it may be any value; `undefined` if no value satisfies the test
 */
export const smallest = <Value>(
  values: fc.Arbitrary<Value>,
  attempts: number,
  serves: (value: Value) => boolean,
): { readonly value: Value } | undefined => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = reduced(values, attempt, serves);
    if (found !== undefined) return found;
  }
  return undefined;
};

const reduced = <Value>(
  values: fc.Arbitrary<Value>,
  attempt: number,
  serves: (value: Value) => boolean,
): { readonly value: Value } | undefined => {
  let questions = 0;
  let trouble: unknown;
  const serveNot = (value: Value): boolean => {
    questions += 1;
    try {
      return questions > MOST_QUESTIONS || !serves(value);
    } catch (error) {
      trouble ??= error;
      return true;
    }
  };
  try {
    const seed = Math.imul(attempt + 1, 0x9e37_79b1);
    const { counterexample } = fc.check(fc.property(values, serveNot), { seed, numRuns: 1 });
    if (trouble !== undefined) throw trouble;
    return counterexample === null ? undefined : { value: counterexample[0] };
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
};
