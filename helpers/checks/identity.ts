/** Checks that one resource always has the same identifier, and that different resources have different identifiers. */
import { withArticle } from "../contract/names.ts";
import { type CheckResult, checkThat } from "../exchange/check-result.ts";

const key = (value: unknown): string => String(value).toLowerCase();

/** @param subject the name of the identified resource, for the message */
export const checkSame = (pointer: string, subject: string, values: readonly unknown[]): CheckResult =>
  checkThat(new Set(values.map(key)).size <= 1, {
    pointer,
    message: `the same ${subject} got different values of ${pointer.slice(1)}`,
    expected: String(values[0]),
    actual: String(values.find((value) => key(value) !== key(values[0]))),
  });

/** @param subject the name of the identified resources, for the message */
export const checkDistinct = (pointer: string, subject: string, values: readonly unknown[]): CheckResult => {
  const keys = values.map(key);
  const repeated = keys.findIndex((one, index) => keys.indexOf(one) < index);
  return checkThat(repeated < 0, {
    pointer,
    message: `different values of ${subject} share one ${pointer.slice(1)}`,
    expected: `${withArticle(pointer.split("/").at(-1) ?? "")} of its own for each ${subject}`,
    actual: String(values[repeated]),
  });
};
