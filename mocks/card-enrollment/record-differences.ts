/** Permitted differences in the enrollment record, and in the record of a repeated enrollment. */
import { json, permitted } from "../engine/deviations/rows.ts";

const ACCEPTED = { status: 200 };
const CARD = "/maskedCard";
const ADDRESS = `${CARD}/maskedBillingAddress`;

export const RECORD_DIFFERENCES = [
  ...permitted("srcCorrelationId echo")({
    "correlation-normalized": "The srcCorrelationId is returned in upper case and without its prefix.",
  }),
  ...permitted("masked phone number")({
    "phone-masked-with-digits": "Phone numbers are masked with zeros.",
  }),
  ...permitted("masked address values")({
    "whole-address-masked": {
      what: "All values of an address are masked.",
      effects: ["addressId", "countryCode", "createTime", "lastUsedTime"].flatMap((field) =>
        json(ACCEPTED, `${ADDRESS}/${field}`, "****"),
      ),
    },
    "masked-with-other-signs": {
      what: "Values are masked with blocks, stars of other widths, one digit, or a word.",
      effects: Object.entries({
        "Card/maskedBillingAddress/addressId": "REDACTED",
        "Card/maskedBillingAddress/city": "S█████",
        "Card/maskedBillingAddress/countryCode": "■■",
        "Card/maskedBillingAddress/createTime": "∗∗∗∗∗∗",
        "Card/maskedBillingAddress/line1": "＊＊＊＊＊＊",
        "Card/maskedBillingAddress/name": "hidden",
        "Card/maskedBillingAddress/zip": "00000",
        "Consumer/maskedFirstName": "REDACTED",
        "Consumer/maskedFullName": "█████",
      }).flatMap(([field, to]) => json(ACCEPTED, `/masked${field}`, to)),
    },
    "address-as-pseudonym": {
      what: "The first line of an address is a pseudonym, which nobody can read.",
      effects: json(ACCEPTED, `${ADDRESS}/line1`, "9f3b7c1e"),
      affects: ["response.maskedAddress.values-masked"],
    },
  }),
  ...permitted("iscobranded")({
    "cobranding-as-text": {
      what: "The field iscobranded is a text.",
      effects: json(ACCEPTED, `${CARD}/digitalCardData/iscobranded`, "false"),
      // The document declares a boolean as well as the length of a text.
      silences: ["response.digitalCardData.iscobranded.boolean"],
    },
  }),
  ...permitted("length of panBin", { group: "bin" })({
    "bin-of-eight-digits": "A panBin has eight digits.",
    "bin-of-four-digits": "A panBin has four digits.",
  }),
  ...permitted("UTC date and time format", { group: "times" })({
    "times-to-the-second": "Times have no fractions of a second.",
    "times-in-basic-format": "Times are in the basic format of ISO 8601.",
    "times-with-zero-offset": "Times have the offset +00:00.",
  }),
  ...permitted("token expiration fields")({
    "short-token-expiration": {
      what: "The expiration of a token has one digit for the month and two for the year, and tokenLastFour has two.",
      effects: [
        ...json(ACCEPTED, `${CARD}/tokenExpirationMonth`, "9"),
        ...json(ACCEPTED, `${CARD}/tokenExpirationYear`, "31"),
        ...json(ACCEPTED, `${CARD}/tokenLastFour`, "07"),
      ],
    },
  }),
  ...permitted("card status values in the schema and in the rule")({
    "no-card-status-for-receipts": {
      what: "The record of a card that was enrolled by its receipt has no status.",
      // Where the suite can't encrypt cards, it enrolls all of them by their receipts.
      silences: [
        "response.digitalCardData.status.enum",
        "states.digital-card.enroll-never-suspended-or-cancelled",
      ],
    },
  }),
  ...permitted(["repeated enrollment", "consumer and card status transitions"], { group: "repeated" })({
    "enrolled-again-as-new-card":
      "A repeated enrollment cancels the earlier digital card and creates another.",
  }),
  ...permitted("repeated enrollment", { group: "repeated" })({
    "repeated-enrollment-conflict": "A repeated enrollment is refused with 409.",
    "repeated-enrollment-refused": "A repeated enrollment is refused with 400.",
  }),
];
