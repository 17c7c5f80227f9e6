/** The checks of a caller of card enrollment. */
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { acceptsAnswers } from "../../../judging/answers.ts";
import type { CallerPolicy } from "../../../judging/check.ts";
import { commonChecks } from "../../../judging/common-checks.ts";
import { comesFromServer, sendsCredential } from "../../../judging/requests.ts";
import { tracesOneRequest } from "./correlation.ts";
import { CARD_CHECKS, FIELD_CHECKS } from "./fields.ts";

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
        (seen) => {
          const data = atPointer(seen.answer, "/maskedCard/digitalCardData");
          return (
            isEnrolled(seen) && typeof data === "object" && data !== null && Object.keys(data).length === 0
          );
        },
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
