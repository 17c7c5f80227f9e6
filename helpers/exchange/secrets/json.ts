/** Redacts the names and values in JSON. The text stays JSON, and each value keeps its kind. */
import { type IsKept, NAMED, placeholder } from "../placeholder.ts";
import type { SecretNames } from "./names.ts";

/** Where a value of JSON is. */
interface Place {
  readonly name: string;
  /** The name of the secret field that holds the value, or what is around it. */
  readonly secret?: string | undefined;
  /** The number of the object around it, from 1. */
  readonly object: number;
}

/** @returns `undefined` for a text that is not a JSON object or list */
export const redactJson = (
  text: string,
  redact: (text: string) => string,
  isKept: IsKept,
  { isHeader, isMember, isParameter }: SecretNames,
): string | undefined => {
  if (!isJson(text)) return undefined;
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

const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Matches strings, of which those with a colon are names, numbers and brackets. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{}]/g;

const replaceValues = (
  text: string,
  isMember: (name: string) => boolean,
  replaceValue: (token: string, place: Place) => string,
  replaceName: (token: string) => string = (token) => token,
): string => {
  const outer: Place[] = [];
  let place: Place = { name: "", object: 0 };
  let objects = 0;
  return text.replace(TOKEN, (token, colon: string | undefined) => {
    if (token === "{" || token === "[") {
      outer.push(place);
      if (token === "{") place = { ...place, object: ++objects };
    } else if (token === "}" || token === "]") place = outer.pop() ?? place;
    else if (colon !== undefined) {
      const name = textOf(token.slice(0, -colon.length));
      place = { ...place, name, secret: isMember(name) ? name : outer.at(-1)?.secret };
      return replaceName(token.slice(0, -colon.length)) + colon;
    } else return replaceValue(token, place);
    return token;
  });
};

const textOf = (token: string): string => (token.startsWith('"') ? (JSON.parse(token) as string) : token);

/** Leaves an unchanged text in its notation. */
const quoted = (text: string, token: string, redacted: string): string =>
  redacted === text ? token : JSON.stringify(redacted);

/** Keeps the sign, the first digit and the size of a number, in a notation that shows it is redacted: `4e12`. */
export const roundNumber = (number: string): string => {
  const [, sign = "", integer = "", more = ""] = /^(-?)(\d+)(.*)$/.exec(number) ?? [];
  if (integer === "" || (integer.length === 1 && /^e/i.test(more))) return number;
  return `${sign}${integer.charAt(0)}e${integer.length - 1}`;
};

/** Whether JSON contains a redacted number. */
export const hasRoundNumber = (text: string): boolean => /[[:,]\s*-?\de\d/.test(text);

/** Returns the redacted numbers of JSON. */
export const roundNumbersIn = (text: string): number[] =>
  [...text.matchAll(/[[:,]\s*(-?\de\d+)/g)].map(([, number]) => Number(number));

/** Whether the JSON of a body contains a redacted value. */
export const isRedactedJson = (text: string): boolean => text.includes("‹") || hasRoundNumber(text);

/** @param value in the notation of the text: JSON or URL-encoded */
export const placeholderOf = (name: string, value: string): string =>
  /^encryptedCard$/i.test(name) && value.split(".").length === 5 ? ENCRYPTED_CARD : placeholder(name, value);

export const ENCRYPTED_CARD = "‹encrypted card›";
