/** Checks that a response returns the correlation id of its request. */
import { type CheckResult, checkThat, violation } from "../exchange/check-result.ts";

/** Compares only the UUID at the end, because a server may change letter case or drop the optional prefix. */
export const checkEchoed = (sent: string, returned: unknown): CheckResult => {
  const uuid = sent.slice(-36).toLowerCase();
  return checkThat(typeof returned === "string" && returned.toLowerCase().endsWith(uuid), {
    pointer: "/srcCorrelationId",
    message: "the response returns another srcCorrelationId than the request carried",
    expected: sent,
    actual: String(returned),
  });
};

/**
 * Checks that each of several requests without a correlation id got a new one.
 * @param others the correlation ids of other requests
 */
export const checkGenerated = (
  returned: readonly unknown[],
  others: readonly unknown[] = [],
): CheckResult => {
  const ids = returned.filter((value): value is string => typeof value === "string" && value !== "");
  if (ids.length < returned.length) {
    return violation({
      pointer: "/srcCorrelationId",
      message: "a request without srcCorrelationId got none back",
      expected: "a new srcCorrelationId",
      actual: "none",
    });
  }
  const all = [...ids, ...others].map((id) => String(id).toLowerCase());
  return checkThat(new Set(all).size === all.length, {
    pointer: "/srcCorrelationId",
    message: "a request without srcCorrelationId got that of another request back",
    expected: "a new srcCorrelationId for each",
    actual: ids.join(", "),
  });
};
