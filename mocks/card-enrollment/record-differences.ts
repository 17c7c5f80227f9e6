/** Permitted differences in the enrollment record, and in the record of a repeated enrollment. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { json, switched } from "../engine/deviations/rows.ts";

const ACCEPTED = { status: 200 };
const CARD = "/maskedCard";
const ADDRESS = `${CARD}/maskedBillingAddress`;

export const RECORD_DIFFERENCES = [
  switched(
    "correlation-normalized",
    "The srcCorrelationId is returned in upper case and without its prefix.",
    "srcCorrelationId echo",
  ),
  switched("phone-masked-with-digits", "Phone numbers are masked with zeros.", "masked phone number"),
  {
    name: "whole-address-masked",
    what: "All values of an address are masked.",
    gaps: ["masked address values"],
    effects: ["addressId", "countryCode", "createTime", "lastUsedTime"].flatMap((field) =>
      json(ACCEPTED, `${ADDRESS}/${field}`, "****"),
    ),
  },
  {
    name: "masked-with-other-signs",
    what: "Values are masked with blocks, stars of other widths, one digit, or a word.",
    gaps: ["masked address values"],
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
  {
    name: "address-as-pseudonym",
    what: "The first line of an address is a pseudonym, which nobody can read.",
    gaps: ["masked address values"],
    effects: json(ACCEPTED, `${ADDRESS}/line1`, "9f3b7c1e"),
    affects: ["response.maskedAddress.values-masked"],
  },
  {
    name: "cobranding-as-text",
    what: "The field iscobranded is a text.",
    gaps: ["iscobranded"],
    effects: json(ACCEPTED, `${CARD}/digitalCardData/iscobranded`, "false"),
    // The document declares a boolean as well as the length of a text.
    silences: ["response.digitalCardData.iscobranded.boolean"],
  },
  switched("bin-of-eight-digits", "A panBin has eight digits.", "length of panBin", "bin"),
  switched("bin-of-four-digits", "A panBin has four digits.", "length of panBin", "bin"),
  switched(
    "times-to-the-second",
    "Times have no fractions of a second.",
    "UTC date and time format",
    "times",
  ),
  switched(
    "times-in-basic-format",
    "Times are in the basic format of ISO 8601.",
    "UTC date and time format",
    "times",
  ),
  switched("times-with-zero-offset", "Times have the offset +00:00.", "UTC date and time format", "times"),
  {
    name: "short-token-expiration",
    what: "The expiration of a token has one digit for the month and two for the year, and tokenLastFour has two.",
    gaps: ["token expiration fields"],
    effects: [
      ...json(ACCEPTED, `${CARD}/tokenExpirationMonth`, "9"),
      ...json(ACCEPTED, `${CARD}/tokenExpirationYear`, "31"),
      ...json(ACCEPTED, `${CARD}/tokenLastFour`, "07"),
    ],
  },
  {
    name: "no-card-status-for-receipts",
    what: "The record of a card that was enrolled by its receipt has no status.",
    gaps: ["card status values in the schema and in the rule"],
    effects: ["no-card-status-for-receipts"],
    // Where the suite can't encrypt cards, it enrolls all of them by their receipts.
    silences: [
      "response.digitalCardData.status.enum",
      "states.digital-card.enroll-never-suspended-or-cancelled",
    ],
  },
  {
    name: "enrolled-again-as-new-card",
    group: "repeated",
    what: "A repeated enrollment cancels the earlier digital card and creates another.",
    gaps: ["repeated enrollment", "consumer and card status transitions"],
    effects: ["enrolled-again-as-new-card"],
  },
  switched(
    "repeated-enrollment-conflict",
    "A repeated enrollment is refused with 409.",
    "repeated enrollment",
    "repeated",
  ),
  switched(
    "repeated-enrollment-refused",
    "A repeated enrollment is refused with 400.",
    "repeated enrollment",
    "repeated",
  ),
] as const satisfies readonly DeviationRow[];
