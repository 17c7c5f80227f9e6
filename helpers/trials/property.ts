/** Tries a property over generated values with fast-check, and shrinks what fails within a call budget. */
import fc from "fast-check";
import { seedOf } from "./seed.ts";

export interface Holds {
  readonly holds: true;
  /** How many values were tried. */
  readonly runs: number;
}

export interface Fails<Value> {
  readonly holds: false;
  /** The smallest failing value that was found within the budget. */
  readonly counterexample: Value;
  readonly runs: number;
  /** How many times a smaller value failed too. */
  readonly shrinks: number;
  /** fast-check's path to the counterexample, to replay it with the same seed. */
  readonly path: string;
}

export interface Property {
  /**
   * Tries values of `arbitrary`, one after the other, until one fails. The values depend on the seed and `name` alone.
   * @param predicate whether the property holds for a value; what it throws is thrown on, never taken for a failure
   */
  tries<Value>(
    name: string,
    arbitrary: fc.Arbitrary<Value>,
    predicate: (value: Value) => Promise<boolean>,
  ): Promise<Holds | Fails<Value>>;
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
    if (!details.failed) return { holds: true, runs: details.numRuns };
    if (details.counterexample === null)
      throw details.errorInstance ?? new Error(`No value of "${name}" could be made.`);
    return {
      holds: false,
      counterexample: details.counterexample[0],
      runs: details.numRuns,
      shrinks: details.numShrinks,
      path: details.counterexamplePath ?? "",
    };
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
