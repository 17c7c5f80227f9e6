/** Reads the JSON of clients. */

/** A client can write any of these with escapes. */
const SUSPECTS = ["toString", "valueOf", "\\u"];

/** Levels of lists and objects that a client may nest, as RFC 8259, section 9, permits: more would exhaust the stack. */
const DEEPEST = 500;

/** Parses JSON into convertible values. @throws SyntaxError also if the values are nested too deep */
export const parsedJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(text)) throw new SyntaxError(`The JSON has more than ${DEEPEST} levels.`);
  return SUSPECTS.some((name) => text.includes(name)) ? convertible(value) : value;
};

/** Writes the integers that a double does not hold as texts, so that they keep their digits. */
export const withLargeAsTexts = (json: string, isKept = (_: string): boolean => true): string =>
  json.replace(TOKEN, (token) =>
    !token.startsWith('"') && isKept(token) && isLarge(token) ? `"${token}"` : token,
  );

export const isLarge = (text: unknown): boolean =>
  typeof text === "string" && /^\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));

/** Returns the texts in a value that are integers which a double does not hold. */
export const largeIn = (value: object): string[] =>
  (JSON.stringify(value).match(/(?<=")\d{16,}(?=")/g) ?? []).filter(isLarge);

/** Matches texts, so that nothing in them counts, and long integers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|(?<![\d.+-])\d{16,}(?![\d.eE])/g;

const isTooDeep = (json: string): boolean => {
  // A scan takes long, and the body of a usual request has few brackets.
  if (occurrences(json, "[") + occurrences(json, "{") <= DEEPEST) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isInText && character === "\\") at += 1;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
};

/** Counts up to the limit. */
const occurrences = (text: string, part: string): number => {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count <= DEEPEST; at = text.indexOf(part, at + 1)) count += 1;
  return count;
};

/**
 * Makes the value convertible to a text, even if an object has a field `toString`. Handlers convert a value to a text
 * if no document states its type.
 * @returns the value itself
 */
export const convertible = <Value>(value: Value): Value => {
  if (typeof value !== "object" || value === null) return value;
  // The conversion is not enumerable, so that no answer contains it.
  if (!Array.isArray(value)) Object.defineProperty(value, Symbol.toPrimitive, { value: () => "[object]" });
  for (const part of Object.values(value)) convertible(part);
  return value;
};
