/** Permitted differences in the requests that are accepted: the card, the receipt, and the form of the values. */
import type { DeviationRow, RequestEffect } from "../engine/deviations/deviation.ts";
import { switched } from "../engine/deviations/rows.ts";

const rule = (
  pointer: string,
  keyword: string,
  to: unknown,
  of: "putCard" | "Card" = "putCard",
): RequestEffect => ({ kind: "request", of, pointer, edit: { set: keyword, to } });

/** Requirements that only an accepted card number, or a refused part of a card, shows. */
const OF_CARD_NUMBERS = [
  "enrollment.card-number-path",
  "errors.INVALID_ARGUMENT.missing-primaryAccountNumber",
  "request.card.*",
  "request.encryptedCard.type",
  "response.maskedCard.panBin.first-pan-digits",
  "response.maskedCard.panLastFour.last-pan-digits",
  "response.maskedCard.paymentAccountReference.non-financial",
];

/** Requirements that only an accepted receipt shows. */
const OF_RECEIPTS = ["enrollment.push-account-receipt-path", "request.enrolmentReferenceData.*"];

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

export const REQUEST_DIFFERENCES = [
  {
    name: "other-encryption",
    group: "encryption",
    what: "Cards are encrypted with other algorithms, which the configuration names.",
    gaps: ["encryptedCard encryption"],
    effects: ["other-algorithms"],
  },
  {
    name: "encryption-unknown",
    group: "encryption",
    what: "Cards are encrypted in a way that the caller does not know.",
    gaps: ["encryptedCard encryption"],
    effects: ["cards-unreadable"],
    silences: OF_CARD_NUMBERS,
  },
  {
    name: "card-by-any-text",
    group: "encryption",
    what: "A text that is not in compact form is accepted as a reference to a card.",
    gaps: ["encryptedCard compact form"],
    effects: ["text-as-card"],
  },
  {
    name: "card-before-receipt",
    what: "A request with both a card and a receipt enrolls the card.",
    gaps: ["both or neither of encryptedCard and enrolmentReferenceData"],
    effects: ["both-accepted"],
  },
  {
    name: "card-on-file",
    what: "A request with neither a card nor a receipt enrolls the card that the consumer has on file.",
    gaps: ["both or neither of encryptedCard and enrolmentReferenceData"],
    effects: ["neither-accepted"],
  },
  {
    name: "receipts-of-issuers-only",
    group: "encryption",
    what: "Only receipts that an issuer has pushed are known.",
    gaps: ["enrolmentReferenceId meaning"],
    effects: ["receipts-unknown"],
    silences: OF_RECEIPTS,
  },
  {
    name: "sixteen-digits-only",
    what: "Card numbers have 16 digits.",
    gaps: ["primaryAccountNumber length"],
    effects: [rule("/primaryAccountNumber", "maxLength", 16, "Card")],
  },
  switched(
    "check-digit-verified",
    "Card numbers with a wrong check digit are refused.",
    "primaryAccountNumber length",
  ),
  switched(
    "unknown-fields-refused",
    "Requests with fields outside the schema are refused.",
    "unknown request fields",
  ),
  {
    name: "empty-strings-refused",
    group: "empty-strings",
    what: "Empty strings are refused in required fields.",
    gaps: ["empty strings in required fields", "serviceId pattern"],
    effects: ["empty-strings-refused"],
  },
  switched(
    "empty-service-accepted",
    "An empty serviceId stands for the first program of the client.",
    "serviceId pattern",
    "empty-strings",
  ),
  {
    name: "prefixed-correlation-refused",
    what: "A srcCorrelationId with a prefix is refused, because it is not a UUID.",
    gaps: ["srcCorrelationId pattern"],
    effects: [rule("/srcCorrelationId", "pattern", `^${UUID}$`)],
  },
  switched(
    "codes-in-usual-case",
    "Lower-case country codes and upper-case language codes are refused.",
    "country and language codes",
  ),
  switched(
    "unassigned-codes-refused",
    "Country and language codes that no standard assigns are refused.",
    "country and language codes",
  ),
  switched(
    "malformed-addresses-refused",
    "An identityValue that is not an e-mail address is refused.",
    "identityValue form",
  ),
] as const satisfies readonly DeviationRow[];
