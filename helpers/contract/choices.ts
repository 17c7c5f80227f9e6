/** The values that a schema lists. */
import type { JsonSchema } from "./contract.ts";

/**
 * Whether a value is one of those that a schema lists.
 * @param schema says whether the letter case of a text counts (`x-case: ignore`)
 */
export const isListed = (schema: JsonSchema, values: readonly unknown[], value: unknown): boolean =>
  values.includes(value) ||
  (typeof value === "string" &&
    schema["x-case"] === "ignore" &&
    values.some((one) => typeof one === "string" && one.toLowerCase() === value.toLowerCase()));
