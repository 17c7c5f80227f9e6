/** Placeholders for secrets. They state the kind and the length, so that readers can still check limits. */

/** Returns `‹ssn, 9 characters›`; an empty value or an earlier placeholder stays unchanged. */
export const placeholder = (what: string, value: string): string =>
  value === "" || PLACEHOLDER.test(value) ? value : `‹${what}, ${lengthOf(value)} characters›`;

const PLACEHOLDER = /^‹[^‹›"]*›$/;

/** Matches the placeholder of a known secret, which is its name in the style of an environment variable. */
export const NAMED = /^‹[A-Z][A-Z\d_]*›$/;

/** Counts characters in JSON or URL-encoded notation; a character outside the BMP counts once. */
function lengthOf(text: string): number {
  let length = text.length;
  for (const [notation] of text.matchAll(ESCAPE)) length -= notation.length - 1;
  return length;
}

const ESCAPE = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\.|[\ud800-\udbff][\udc00-\udfff]/gi;

/** Whether a value stays, for example an id that looks like a card number. @param name of its field, if it has one */
export type IsKept = (value: string, name?: string) => boolean;

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
