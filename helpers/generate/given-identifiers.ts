/** Identifiers that the target gave: no assumed schema can make them wrong. */
import type { Contract } from "../contract/contract.ts";
import { atPointer } from "../contract/pointer.ts";
import { schemaAt } from "../contract/schemas/schema-reading.ts";
import type { Validator } from "../contract/schemas/schema-validator.ts";

/** Returns a validator that reports no violation by an identifier in a place of its resource (`x-resource`). */
export const allowingGiven = (
  validator: Validator,
  schemas: Contract["schemas"],
  identifiers: Readonly<Record<string, string>>,
): Validator => ({
  validate: (schema, value) =>
    validator.validate(schema, value).filter(({ pointer }) => {
      const resource = schemaAt(schema, pointer, schemas)?.["x-resource"];
      const given = typeof resource === "string" ? identifiers[resource] : undefined;
      const sent = atPointer(value, pointer);
      return given === undefined || typeof sent === "object" || String(sent) !== given;
    }),
});
