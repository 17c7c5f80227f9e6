/** Tries a property over generated values with fast-check, and shrinks failures within a call budget. */
import fc from "fast-check";
import { seedOf } from "./seed.ts";

export interface Property {
  /**
   * Tries values of `arbitrary` until one fails, then shrinks the failing value. The last failing value is the smallest
   * one found within the budget. The values depend only on the seed and `name`.
   * @param predicate whether the property holds for a value; an error is thrown to the caller and is not a failure
   * @param callBudget the maximum number of predicate calls for shrinking, if not the usual one
   */
  tries<Value>(
    name: string,
    arbitrary: fc.Arbitrary<Value>,
    predicate: (value: Value) => Promise<boolean>,
    callBudget?: number,
  ): Promise<void>;
}

export const createProperty = ({
  seed,
  runs,
  callBudget: usual,
}: {
  readonly seed: number;
  /** The number of values to try. */
  readonly runs: number;
  /** The maximum number of predicate calls for shrinking. */
  readonly callBudget: number;
}): Property => ({
  async tries(name, arbitrary, predicate, callBudget = usual) {
    const state = { left: Number.POSITIVE_INFINITY, thrown: undefined as { error: unknown } | undefined };
    const hasEnded = () => state.thrown !== undefined || state.left <= 0;
    const bounded = fc.asyncProperty(arbitrary, async (value) => {
      if (hasEnded()) return true;
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
    const shrink = bounded.shrink.bind(bounded);
    bounded.shrink = (value) => fc.stream(until(hasEnded, shrink(value)));
    const details = await fc.check(bounded, { seed: seedOf(seed, name), numRuns: runs });
    if (state.thrown !== undefined) throw state.thrown.error;
    if (details.failed && details.counterexample === null)
      throw details.errorInstance ?? new Error(`No value of "${name}" could be generated.`);
  },
});

/** Ends with the budget: making a smaller value can take long, even if it is not tried. */
function* until<Value>(hasEnded: () => boolean, values: Iterable<Value>): Generator<Value> {
  for (const value of values) {
    if (hasEnded()) return;
    yield value;
  }
}
