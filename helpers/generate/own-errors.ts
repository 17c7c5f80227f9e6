/** Validates generated values, except for ids: an id is sent as the server gave it, even if its schema has another form. */
import type { JsonSchema } from "../contract/contract.ts";
import { atPointer } from "../contract/pointer.ts";
import type { ValidationError } from "../contract/schema-validator.ts";
import type { GenerateContext } from "./context.ts";

export const ownErrors = (
  schema: JsonSchema,
  value: unknown,
  { validator, resources }: Pick<GenerateContext, "validator" | "resources">,
): readonly ValidationError[] => {
  const errors = validator.validate(schema, value);
  if (errors.length === 0) return errors;
  const ids = new Set<unknown>(Object.values(resources));
  return errors.filter(({ pointer }) => !ids.has(atPointer(value, pointer)));
};
