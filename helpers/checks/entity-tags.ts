/** Checks answers to conditions about the state of a resource (RFC 9110, 13.1). */
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";

/** @param of the state that the condition names @returns `undefined` when the answer is a refusal */
export const checkContent = (exchange: Exchange, of: string): CheckResult | undefined => {
  if (isAccepted(exchange)) return HOLDS;
  if (statusOf(exchange) !== 304) return undefined;
  const message = `a read with the entity tag ${of} is answered as not modified`;
  return violation({ pointer: "If-None-Match", message, expected: "the content", actual: "304" });
};

/**
 * @param others statuses with which a call may be answered besides a success
 * @returns `undefined` when the call was refused for another reason than its condition
 */
export const checkAcceptedTag = (exchange: Exchange, others: readonly number[]): CheckResult | undefined => {
  const status = statusOf(exchange);
  if (isAccepted(exchange) || others.includes(status)) return HOLDS;
  if (status !== 412) return undefined;
  const message = "a call with the entity tag of the present state was refused";
  return violation({ pointer: "ETag", message, expected: "accepted", actual: `${status}` });
};
