/** Tries a property over generated values with fast-check, and shrinks what fails within a call budget. */
import fc from "fast-check";
import { seedOf } from "./seed.ts";

export interface Property {
  /**
   * Tries values of `arbitrary`, one after the other, until one fails, and then smaller ones: the last to fail is the
   * smallest found within the budget. The values depend on the seed and `name` alone.
   * @param predicate whether the property holds for a value; what it throws is thrown on, never taken for a failure
   */
  tries<Value>(
    name: string,
    arbitrary: fc.Arbitrary<Value>,
    predicate: (value: Value) => Promise<boolean>,
  ): Promise<void>;
}

export interface PropertyOptions {
  readonly seed: number;
  /** Values to try. */
  readonly runs: number;
  /** How many more calls of the predicate may be spent on shrinking. */
  readonly callBudget: number;
}

export const createProperty = ({ seed, runs, callBudget }: PropertyOptions): Property => ({
  async tries(name, arbitrary, predicate) {
    const bounded = withinBudget(predicate, callBudget);
    const details = await fc.check(fc.asyncProperty(arbitrary, bounded.predicate), {
      seed: seedOf(seed, name),
      numRuns: runs,
    });
    if (bounded.thrown !== undefined) throw bounded.thrown.error;
    if (details.failed && details.counterexample === null)
      throw details.errorInstance ?? new Error(`No value of "${name}" could be made.`);
  },
});

/** Once the budget is spent, everything left counts as holding, which ends the shrinking at once. */
const withinBudget = <Value>(predicate: (value: Value) => Promise<boolean>, callBudget: number) => {
  let left = Number.POSITIVE_INFINITY;
  const bounded = {
    thrown: undefined as { error: unknown } | undefined,
    async predicate(value: Value): Promise<boolean> {
      if (bounded.thrown !== undefined || left <= 0) return true;
      left -= 1;
      try {
        const holds = await predicate(value);
        if (!holds && left === Number.POSITIVE_INFINITY) left = callBudget;
        return holds;
      } catch (error) {
        bounded.thrown = { error };
        return true;
      }
    },
  };
  return bounded;
};
