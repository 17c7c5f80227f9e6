/** Reads the values of parameters, and of the fields and parts of forms, from their texts. */
import type { Contract, JsonSchema } from "../contract/contract.ts";
import { resolveRef } from "../contract/rule-walk.ts";
import { finiteNumber } from "../exchange/json-of.ts";

/** Converts the text of a parameter to the type in its schema. A text that is not of this type stays a text. */
export const typed = (
  schema: JsonSchema,
  text: string | readonly string[],
  schemas: Contract["schemas"],
): unknown => {
  if (typeof text !== "string") {
    const items = resolveRef(schemas, (schema.items ?? {}) as JsonSchema);
    return text.map((one) => typed(items, one, schemas));
  }
  const types = [schema.type].flat();
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(text))
    return finiteNumber(text);
  return types.includes("boolean") && /^(true|false)$/.test(text) ? text === "true" : text;
};
