/** The one reader of secrets: it finds them by the names of their fields and by their forms, and hides or reports them. */
import { CARD_NUMBER_SIGN, isCardNumber } from "../card-numbers.ts";
import { type IsKept, NAMED, placeholderOf, roundNumber } from "../placeholder.ts";
import type { SecretNames } from "./names.ts";
import { endOfString, matchAt, redactText } from "./notations.ts";
import { newCookiesIn, parsedJson, partsOfSecret } from "./parts.ts";

export { createKnownSecrets } from "../known-secrets.ts";
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

/** The parts of an exchange that are read. */
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

/** Where a value of JSON is. */
interface Place {
  readonly name: string;
  /** The name of the secret field that holds the value, or what is around it. */
  readonly secret?: string | undefined;
  /** The number of the object around it, from 1. */
  readonly object: number;
}

/** @returns `undefined` for a text that is not a JSON object or list */
const redactJson = (
  text: string,
  redact: (text: string) => string,
  isKept: IsKept,
  { isHeader, isMember, isParameter }: SecretNames,
): string | undefined => {
  if (parsedJson(text) === undefined) return undefined;
  /** The secret fields that members name, by the number of their object: `{"name":"password","value":"…"}`. */
  const named: string[] = [];
  const isSecret = (name: string): boolean => isHeader(name) || isMember(name) || isParameter(name);
  if (NAMING.test(text))
    replaceValues(text, isMember, (token, { name, object }) => {
      if (NAMES.test(name) && isSecret(textOf(token))) named[object] = textOf(token);
      return token;
    });
  return replaceValues(
    text,
    isMember,
    (token, { name, secret, object }) => {
      const label = secret ?? (VALUES.test(name) ? named[object] : undefined);
      const value = textOf(token);
      const isHidden = label !== undefined && !isKept(value, label);
      const redacted = redact(value);
      if (!token.startsWith('"')) return isHidden || redacted !== token ? roundNumber(token) : token;
      // The name of a known secret says more than the name of its field.
      return isHidden && !NAMED.test(redacted)
        ? `"${placeholderOf(redact(label) === label ? label : "secret", token.slice(1, -1))}"`
        : quoted(value, token, redacted);
    },
    (token) => quoted(textOf(token), token, redact(textOf(token))),
  );
};

const NAMING = /"(?:name|key|field|parameter|header)"\s*:\s*"/i;
const NAMES = /^(?:name|key|field|parameter|header)$/i;
const VALUES = /^(?:values?|content)$/i;

/** Matches the starts of strings, of which those with a colon are names, numbers and brackets. */
const TOKEN = /["[\]{}]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const COLON = /\s*:/y;

const replaceValues = (
  text: string,
  isMember: (name: string) => boolean,
  replaceValue: (token: string, place: Place) => string,
  replaceName: (token: string) => string = (token) => token,
): string => {
  const outer: Place[] = [];
  let place: Place = { name: "", object: 0 };
  let objects = 0;
  const replaced = (token: string, to: number): string => {
    if (token === "{" || token === "[") {
      outer.push(place);
      if (token === "{") place = { ...place, object: ++objects };
    } else if (token === "}" || token === "]") place = outer.pop() ?? place;
    else if (token.startsWith('"') && matchAt(COLON, text, to) !== null) {
      const name = textOf(token);
      place = { ...place, name, secret: isMember(name) ? name : outer.at(-1)?.secret };
      return replaceName(token);
    } else return replaceValue(token, place);
    return token;
  };
  let [written, done] = ["", 0];
  // One pattern for whole strings would fill the stack with a long string.
  for (let found = matchAt(TOKEN, text, 0); found !== null; found = matchAt(TOKEN, text, done)) {
    const { 0: sign, index: from } = found;
    const to = sign === '"' ? endOfString(text, from + 1, sign) + 1 : from + sign.length;
    written += text.slice(done, from) + replaced(text.slice(from, to), to);
    done = to;
  }
  return written + text.slice(done);
};

const textOf = (token: string): string => (token.startsWith('"') ? (JSON.parse(token) as string) : token);

/** Leaves an unchanged text in its notation. */
const quoted = (text: string, token: string, redacted: string): string =>
  redacted === text ? token : JSON.stringify(redacted);
