/** Permitted differences in the requests that are accepted: the card, the receipt, and the form of the values. */
import { permitted, validating } from "../engine/deviations/rows.ts";

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
  ...permitted("encryptedCard encryption", { group: "encryption" })({
    "other-encryption": {
      what: "Cards are encrypted with other algorithms, which the configuration names.",
      effects: ["other-algorithms"],
    },
    "encryption-unknown": {
      what: "Cards are encrypted in a way that the caller does not know.",
      effects: ["cards-unreadable"],
      silences: OF_CARD_NUMBERS,
    },
  }),
  ...permitted("encryptedCard compact form", { group: "encryption" })({
    "card-by-any-text": {
      what: "A text that is not in compact form is accepted as a reference to a card.",
      effects: ["text-as-card"],
    },
  }),
  ...permitted("both or neither of encryptedCard and enrolmentReferenceData")({
    "card-before-receipt": {
      what: "A request with both a card and a receipt enrolls the card.",
      effects: ["both-accepted"],
    },
    "card-on-file": {
      what: "A request with neither a card nor a receipt enrolls the card that the consumer has on file.",
      effects: ["neither-accepted"],
    },
  }),
  ...permitted("enrolmentReferenceId meaning", { group: "encryption", silences: OF_RECEIPTS })({
    "receipts-of-issuers-only": {
      what: "Only receipts that an issuer has pushed are known.",
      effects: ["receipts-unknown"],
    },
  }),
  ...permitted("primaryAccountNumber length")({
    "sixteen-digits-only": {
      what: "Card numbers have 16 digits.",
      effects: validating({ set: "maxLength", to: 16 })("Card", "/primaryAccountNumber"),
    },
    "check-digit-verified": "Card numbers with a wrong check digit are refused.",
  }),
  ...permitted("unknown request fields")({
    "unknown-fields-refused": "Requests with fields outside the schema are refused.",
  }),
  ...permitted(["empty strings in required fields", "serviceId pattern"], { group: "empty-strings" })({
    "empty-strings-refused": "Empty strings are refused in required fields.",
  }),
  ...permitted("serviceId pattern", { group: "empty-strings" })({
    "empty-service-accepted": "An empty serviceId stands for the first program of the client.",
  }),
  ...permitted("srcCorrelationId pattern")({
    "prefixed-correlation-refused": {
      what: "A srcCorrelationId with a prefix is refused, because it is not a UUID.",
      effects: validating({ set: "pattern", to: `^${UUID}$` })("putCard", "/srcCorrelationId"),
    },
  }),
  ...permitted("country and language codes")({
    "codes-in-usual-case": "Lower-case country codes and upper-case language codes are refused.",
    "unassigned-codes-refused": "Country and language codes that no standard assigns are refused.",
  }),
  ...permitted("identityValue form")({
    "malformed-addresses-refused": "An identityValue that is not an e-mail address is refused.",
  }),
];
