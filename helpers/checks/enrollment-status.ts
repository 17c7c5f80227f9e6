/** Whether a status that an enrollment returns is the one of something newly enrolled. */
import { type CheckResult, checkThat } from "./check.ts";
import { instancesAt } from "./rules.ts";

/** Statuses that the document rules out at enrollment; any other unknown one breaks its enum, not this rule. */
const LATER = ["SUSPENDED", "CANCELLED", "LOCKED"];

/** @returns `undefined` when the response carries no such status */
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
