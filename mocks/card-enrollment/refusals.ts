/** Error bodies of card enrollment, in the shape of the document's samples (Error body; Errors). */
import type { Answer, Refusal } from "../engine/call.ts";
import type { Violation } from "../engine/validators.ts";

export interface Detail {
  readonly reason: "CANNOT_BE_NULL" | "INVALID_VALUE";
  /** The dotted path of the invalid parameter. */
  readonly source: string;
  readonly message: string;
  readonly sourceType: "BODY" | "HEADER";
}

export const refuse = (refusal: Refusal): Answer => {
  if (refusal.violations !== undefined) return invalidArgument(refusal.violations);
  const detail = refusal.status === 400 ? [bodyDetail(refusal)] : [];
  return errorAnswer(refusal.status, STATUSES[refusal.status] ?? "INVALID_ARGUMENT", refusal.message, {
    cause: refusal.cause,
    details: detail,
  });
};

/** @param within dotted path of the validated structure, if it is not the body */
export const invalidArgument = (violations: readonly Violation[], within = ""): Answer =>
  errorAnswer(400, "INVALID_ARGUMENT", MALFORMED, {
    cause: causeOf(violations[0], within),
    details: violations.slice(0, MOST_DETAILS).map((violation) => detailOf(violation, within)),
  });

/** Refuses a well-formed value for which there is no resource. */
export const invalidState = (source: string, cause: string): Answer =>
  errorAnswer(400, "INVALID_STATE", `The value of ${source} is unknown to this service.`, {
    cause,
    details: [
      { reason: "INVALID_VALUE", source, message: "The value could not be resolved.", sourceType: "BODY" },
    ],
  });

/** @param header the name of the header with the key */
export const unauthorized = (status: 401 | 403, header: string, cause: string, message: string): Answer => {
  const reason = cause === "absent-key" ? "CANNOT_BE_NULL" : "INVALID_VALUE";
  return errorAnswer(status, STATUSES[status] ?? "", "The authorization check failed.", {
    cause,
    details: [{ reason, source: header, message, sourceType: "HEADER" }],
  });
};

export const internalFailure = (): Answer =>
  errorAnswer(500, "INTERNAL", "The service failed.", { cause: "internal" });

/** @param retryAfter seconds or a date */
export const unavailable = (retryAfter: string): Answer => ({
  ...errorAnswer(503, "UNAVAILABLE", "The service is temporarily unavailable.", { cause: "unavailable" }),
  headers: { "retry-after": retryAfter },
});

/** @param retryAfter seconds */
export const tooManyCalls = (retryAfter: number): Answer => ({
  ...errorAnswer(429, "RESOURCE_EXHAUSTED", "There were too many calls.", { cause: "too-many-calls" }),
  headers: { "retry-after": String(retryAfter) },
});

export const conflict = (): Answer =>
  errorAnswer(409, "ALREADY_EXISTS", "The card is enrolled already.", { cause: "repeated" });

/**
 * Refuses in the declared shape, as an earlier implementation of the service does. The document's samples contradict
 * this shape.
 */
export const inDeclaredShape = (source: string): Answer => {
  const detail: Detail = {
    reason: "INVALID_VALUE",
    source,
    message: "The value could not be resolved.",
    sourceType: "BODY",
  };
  return {
    status: 400,
    json: { message: "The client is refused.", reason: "INVALID_VALUE", status: 400, errordetail: [detail] },
    cause: "declared-shape",
  };
};

/**
 * Converts a refusal from the sample shape to the declared shape. Returns a refusal in the declared shape unchanged.
 */
export const otherShape = (json: unknown): unknown => {
  const sample = json as { code?: number; message: string; details?: readonly Detail[] };
  if (sample.code === undefined) return json;
  const { code, message, details = [] } = sample;
  return { message, reason: details[0]?.reason ?? "INVALID_VALUE", status: code, errordetail: details };
};

const MALFORMED = "The request is malformed, or fields or values are missing or incorrect.";
const MOST_DETAILS = 20;

const STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  500: "INTERNAL",
};

const errorAnswer = (
  code: number,
  status: string,
  message: string,
  { cause, details = [] }: { readonly cause: string; readonly details?: readonly Detail[] },
): Answer => ({
  status: code,
  json: { code, status, message, ...(details.length > 0 && { details }) },
  cause,
});

const bodyDetail = ({ cause, message }: Refusal): Detail => ({
  reason: cause === "missing-body" ? "CANNOT_BE_NULL" : "INVALID_VALUE",
  source: "body",
  message,
  sourceType: "BODY",
});

const detailOf = ({ path, keyword, absent }: Violation, within: string): Detail => ({
  reason: absent ? "CANNOT_BE_NULL" : "INVALID_VALUE",
  source: [within, ...path].filter((segment) => segment !== "").join(".") || "body",
  message: absent ? "A value is missing." : `The value violates the rule "${keyword}".`,
  sourceType: "BODY",
});

const causeOf = (violation: Violation | undefined, within: string): string => {
  const { keyword = "", path = [] } = violation ?? {};
  if (keyword === "required") {
    return within === "card" && path.at(-1) === "primaryAccountNumber" ? "missing-pan" : "missing";
  }
  if (keyword === "pattern" || keyword === "format") return "format";
  return keyword === "type" ? "type" : "schema";
};
