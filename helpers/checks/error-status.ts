/** Whether an error body of the sample shape has the error status value that its cause calls for. */
import { type CheckResult, checkThat } from "./check.ts";
import { errorDetails, errorStatus } from "./error-body.ts";

/**
 * @param allowed values, for example `INVALID_ARGUMENT`
 * @returns `undefined` for a body of the declared shape, which has no such value
 */
export const checkErrorStatus = (body: unknown, allowed: readonly string[]): CheckResult | undefined => {
  const status = errorStatus(body);
  if (status === undefined) return undefined;
  return checkThat(allowed.includes(status), {
    pointer: "/status",
    message: `the error status is ${status || "empty"}`,
    expected: allowed.join(" or "),
    actual: status,
  });
};

/**
 * Whether the details place a field of the body in the body. Their reasons are free: the document shows samples.
 * @returns `undefined` when no detail says where its source stands
 */
export const checkDetailsInBody = (body: unknown): CheckResult | undefined => {
  const types = errorDetails(body).flatMap(({ sourceType }) =>
    typeof sourceType === "string" ? [sourceType] : [],
  );
  if (types.length === 0) return undefined;
  const other = types.find((type) => type !== "BODY");
  return checkThat(other === undefined, {
    pointer: "/details/0/sourceType",
    message: `the error places a field of the body in ${other}`,
    expected: "BODY",
    actual: `${other}`,
  });
};

/** Whether an error says in words what is wrong; which words is free. */
export const checkMessage = (body: unknown): CheckResult | undefined => {
  const { message } = (body ?? {}) as { message?: unknown };
  if (typeof message !== "string") return undefined;
  return checkThat(message.trim() !== "", {
    pointer: "/message",
    message: "the error message is empty",
    expected: "a message about what is wrong",
    actual: JSON.stringify(message),
  });
};
