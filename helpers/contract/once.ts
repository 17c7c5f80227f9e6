/** What is made once: for a key, and of a schema for each set of component schemas. */
import type { Contract, JsonSchema } from "./contract.ts";

type Schemas = Contract["schemas"];
type Read<Reading> = (schema: JsonSchema, schemas: Schemas) => Reading;

interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** What the memory has for the key; made and kept where it has nothing. */
export const keptIn = <Key, Value>(
  memory: Memory<Key, Value>,
  key: Key,
  make: () => NoInfer<Value>,
): Value => {
  const value = memory.get(key) ?? make();
  memory.set(key, value);
  return value;
};

/** The same function, which gives the same object for the same schema. */
export const once = <Reading extends object>(read: Read<Reading>): Read<Reading> => {
  const memory = new WeakMap<Schemas, WeakMap<JsonSchema, Reading>>();
  return (schema, schemas) =>
    keptIn(
      keptIn(memory, schemas, () => new WeakMap()),
      schema,
      () => read(schema, schemas),
    );
};
