/** Refusals of installments. The document shows no error bodies, so these are assumed. */
import type { Answer, Refusal } from "../engine/call.ts";
import type { Violation } from "../engine/validators.ts";
import type { Call } from "./faults.ts";

export const refuse = ({ status, cause, message, violations = [] }: Refusal): Answer =>
  refusal(status, cause, message, violations.map(placeOf).join(", "));

/** @param hint the cause, if the sandbox knows it */
export const notRegistered = (hint: string): Answer =>
  refusal(403, "unregistered", `Only registered partners may call this operation. ${hint}`.trim());

export const notFound = (what: string): Answer =>
  refusal(404, "unknown", `The request refers to a ${what} that does not exist.`);

export const nothingFound = ({ operation: { responses } }: Pick<Call, "operation">): Answer =>
  refusal(responses[404] === undefined ? 400 : 404, "nothing-found", "No result matches the request.");

export const alreadyDecided = (): Answer =>
  refusal(409, "already-decided", "The plan has been approved or declined already.");

/** @param retryAfter seconds */
export const tooManyCalls = (retryAfter: number): Answer => ({
  ...refusal(429, "too-many-calls", "There were too many calls."),
  headers: { "retry-after": String(retryAfter) },
});

export const invalid = (message: string): Answer => refusal(400, "invalid", message);

const refusal = (status: number, cause: string, message: string, details = ""): Answer => ({
  status,
  json: {
    Errors: {
      Error: [
        {
          Source: "installments",
          ReasonCode: cause.replaceAll("-", "."),
          Description: message,
          Recoverable: status >= 500,
          Details: details,
        },
      ],
    },
  },
  cause,
});

const placeOf = ({ path, keyword }: Violation): string => `${path.join(".") || "body"}: ${keyword}`;
