/** Checks that a response has a documented status. */
import type { Operation } from "../contract/contract.ts";
import { responseOf } from "../contract/lookups.ts";
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import { isOfNoMediaType } from "./refusal.ts";

/** Statuses that ask the client to wait (RFC 9110, 15.6.4; RFC 6585, 4). They never violate a requirement. */
export const INTERRUPTIONS: readonly number[] = [429, 503];

/** @param general statuses that the document defines for all operations */
export const checkDocumentedStatus = (
  operation: Operation,
  exchange: Exchange,
  general: readonly number[] = [],
): CheckResult => {
  const status = statusOf(exchange);
  const isDocumented =
    responseOf(operation, status) !== undefined ||
    [...general, ...INTERRUPTIONS].includes(status) ||
    isOfNoMediaType(exchange);
  if (isDocumented) return HOLDS;
  return violation({
    pointer: "",
    message: `${operation.operationId} answered with the undocumented status ${status}`,
    expected: `one of ${[...Object.keys(operation.responses), ...Object.keys(operation.statusClasses ?? {})].join(", ")}`,
    actual: `${status}`,
  });
};
