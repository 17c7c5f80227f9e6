/** Reads the JSON of clients. */

/** A client can write any of these with escapes. */
const SUSPECTS = ["toString", "valueOf", "\\u"];

/** Parses JSON into convertible values. @throws SyntaxError */
export const parsedJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  return SUSPECTS.some((name) => text.includes(name)) ? convertible(value) : value;
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
