/** Readings of a schema that are made once for each set of component schemas. */
import type { Contract, JsonSchema } from "./contract.ts";

type Schemas = Contract["schemas"];
type Read<Reading> = (schema: JsonSchema, schemas: Schemas) => Reading;

/** The same function, which gives the same object for the same schema. */
export const once = <Reading extends object>(read: Read<Reading>): Read<Reading> => {
  const memory = new WeakMap<Schemas, WeakMap<JsonSchema, Reading>>();
  return (schema, schemas) => {
    const readings = memory.get(schemas) ?? new WeakMap<JsonSchema, Reading>();
    memory.set(schemas, readings);
    const reading = readings.get(schema) ?? read(schema, schemas);
    readings.set(schema, reading);
    return reading;
  };
};
