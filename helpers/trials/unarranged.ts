/** Why a resource is not arranged, in words. */
import { describedBody } from "../checks/json-body.ts";
import type { Operation, ResourcePlace } from "../contract/contract.ts";
import { withArticle } from "../contract/names.ts";
import { adviceToSet, isFromDocument, optionToGive, type Setting } from "../contract/services.ts";
import { shownValue } from "../exchange/check-result.ts";
import { type Exchange, sizeOf, statusOf } from "../exchange/exchange.ts";
import { because, causeOf, type Reason, sentenceOf } from "../reasons/reason.ts";
import { NotArranged, NotTried, TargetLost } from "./stopped.ts";

/** The identifier, or what is missing, as in `needs sender: set PARCEL_PICKUP_SENDER_ID`, or the failure. */
export type Arranged =
  | { readonly value: string }
  /** `asked`: the target was asked for it, but its answer did not give it. */
  | { readonly missing: Reason; readonly asked?: true }
  | { readonly failed: Reason };

/** Whether the target refused the call. Which payload is valid may be assumed, so a refusal shows no violation. */
export const isRefusal = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && !OF_THE_CALLER.includes(statusOf(exchange));

/** Refusals of the caller, with any payload. */
const OF_THE_CALLER: readonly number[] = [401, 403, 407, 429];

/** @param answer the words for what the target answered */
export const notReturned = (
  { operationId }: Operation,
  { resource }: ResourcePlace,
  answer: string,
): Reason => because("not-returned", operationId, withArticle(resource), answer);

export const refusalWords = (exchange: Exchange): string => `${statusOf(exchange)}${wordsOf(exchange)}`;

/** Returns the server's answer, in parentheses. The judge cuts it, after it has redacted it. */
const wordsOf = ({ response }: Exchange): string => {
  if (response === undefined || sizeOf(response) === 0) return "";
  return ` (${response.json === undefined ? describedBody(response) : shownValue(response.json)})`;
};

export const answerOf = (exchange: Exchange): string =>
  exchange.failure === undefined ? `${statusOf(exchange)}` : exchange.failure.message;

/** Turns an error of arranging into the reason why a resource is not arranged. */
export const unarranged = (error: unknown): Exclude<Arranged, { readonly value: string }> => {
  if (error instanceof NotTried)
    return { missing: error.reason, ...(error instanceof NotArranged && { asked: true }) };
  if (error instanceof TargetLost) return { failed: error.reason };
  throw error;
};

/** Says what the user may give, or why nothing else provides the resource. */
export const whyMissing = (
  { resource, isKeptApart }: { readonly resource: string; readonly isKeptApart: boolean },
  source: Setting | undefined,
  reasons: readonly Reason[],
): Reason => {
  const [first] = reasons;
  const unbound = source && reasons.find((one) => causeOf(one).code === "name-left-open");
  const also = unbound === undefined ? "" : `; or ${sentenceOf(unbound)}`;
  const own = source === undefined ? first : `${adviceToSet(source)}${also}`;
  if (isKeptApart) return because("lacks-own", resource, own ?? "create one");
  if (source !== undefined)
    return isFromDocument()
      ? because("lacks-given", resource, `${optionToGive(source)}${also}`)
      : because("lacks-setting", resource, `${source.name}${also}`);
  return first === undefined ? because("unprovided", resource) : because("lacks-resource", resource, first);
};
