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
    const state = { left: Number.POSITIVE_INFINITY, thrown: undefined as { error: unknown } | undefined };
    // Once the budget is spent, everything left counts as holding, which ends the shrinking at once.
    const bounded = fc.asyncProperty(arbitrary, async (value) => {
      if (state.thrown !== undefined || state.left <= 0) return true;
      state.left -= 1;
      try {
        const holds = await predicate(value);
        if (!holds && state.left === Number.POSITIVE_INFINITY) state.left = callBudget;
        return holds;
      } catch (error) {
        state.thrown = { error };
        return true;
      }
    });
    const details = await fc.check(bounded, { seed: seedOf(seed, name), numRuns: runs });
    if (state.thrown !== undefined) throw state.thrown.error;
    if (details.failed && details.counterexample === null)
      throw details.errorInstance ?? new Error(`No value of "${name}" could be made.`);
  },
});
