/** The listed values of a schema (`enum`) that its other keywords allow. */
import type { JsonSchema } from "../contract/contract.ts";
import { mayMatch } from "../contract/expressions.ts";
import { OPEN_NULL } from "../contract/keywords.ts";
import { typesOf } from "../contract/schema-reading.ts";

/** Leaves out null if not every reading of the document allows it. */
export const choicesIn = (schema: JsonSchema): readonly unknown[] =>
  ((schema.enum ?? []) as unknown[]).filter(
    (value) =>
      hasType(value, schema) &&
      !(value === null && schema[OPEN_NULL] === true) &&
      (typeof value !== "number" || isWithinLimits(value, schema)) &&
      (typeof value !== "string" || hasLength(value, schema)),
  );

const isWithinLimits = (value: number, schema: JsonSchema): boolean =>
  value >= Number(schema.minimum ?? value) &&
  value <= Number(schema.maximum ?? value) &&
  value > Number(schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
  value < Number(schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY);

const hasLength = (value: string, { minLength, maxLength, pattern }: JsonSchema): boolean =>
  [...value].length >= Number(minLength ?? 0) &&
  [...value].length <= Number(maxLength ?? Number.POSITIVE_INFINITY) &&
  (typeof pattern !== "string" || mayMatch(pattern, value));

const hasType = (value: unknown, schema: JsonSchema): boolean => {
  if (schema.type === undefined) return true;
  const types = typesOf(schema);
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  return types.includes(typeof value) || (types.includes("integer") && Number.isInteger(value));
};
