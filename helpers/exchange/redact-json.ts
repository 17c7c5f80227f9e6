/** Redacts the names and values in JSON. The text stays JSON, and each value keeps its kind. */
import { type IsKept, NAMED } from "./placeholder.ts";
import type { SecretNames } from "./secret-names.ts";
import { placeholderOf, roundNumber } from "./shapes.ts";

/** @returns `undefined` for a text that is not a JSON object or list */
export const redactJson = (
  text: string,
  redact: (text: string) => string,
  isKept: IsKept,
  { isMember }: SecretNames,
): string | undefined => {
  if (!isJson(text)) return undefined;
  /** The names that belong to the values around the present one. */
  const outer: string[] = [];
  let name = "";
  return text.replace(TOKEN, (token, colon: string | undefined) => {
    if (token === "{" || token === "[") outer.push(name);
    else if (token === "}" || token === "]") name = outer.pop() ?? "";
    else if (colon !== undefined) {
      name = JSON.parse(token.slice(0, -colon.length)) as string;
      return quoted(name, token.slice(0, -colon.length), redact(name)) + colon;
    } else {
      const isSecret = isMember(name) && !isKept(token.replaceAll('"', ""), name);
      return token.startsWith('"')
        ? redactString(name, isSecret, token, redact)
        : redactNumber(isSecret, token, redact);
    }
    return token;
  });
};

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

const redactString = (
  name: string,
  isSecret: boolean,
  token: string,
  redact: (text: string) => string,
): string => {
  const text = JSON.parse(token) as string;
  const redacted = redact(text);
  // The name of a known secret says more than the name of its field.
  return isSecret && !NAMED.test(redacted)
    ? `"${placeholderOf(redact(name) === name ? name : "secret", token.slice(1, -1))}"`
    : quoted(text, token, redacted);
};

const redactNumber = (isSecret: boolean, token: string, redact: (text: string) => string): string =>
  isSecret || redact(token) !== token ? roundNumber(token) : token;

/** Leaves an unchanged text in its notation. */
const quoted = (text: string, token: string, redacted: string): string =>
  redacted === text ? token : JSON.stringify(redacted);
