/** Permitted differences of card enrollment: what its document leaves open. */
import type { GeneralTreatments } from "../engine/deviations/general.ts";
import { ERROR_DIFFERENCES } from "./error-differences.ts";
import { RECORD_DIFFERENCES } from "./record-differences.ts";
import { REQUEST_DIFFERENCES } from "./request-differences.ts";
import { SERVER_DIFFERENCES } from "./server-differences.ts";

export const CARD_ENROLLMENT_DIFFERENCES = [
  ...REQUEST_DIFFERENCES,
  ...RECORD_DIFFERENCES,
  ...ERROR_DIFFERENCES,
  ...SERVER_DIFFERENCES,
];

const NOT_PERMITTED = { permitted: false } as const;

/** Requirements on optional fields. Nothing else in a response shows them. */
const OF_OPTIONAL_FIELDS = {
  silences: [
    "request.consumer.consumerIdentity.identityValue.locates-profile",
    "response.digitalCardData.*",
    "response.maskedAddress.*",
    "response.maskedConsumer.*",
    "response.maskedCard.countryCode.format",
    "response.maskedCard.maskedBillingAddress.object",
    "response.maskedCard.panExpirationMonth.format",
    "response.maskedCard.panExpirationYear.format",
    "response.maskedCard.paymentAccountReference.non-financial",
    "response.maskedCard.paymentCardDescriptor.brand",
    "response.maskedCard.paymentCardType.string",
    "response.maskedCard.serviceId.program",
    "response.maskedCard.tokenExpirationMonth.numeric",
    "response.maskedCard.tokenExpirationYear.numeric",
    "response.maskedCard.tokenLastFour.numeric",
    "response.maskedCard.tokenUniqueReference.reference",
    "states.consumer.active-at-enrollment",
    "states.digital-card.enroll-never-suspended-or-cancelled",
  ],
} as const;

export const GENERAL: GeneralTreatments = {
  "some-optional-fields-absent": OF_OPTIONAL_FIELDS,
  "optional-fields-absent": OF_OPTIONAL_FIELDS,
  // The declared shape has neither a code nor an error status.
  "other-refusal-shape": {
    gaps: ["error body shape"],
    silences: [
      "error.builder-returns-sample-shape",
      "error.sample-shape.fields",
      "errors.INTERNAL.*",
      "errors.INVALID_ARGUMENT.invalid-format",
      "errors.INVALID_ARGUMENT.missing-mandatory",
      "errors.INVALID_ARGUMENT.missing-primaryAccountNumber",
      "errors.INVALID_ARGUMENT.schema-mismatch",
      "errors.INVALID_STATE.data-type-validation",
      "errors.INVALID_STATE.schema-validation",
      "errors.INVALID_STATE.unknown-serviceId",
      "errors.INVALID_STATE.unknown-srcClientId",
    ],
  },
  // The document defines times in UTC, and UUIDs.
  "times-with-offset": NOT_PERMITTED,
  "short-ids": NOT_PERMITTED,
  "long-ids": NOT_PERMITTED,
  "numeric-ids": NOT_PERMITTED,
  "uuid-ids": NOT_PERMITTED,
  // All times have milliseconds already. The rows `times-…` write them in other notations.
  "times-with-fraction": NOT_PERMITTED,
  // Nothing is read, and there are no lists and no amounts.
  "late-reads": NOT_PERMITTED,
  "small-pages": NOT_PERMITTED,
  "two-decimals": NOT_PERMITTED,
};
