/** Checks that a response states when to retry (RFC 9110, 10.2.3). */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** Accepts seconds or a date. */
export const checkRetryAfter = ({ response }: Exchange): CheckResult => {
  const retryAfter = response?.headers["retry-after"];
  return checkThat(
    retryAfter !== undefined && (/^\d+$/.test(retryAfter) || !Number.isNaN(Date.parse(retryAfter))),
    {
      pointer: "retry-after",
      message: `a ${response?.status} with a known recovery time does not tell it`,
      expected: "Retry-After: seconds or a date",
      actual: retryAfter ?? "no such header",
    },
  );
};
