/** Permitted differences in the enrollment record, and in the record of a repeated enrollment. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { json } from "../engine/deviations/rows.ts";

const ACCEPTED = { status: 200 };
const CARD = "/maskedCard";
const ADDRESS = `${CARD}/maskedBillingAddress`;

export const RECORD_DIFFERENCES = [
  {
    name: "correlation-normalized",
    what: "The srcCorrelationId is returned in upper case and without its prefix.",
    gaps: ["srcCorrelationId echo"],
    effects: ["correlation-normalized"],
  },
  {
    name: "phone-masked-with-digits",
    what: "Phone numbers are masked with zeros.",
    gaps: ["masked phone number"],
    effects: ["phone-masked-with-digits"],
  },
  {
    name: "whole-address-masked",
    what: "All values of an address are masked.",
    gaps: ["masked address values"],
    effects: ["addressId", "countryCode", "createTime", "lastUsedTime"].flatMap((field) =>
      json(ACCEPTED, `${ADDRESS}/${field}`, "****"),
    ),
  },
  {
    name: "cobranding-as-text",
    what: "The field iscobranded is a text.",
    gaps: ["iscobranded"],
    effects: json(ACCEPTED, `${CARD}/digitalCardData/iscobranded`, "false"),
    // The document declares a boolean as well as the length of a text.
    silences: ["response.digitalCardData.iscobranded.boolean"],
  },
  {
    name: "bin-of-eight-digits",
    group: "bin",
    what: "A panBin has eight digits.",
    gaps: ["length of panBin"],
    effects: ["bin-of-eight-digits"],
  },
  {
    name: "bin-of-four-digits",
    group: "bin",
    what: "A panBin has four digits.",
    gaps: ["length of panBin"],
    effects: ["bin-of-four-digits"],
  },
  {
    name: "times-to-the-second",
    group: "times",
    what: "Times have no fractions of a second.",
    gaps: ["UTC date and time format"],
    effects: ["times-to-the-second"],
  },
  {
    name: "times-in-basic-format",
    group: "times",
    what: "Times are in the basic format of ISO 8601.",
    gaps: ["UTC date and time format"],
    effects: ["times-in-basic-format"],
  },
  {
    name: "times-with-zero-offset",
    group: "times",
    what: "Times have the offset +00:00.",
    gaps: ["UTC date and time format"],
    effects: ["times-with-zero-offset"],
  },
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
  {
    name: "repeated-enrollment-conflict",
    group: "repeated",
    what: "A repeated enrollment is refused with 409.",
    gaps: ["repeated enrollment"],
    effects: ["repeated-enrollment-conflict"],
  },
  {
    name: "repeated-enrollment-refused",
    group: "repeated",
    what: "A repeated enrollment is refused with 400.",
    gaps: ["repeated enrollment"],
    effects: ["repeated-enrollment-refused"],
  },
] as const satisfies readonly DeviationRow[];
