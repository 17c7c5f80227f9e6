/** Validates generated values, except for ids of another type: an id that is a text is sent even where a number is assumed. */
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
  const ofOtherType = new Set(
    errors.flatMap(({ pointer, keyword }) =>
      keyword === "type" && ids.has(atPointer(value, pointer)) ? [pointer] : [],
    ),
  );
  return errors.filter(({ pointer }) => !ofOtherType.has(pointer));
};
