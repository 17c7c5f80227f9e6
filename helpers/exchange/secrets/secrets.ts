/** The one reader of secrets: it finds them by the names of their fields and by their forms, and hides or reports them. */
import { CARD_NUMBER_SIGN, isCardNumber } from "../card-numbers.ts";
import type { IsKept } from "../placeholder.ts";
import { redactJson } from "./json.ts";
import type { SecretNames } from "./names.ts";
import { redactText } from "./notations.ts";
import { newCookiesIn, partsOfSecret } from "./parts.ts";

export { hasRoundNumber, isRedactedJson, roundNumbersIn } from "./json.ts";
export { createKnownSecrets } from "./known.ts";
export { createSecretNames, type SecretNames } from "./names.ts";
export { newCookiesIn, partsOfAny, partsOfKeyFile, partsOfSecret } from "./parts.ts";

/**
 * Redacts a text. JSON is read string by string, and stays JSON.
 * @param isKept is asked about each value that is found, as it is meant, with the name of its field if it has one
 * @param redactKnown replaces known secrets
 */
export const redactSecrets = (
  text: string,
  names: SecretNames,
  isKept: IsKept,
  redactKnown: (text: string) => string = (given) => given,
): string => {
  const plain = redactKnown(text);
  const known = plain === text && !text.includes("\\") ? undefined : redactKnown;
  const json = redactJson(text, (one) => redactSecrets(one, names, isKept, known), isKept, names);
  const redacted = json ?? redactText(plain, names, isKept);
  // A secret may contain what divides the values of JSON, or the text around it may have parts of it.
  return redacted === text ? text : redactKnown(redacted);
};

/** What is read of an exchange. */
export interface Readable {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly texts: readonly string[];
  /** The JSON of the answer. */
  readonly json: unknown;
}

/** Returns the values of secret fields with the names of these, and the ids that answers show. */
export const secretsIn = (
  read: readonly Readable[],
  names: SecretNames,
): { readonly values: ReadonlyMap<string, string>; readonly ids: ReadonlySet<string> } => {
  const values = new Map<string, string>();
  const ids = new Set<string>();
  const add = (value: string, name?: string): false => {
    if (name !== undefined && value !== "" && !value.includes("‹"))
      for (const part of [value, ...partsOfSecret(value)]) values.set(part, name);
    return false;
  };
  for (const { headers, texts, json } of read) {
    for (const [name, value] of headers)
      if (name === "set-cookie") for (const cookie of newCookiesIn(value)) add(cookie, name);
      else if (names.isHeader(name)) add(value, name);
      else redactSecrets(value, names, add);
    for (const text of texts) redactSecrets(text, names, add);
    if (texts.some((text) => CARD_NUMBER_SIGN.test(text)))
      visitJson(json, (name, value) => {
        if (IS_ID.test(name) && isCardNumber(value)) ids.add(value);
      });
  }
  return { values, ids };
};

/** `id`, `accountId`, `account_ids` */
const IS_ID = /^ids?$|[_-]ids?$|[a-z\d]I[dD]s?$/;

/** Visits the texts and numbers of JSON, each with the name of the member that it belongs to. */
export const visitJson = (value: unknown, see: (name: string, value: string) => void, name = ""): void => {
  if (typeof value === "string" || typeof value === "number") see(name, String(value));
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) for (const item of value) visitJson(item, see, name);
  else for (const [own, child] of Object.entries(value)) visitJson(child, see, own);
};
