/** What stands in a secret's place: it tells what was there and how long, so that a reader can still judge a limit. */

/** `‹ssn, 9 characters›`; an empty value and an earlier placeholder tell all they can and stay. */
export const placeholder = (what: string, value: string): string =>
  value === "" || PLACEHOLDER.test(value) ? value : `‹${what}, ${lengthOf(value)} characters›`;

const PLACEHOLDER = /^‹[^‹›"]*›$/;

/** The text may stand in JSON or URL-encoded notation; a character outside the BMP counts once. */
function lengthOf(text: string): number {
  let length = text.length;
  for (const [notation] of text.matchAll(ESCAPE)) length -= notation.length - 1;
  return length;
}

const ESCAPE = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\.|[\ud800-\udbff][\udc00-\udfff]/gi;
