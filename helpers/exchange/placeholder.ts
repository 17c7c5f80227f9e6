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
