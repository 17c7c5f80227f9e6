/** JSON objects with any fields. */

export type Fields = Readonly<Record<string, unknown>>;

/** Whether the value is an object. Lists and `null` are not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value itself, or an empty object when it is not an object. */
export const fieldsIn = (value: unknown): Fields => (isObject(value) ? value : {});

/** Reads a number. Clients may write it as a text if no document states its type. */
export const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** Returns the value itself, or an empty list when it is not a list. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
