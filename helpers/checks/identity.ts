/** Whether identifiers are the same where one thing is meant, and different where several are. */
import { type CheckResult, HOLDS, violation } from "./check.ts";

const key = (value: unknown): string => String(value).toLowerCase();

/** @param thing that all the identifiers stand for, for the message */
export const checkSame = (pointer: string, thing: string, values: readonly unknown[]): CheckResult => {
  if (new Set(values.map(key)).size <= 1) return HOLDS;
  return violation({
    pointer,
    message: `the same ${thing} got different values of ${pointer.slice(1)}`,
    expected: String(values[0]),
    actual: String(values.find((value) => key(value) !== key(values[0]))),
  });
};

/** @param thing of which each identifier stands for another one */
export const checkDistinct = (pointer: string, thing: string, values: readonly unknown[]): CheckResult => {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(key(value))) {
      return violation({
        pointer,
        message: `different values of ${thing} share one ${pointer.slice(1)}`,
        expected: `a ${pointer.split("/").at(-1)} of its own for each ${thing}`,
        actual: String(value),
      });
    }
    seen.add(key(value));
  }
  return HOLDS;
};
