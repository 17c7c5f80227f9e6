/** Completes an answer of which not all known values may fit the schema. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import type { Completer, Identifiers } from "../../../mocks/engine/values/complete.ts";
import { type Fields, isObject } from "../../../mocks/engine/values/fields.ts";

/** Completes a body that fits its schema, if one is found: with all fields of the schema, or with the required ones. */
export const completeFitting = (
  complete: Completer,
  isValid: (body: unknown) => boolean,
  {
    schema,
    known,
    key,
    named,
  }: {
    readonly schema: JsonSchema;
    readonly known: unknown;
    readonly key: string;
    readonly named?: Identifiers;
  },
): unknown => {
  const whole = complete(schema, known, key, "optional", named);
  if (isValid(whole)) return whole;
  const least = complete(schema, known, key, "required", named);
  if (isValid(least)) return least;
  for (const part of partsOf(known)) {
    const other = complete(schema, part, key, "optional", named);
    if (isValid(other)) return other;
  }
  return whole;
};

/** Returns the known fields without each that is an object or a list, and without all: an answer may not take what was sent. */
const partsOf = (known: unknown): Fields[] => {
  if (!isObject(known)) return [];
  const names = Object.keys(known).filter((name) => typeof known[name] === "object" && known[name] !== null);
  const without = (left: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(known).filter(([name]) => !left.includes(name)));
  return [...names.map((name) => [name]), names].map(without);
};
