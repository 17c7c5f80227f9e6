/** Objects as JSON has them, whatever is in them. */

export type Fields = Readonly<Record<string, unknown>>;

/** Lists and `null` are none. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value itself, or an object without fields where it is none. */
export const fieldsIn = (value: unknown): Fields => (isObject(value) ? value : {});
