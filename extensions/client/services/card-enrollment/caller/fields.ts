/** Checks of the fields of an enrollment request that a schema can't state. */
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { hasCheckDigit } from "../../../../../helpers/exchange/card-numbers.ts";
import {
  type CheckResult,
  checkThat,
  HOLDS,
  shownValue,
  violation,
} from "../../../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../../../helpers/exchange/exchange.ts";
import type { Seen } from "../../../../../helpers/traffic/seen.ts";
import { isRedacted, ofOperations, type RequestCheck, suspected } from "../../../judging/check.ts";
import { refusedFor } from "../../../judging/refusals.ts";
import calling from "./calling-codes.json" with { type: "json" };

const ofEnrollment = (occasion: string, check: RequestCheck["check"]) =>
  ofOperations(["putCard"], occasion, check);

const CODES: ReadonlySet<string> = new Set(calling.codes);

const field = (pointer: string, check: (value: string, seen: Seen) => CheckResult | undefined) =>
  ofEnrollment(`an enrollment with ${pointer.slice(1)}`, (seen) => {
    const value = atPointer(seen.body, pointer);
    return typeof value !== "string" || isRedacted(value) ? undefined : check(value, seen);
  });

const uri = (pointer: string) =>
  field(pointer, (value) =>
    checkThat(/^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value), {
      pointer,
      message: `${pointer.slice(1)} is not a URI`,
      ...{ expected: "an absolute URI (RFC 3986)", actual: shownValue(value) },
    }),
  );

const PRIVACY = "/complianceSettings/privacy/latestVersionUri";
const TERMS = "/complianceSettings/tnc/latestVersionUri";
const CODE = "/consumer/mobileNumber/countryCode";
const PHONE = "/consumer/mobileNumber/phoneNumber";
const IDENTITY = "/consumer/consumerIdentity/identityValue";

/** @param name the field of one of the two ways @param by the way in words */
const conditional = (name: string, by: string) =>
  ofEnrollment(`an enrollment by ${by}`, ({ body }) => {
    if (typeof body !== "object" || body === null) return undefined;
    const given = ["enrolmentReferenceData", "encryptedCard"].filter(
      (one) => (atPointer(body, `/${one}`) ?? undefined) !== undefined,
    );
    if (given.length > 0) return given.join() === name ? HOLDS : undefined;
    return violation({
      pointer: `/${name}`,
      message: "an enrollment has neither encryptedCard nor enrolmentReferenceData",
      ...{ expected: "one of them", actual: `only ${Object.keys(body).join(", ")}` },
    });
  });

/** The longest number with its calling code (ITU-T E.164, 6.1). */
const E164_MOST = 15;

const checkPhone = (value: string, { body }: Seen): CheckResult | undefined => {
  const code = String(atPointer(body, CODE) ?? "").replace(/\D/g, "");
  if (code === "") return undefined;
  const details = {
    pointer: PHONE,
    message: "phoneNumber begins with the calling code",
    ...{ expected: "the number without the country code", actual: `a number of ${value.length} characters` },
  };
  const digits = value.replace(/[\s-]/g, "");
  if (digits.startsWith("+") || digits.startsWith(`00${code}`)) return violation(details);
  if (!digits.startsWith(code)) return HOLDS;
  // No number of the North American Numbering Plan begins with 1.
  if (code === "1" || code.length + digits.length > E164_MOST) return violation(details);
  return digits.length > 10 ? suspected(details) : HOLDS;
};

/** The five segments of a compact JWE (RFC 7516, 7.1). */
const COMPACT = /^[\w-]+\.[\w-]*\.[\w-]*\.[\w-]+\.[\w-]*$/;

export const FIELD_CHECKS = {
  "request.complianceSettings.carries-consent": ofEnrollment("an enrollment", ({ body }) => {
    const isConveyed = [PRIVACY, TERMS].every((pointer) => String(atPointer(body, pointer) ?? "") !== "");
    return checkThat(isConveyed, {
      pointer: "/complianceSettings",
      message: "an enrollment does not convey the consent to both documents",
      expected: "privacy and tnc, each with latestVersionUri",
      actual: shownValue(atPointer(body, "/complianceSettings")),
    });
  }),
  "request.enrolmentReferenceData.conditional": conditional("enrolmentReferenceData", "push account receipt"),
  "request.encryptedCard.conditional": conditional("encryptedCard", "card number"),
  "request.encryptedCard.five-segments": field("/encryptedCard", (value) =>
    checkThat(COMPACT.test(value), {
      pointer: "/encryptedCard",
      message: "encryptedCard is not a compact JWE",
      expected: "five base64url segments separated by dots",
      actual: `${value.split(".").length} segments`,
    }),
  ),
  "request.consumer.consumerIdentity.identityValue.matches-type": field(IDENTITY, (value, { body }) =>
    atPointer(body, "/consumer/consumerIdentity/identityType") !== "EMAIL_ADDRESS"
      ? undefined
      : checkThat(/^(?:"(?:[^"\\]|\\.)*"|[^\s@]+)@[^\s@]+$/.test(value), {
          pointer: IDENTITY,
          message: "identityValue is not an e-mail address",
          expected: "an e-mail address for EMAIL_ADDRESS",
          actual: `a text of ${value.length} characters`,
        }),
  ),
  "request.consumer.mobileNumber.countryCode.calling-code": field(CODE, (value) =>
    checkThat(CODES.has(value), {
      pointer: CODE,
      message: "mobileNumber.countryCode is not an international calling code",
      ...{ expected: "a calling code, such as 49", actual: shownValue(value) },
    }),
  ),
  "request.consumer.mobileNumber.phoneNumber.without-country-code": field(PHONE, checkPhone),
  "request.complianceSettings.privacy.latestVersionUri.uri": uri(PRIVACY),
  "request.complianceSettings.tnc.latestVersionUri.uri": uri(TERMS),
};

/** The ways in which texts say that a card could not be decrypted. Its field has a name that says nothing. */
const UNREADABLE = /\b(?:encrypt(?!edCard\b)|decrypt|decipher|cipher|jw[ek]\b|jose\b|compact)/i;

const isEncryptedCard = ofEnrollment(
  "an enrollment with encryptedCard that was decrypted, or that the service judged",
  (seen) => {
    const { body, opened, exchange } = seen;
    const value = atPointer(body, "/encryptedCard");
    if (value === undefined || isRedacted(value)) return undefined;
    const card = opened["/encryptedCard"];
    const isCard = typeof card === "object" && card !== null && "primaryAccountNumber" in card;
    const isRefused = refusedFor(seen, UNREADABLE);
    if (!isCard && card === undefined && !isRefused && !isAccepted(exchange)) return undefined;
    return checkThat(isCard || (card === undefined && isAccepted(exchange)), {
      pointer: "/encryptedCard",
      message: "encryptedCard does not contain an encrypted Card",
      expected: "the Card structure as JSON, encrypted for the service",
      actual: card === undefined ? "a text that can't be decrypted" : "another content",
    });
  },
);

const cardField = (name: string, isRight: (text: string) => boolean, expected: string) =>
  ofEnrollment(`a decrypted card with ${name}`, ({ opened }) => {
    const value = atPointer(opened["/encryptedCard"], `/${name}`);
    if (value === undefined) return undefined;
    return checkThat(typeof value === "string" && isRight(value), {
      pointer: "/encryptedCard",
      message: `${name} of the encrypted card is malformed`,
      expected,
      // The card is never written.
      actual: `a ${typeof value} of ${String(value).length} characters`,
    });
  });

/** Whether a text is an account number with a valid check digit (ISO/IEC 7812-1). */
const isIso7812 = (text: string): boolean => /^\d{8,19}$/.test(text) && hasCheckDigit(text);
const isMonth = (text: string): boolean => /^(0[1-9]|1[0-2])$/.test(text);
const isYear = (text: string): boolean => /^\d{4}$/.test(text);

/** Checks of the card in `encryptedCard`, when the recording could decrypt it or the service answered. */
export const CARD_CHECKS = {
  "request.encryptedCard.is-encrypted-card": isEncryptedCard,
  "request.card.primaryAccountNumber.iso-7812": cardField(
    "primaryAccountNumber",
    isIso7812,
    "digits with a check digit (ISO/IEC 7812)",
  ),
  "request.card.panExpirationMonth.format": cardField(
    "panExpirationMonth",
    isMonth,
    "the month in two digits",
  ),
  "request.card.panExpirationYear.format": cardField("panExpirationYear", isYear, "the year in four digits"),
};
