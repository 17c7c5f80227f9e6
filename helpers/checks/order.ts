/** Whether numbers stand in one order throughout: ascending or descending. */
import { type CheckResult, HOLDS, violation } from "./check.ts";

/**
 * @param pointer of what the numbers are, for the message
 * @returns `undefined` when there are not two different ones: any order is one then
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
