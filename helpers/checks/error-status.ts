/** Checks that an error body of the sample shape has the right error status for its cause. */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";
import { errorDetails, errorStatus } from "./error-body.ts";

/**
 * @param allowed allowed values, for example `INVALID_ARGUMENT`
 * @returns `undefined` for a body of the declared shape, which has no error status
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
 * Checks that the details locate a body field in the body. Their reasons may have any text, because the document only
 * gives samples.
 * @returns `undefined` when no detail states the type of its source
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

/** Checks that an error has a message. The message may have any text. */
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
