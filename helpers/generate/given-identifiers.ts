/** Identifiers that the target gave: no assumed schema can make them wrong. */
import { atPointer } from "../contract/pointer.ts";
import type { Validator } from "../contract/schema-validator.ts";

/** Returns a validator that reports no violation by one of the identifiers, but for a field that seems to name one. */
export const allowingGiven = (
  validator: Validator,
  identifiers: Readonly<Record<string, string>>,
): Validator => {
  const given = new Set(Object.values(identifiers));
  if (given.size === 0) return validator;
  return {
    validate: (schema, value) =>
      validator
        .validate(schema, value)
        .filter(({ pointer }) => "x-names" in schema || !isGiven(given, atPointer(value, pointer))),
  };
};

const isGiven = (given: ReadonlySet<string>, value: unknown): boolean =>
  (typeof value === "string" || typeof value === "number") && given.has(String(value));
