/** The checks of a caller of card enrollment. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../../helpers/contract/json.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { HOLDS, violation } from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import { isAbsent } from "../../../../../helpers/traffic/absent.ts";
import { Memory } from "../../../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { acceptsAnswers } from "../../../judging/answers.ts";
import { type CallerPolicy, history, isRedacted } from "../../../judging/check.ts";
import { commonChecks } from "../../../judging/common-checks.ts";
import { comesFromServer, sendsCredential } from "../../../judging/requests.ts";
import { CARD_CHECKS, FIELD_CHECKS } from "./fields.ts";

const ID = "/srcCorrelationId";
const SEALED = "/encryptedCard";

/** Checks that a correlation id traces one enrollment. */
const tracesOneRequest = history("two enrollments with srcCorrelationId", ({ show }) => {
  const accepted = new Memory<string, Seen>();
  return (seen) => {
    const { exchange, body } = seen;
    const id = atPointer(body, ID);
    if (exchange.operationId !== "putCard" || typeof id !== "string" || isRedacted(id)) return;
    const before = accepted.get(id);
    if (before !== undefined && areDifferent(before, seen)) show(SHARED, seen, before);
    else if (before === undefined && accepted.size > 0 && isAccepted(exchange)) show(HOLDS, seen);
    // A client may correct a refused enrollment under its id.
    if (isAccepted(exchange)) accepted.set(id, seen);
  };
});

/** Encryption gives the same card another text each time, so the texts alone show no difference. */
const areDifferent = (before: Seen, seen: Seen): boolean => {
  if ([before, seen].some(({ exchange }) => isAbsent(exchange.request.body))) return false;
  if (before.marks.body === seen.marks.body) return false;
  const isSealed = [before, seen].every(({ body }) => atPointer(body, SEALED) !== undefined);
  const isOpened = [before, seen].every(({ opened }) => SEALED in opened);
  return !isSealed || isOpened || !isDeepStrictEqual(restOf(before.body), restOf(seen.body));
};

const restOf = (body: unknown): unknown => {
  if (!isObject(body)) return body;
  const { encryptedCard: _, srcCorrelationId: __, ...rest } = body;
  return rest;
};

const SHARED = violation({
  pointer: ID,
  message: "two different enrollments have one srcCorrelationId",
  ...{ expected: "a srcCorrelationId for each request", actual: "the same one" },
});

const isEnrolled = ({ exchange }: Seen): boolean =>
  isAccepted(exchange) && exchange.operationId === "putCard" && exchange.response?.json !== undefined;

export const callerPolicy: CallerPolicy = {
  service: "card-enrollment",
  checks: [
    // A consumer enters the card.
    commonChecks("card-enrollment", () => true),
    FIELD_CHECKS,
    CARD_CHECKS,
    {
      "caller.correlation-id-of-one-request": tracesOneRequest,
      "call.server-to-server": comesFromServer,
      "header.x-openapi-clientid.string": sendsCredential("clientId"),
      "response.maskedConsumer.optional": acceptsAnswers(
        "a 200 response without maskedConsumer",
        (seen) => isEnrolled(seen) && atPointer(seen.answer, "/maskedConsumer") === undefined,
      ),
      "response.digitalCardData.all-optional": acceptsAnswers(
        "a 200 response with an empty digitalCardData",
        (seen) =>
          isEnrolled(seen) && isDeepStrictEqual(atPointer(seen.answer, "/maskedCard/digitalCardData"), {}),
      ),
    },
  ],
  unseen: {
    "enrollment.receipt-represents-pushed-account": "the account that was pushed is known to the client only",
    "request.cardSource.meaning": "which entity enrolls the card is known to the client only",
    "response.maskedCard.panExpirationMonth.presentation": "what a client presents is not sent",
    "response.maskedCard.panExpirationYear.presentation": "what a client presents is not sent",
    "auth.server-to-server-key": "the kind of a key is known to its issuer only",
  },
};
