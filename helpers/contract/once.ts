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

/** The same function, which makes one value for each object, kept for as long as the object lives. */
export const oncePer = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => keptIn(made, key, () => ({ value: make(key) })).value;
};

/** The items by a key, both in the order in which the keys first come. */
export const grouped = <Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) keptIn(groups, keyOf(item), () => []).push(item);
  return groups;
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
