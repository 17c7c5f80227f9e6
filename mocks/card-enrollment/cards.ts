/** Gets the card of an enrollment: decrypts it from the request, or finds it by a push account receipt. */
import { openJwe } from "../../helpers/contract/compact-jwe.ts";
import type { Answer } from "../engine/call.ts";
import type { Violation } from "../engine/validators.ts";
import { fieldsIn } from "../engine/values/fields.ts";
import type { Identifiers } from "../engine/values/identifiers.ts";
import { parsedJson } from "../engine/values/parsed-json.ts";
import type { Call } from "./faults.ts";
import { ALGORITHMS, type Algorithms, type CardKeys, OTHER_ALGORITHMS } from "./keys.ts";
import { invalidArgument } from "./refusals.ts";

export interface Card {
  readonly primaryAccountNumber: string;
  readonly panExpirationMonth: string;
  readonly panExpirationYear: string;
}

export type CardOrRefusal =
  | {
      readonly card: Card;
      /** How its encryption differs from the standards, if it does. */
      readonly difference?: string | undefined;
    }
  | { readonly refusal: Answer };

/** @param fallback the card of a text that is not encrypted, and the source of missing parts */
export const decryptCard = async (
  encrypted: string,
  { privateKey }: CardKeys,
  { differs, validators }: Pick<Call, "differs" | "validators">,
  fallback: Card,
): Promise<CardOrRefusal> => {
  if (differs("text-as-card") && !COMPACT.test(encrypted)) return { card: fallback };
  const expected = differs("other-algorithms") ? OTHER_ALGORITHMS : ALGORITHMS;
  const opened = differs("cards-unreadable") ? undefined : await decrypted(encrypted, privateKey, expected);
  if (opened === undefined) return { refusal: unreadable(expected) };
  const { plain, difference } = opened;
  const violations = [...validators.schema("Card")(plain), ...malformedParts(plain, differs)];
  if (violations.length > 0) return { refusal: invalidArgument(violations, "card") };
  return { card: cardFrom(plain, fallback), difference };
};

/** Returns the card of a receipt. Every receipt has a card, and the same receipt always has the same card. */
export const cardOfReceipt = (identifiers: Identifiers, receipt: string): Card => {
  const account = `${ISSUER}${identifiers.digits(15 - ISSUER.length, "receipt", receipt)}`;
  return {
    primaryAccountNumber: `${account}${checkDigit(account)}`,
    panExpirationMonth: "12",
    panExpirationYear: "2031",
  };
};

/** An issuer identification number for test cards. */
const ISSUER = "512345";

/** The five segments of a compact JWE (RFC 7516, section 7.1). */
const COMPACT = /^[\w/+-]+(?:\.[\w/+-]*){4}$/;

const unreadable = ({ alg, enc }: Algorithms): Answer =>
  invalidArgument([{ path: ["encryptedCard"], keyword: `encrypted with ${alg} and ${enc}`, absent: false }]);

const decrypted = async (
  encrypted: string,
  privateKey: CardKeys["privateKey"],
  { alg, enc, others = [] }: Algorithms,
): Promise<{ readonly plain: unknown; readonly difference?: string } | undefined> => {
  try {
    const opened = await openJwe(encrypted, privateKey, {
      keyManagementAlgorithms: [alg, ...others],
      contentEncryptionAlgorithms: [enc],
    });
    return { ...opened, plain: parsedJson(opened.plain.toString("utf8")) };
  } catch {
    return undefined;
  }
};

/** Values that have a documented length but cannot belong to a card (Card). */
const MALFORMED_PARTS: Readonly<Record<string, RegExp>> = {
  primaryAccountNumber: /^(?=.{16,20}$).*\D/su,
  panExpirationMonth: /^(?!0[1-9]|1[0-2]).{2}$/su,
  panExpirationYear: /^(?=.{4}$).*\D/su,
  cardSecurityCode: /^(?=.{3,6}$).*\D/su,
};

const malformedParts = (plain: unknown, differs: Call["differs"]): Violation[] =>
  Object.entries(MALFORMED_PARTS)
    .filter(([name, malformed]) => {
      const value = fieldsIn(plain)[name];
      if (typeof value !== "string") return false;
      const isNumber = name === "primaryAccountNumber" && differs("check-digit-verified");
      return malformed.test(value) || (isNumber && !value.endsWith(String(checkDigit(value.slice(0, -1)))));
    })
    .map(([name]) => ({ path: [name], keyword: "format", absent: false }));

/** Replaces missing parts, and invalid parts that a fault accepted, by the corresponding parts of the fallback. */
const cardFrom = (plain: unknown, fallback: Card): Card => {
  const part = (name: keyof Card, form: RegExp): string => {
    const value = fieldsIn(plain)[name];
    return typeof value === "string" && form.test(value) ? value : fallback[name];
  };
  return {
    primaryAccountNumber: part("primaryAccountNumber", /^\d{10,}$/),
    panExpirationMonth: part("panExpirationMonth", /^(0[1-9]|1[0-2])$/),
    panExpirationYear: part("panExpirationYear", /^\d{4}$/),
  };
};

/** Returns the check digit of ISO/IEC 7812, annex B. */
const checkDigit = (account: string): number => {
  const sum = Array.from(account, Number)
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((total, digit) => total + (digit > 9 ? digit - 9 : digit), 0);
  return (10 - (sum % 10)) % 10;
};
