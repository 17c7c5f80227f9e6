/** Checks that a response body is JSON and is declared as JSON. */
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, type ReceivedResponse, sizeOf, statusOf } from "../exchange/exchange.ts";

/**
 * A missing content type is not a violation, because the recipient may examine the content (RFC 9110, 8.3).
 * @param hasToHaveBody whether an empty body is a violation
 * @returns `undefined` when there is no body to judge
 */
export const checkJsonBody = ({ response }: Exchange, hasToHaveBody = false): CheckResult | undefined => {
  if (response === undefined || (sizeOf(response) === 0 && !hasToHaveBody)) return undefined;
  if (response.wrongCoding !== undefined) return wrongCoding(response, response.wrongCoding);
  const type = response.headers["content-type"];
  if (type !== undefined && !/[/+]json\b/i.test(type)) {
    return violation({
      pointer: "content-type",
      message: `a ${response.status} response has a body that is not declared as JSON`,
      expected: "application/json",
      actual: type,
    });
  }
  if (response.json !== undefined) return HOLDS;
  return violation({
    pointer: "",
    message: `the body of a ${response.status} response is no JSON`,
    expected: "a JSON body",
    actual: describedBody(response),
  });
};

/**
 * Whether a gateway before the service has probably refused the call. No document shows its page.
 * @param mayLackCredentials whether the call may have no valid credentials; otherwise only a 401 is of a gateway
 */
export const isOfGateway = (exchange: Exchange, mayLackCredentials: boolean): boolean => {
  const status = statusOf(exchange);
  const isRefused = status === 401 || (mayLackCredentials && status >= 400 && status < 500);
  return isRefused && /\bhtml\b/i.test(exchange.response?.headers["content-type"] ?? "");
};

/** The violation of a body that can't be decoded (RFC 9110, 8.4). */
export const wrongCoding = (response: ReceivedResponse, coding: string): CheckResult =>
  violation({
    pointer: "content-encoding",
    message: `the body of a ${response.status} response does not have its content coding`,
    expected: `a body in the coding ${coding}`,
    actual: describedBody(response),
  });

/** Describes a body that is not JSON. A quotation may contain secrets of any form; the record has the redacted body. */
export const describedBody = (response: ReceivedResponse | undefined): string =>
  response === undefined || sizeOf(response) === 0
    ? "an empty body"
    : `${response.headers["content-type"] ?? "no content type"}, ${sizeOf(response)} bytes`;
