/** Whether a response returns the correlation id of its request. */
import { type CheckResult, checkThat, violation } from "./check.ts";

/** Letter case and the optional prefix may be lost on the way: only the UUID at the end is compared. */
export const checkEchoed = (sent: string, returned: unknown): CheckResult => {
  const uuid = sent.slice(-36).toLowerCase();
  return checkThat(typeof returned === "string" && returned.toLowerCase().endsWith(uuid), {
    pointer: "/srcCorrelationId",
    message: "the response returns another srcCorrelationId than the request carried",
    expected: sent,
    actual: String(returned),
  });
};

/** Whether each of several requests without a correlation id got one of its own. */
export const checkGenerated = (returned: readonly unknown[]): CheckResult => {
  const ids = returned.filter((value): value is string => typeof value === "string" && value !== "");
  if (ids.length < returned.length) {
    return violation({
      pointer: "/srcCorrelationId",
      message: "a request without srcCorrelationId got none back",
      expected: "a new srcCorrelationId",
      actual: "none",
    });
  }
  return checkThat(new Set(ids.map((id) => id.toLowerCase())).size === ids.length, {
    pointer: "/srcCorrelationId",
    message: "two requests without srcCorrelationId got the same one back",
    expected: "a new srcCorrelationId for each",
    actual: ids.join(", "),
  });
};
