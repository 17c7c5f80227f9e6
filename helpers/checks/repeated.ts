/** Checks that a call with a known idempotency key makes nothing more (draft-ietf-httpapi-idempotency-key-header, 2.6 and 2.7). */
import { type CheckResult, checkThat, HOLDS } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";

/**
 * @param first the identifier that the first answer showed
 * @param repeated the answer to the same call with the same key, and the identifier that it shows
 * @returns `undefined` when the answer does not show what the call made
 */
export const checkRepeated = (
  first: string,
  { exchange, id }: { readonly exchange: Exchange; readonly id: string | undefined },
): CheckResult | undefined => {
  if (!isAccepted(exchange)) return REFUSALS.includes(statusOf(exchange)) ? HOLDS : undefined;
  // A 202 may show the identifier of a job.
  if (id === undefined || statusOf(exchange) === 202) return undefined;
  return checkThat(id === first, {
    pointer: "",
    message: "a call with a known idempotency key made a second resource",
    ...{ expected: `${first}, or a refusal`, actual: id },
  });
};

/** The statuses that may refuse a known key: services refuse it as a conflict or as invalid. */
const REFUSALS = [400, 409, 422];
