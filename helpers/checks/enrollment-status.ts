/** Checks that an enrollment returns the status of a new enrollment. */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";
import { instancesAt } from "./rules.ts";

/** Statuses that the document excludes at enrollment. Unknown statuses violate the enum, not this rule. */
const LATER = ["SUSPENDED", "CANCELLED", "LOCKED"];

/** @returns `undefined` when the response has no status at the pointer */
export const checkStatusAtEnrollment = (body: unknown, pointer: string): CheckResult | undefined => {
  const [instance] = instancesAt(body, pointer);
  if (instance === undefined) return undefined;
  return checkThat(!LATER.includes(String(instance.value)), {
    pointer,
    message: `an enrollment returned ${pointer.slice(1).replaceAll("/", ".")} ${instance.value}`,
    expected: "ACTIVE",
    actual: String(instance.value),
  });
};
