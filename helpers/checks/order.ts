/** Checks that numbers are sorted, ascending or descending. */
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";

/**
 * @param pointer pointer of the numbers, for the message
 * @returns `undefined` when all numbers are equal, which shows no order
 */
export const checkOrder = (pointer: string, values: readonly number[]): CheckResult | undefined => {
  const steps = values.slice(1).map((value, index) => value - (values[index] as number));
  const rise = steps.findIndex((step) => step > 0);
  const fall = steps.findIndex((step) => step < 0);
  if (rise < 0 && fall < 0) return undefined;
  if (rise < 0 || fall < 0) return HOLDS;
  const at = Math.max(rise, fall);
  return violation({
    pointer,
    message: `the list is not sorted by ${pointer.slice(1)}`,
    expected: "ascending or descending throughout",
    actual: `… ${values.slice(Math.max(0, at - 1), at + 2).join(", ")} …`,
  });
};
