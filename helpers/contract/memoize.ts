/** Caches for values that are created memoizeBySchemas: by key, or by schema and set of component schemas. */
import type { Contract, JsonSchema } from "./contract.ts";

/** Returns the cached value of the key; makes and stores it if it is missing. */
export const getOrInsert = <Key, Value>(
  memory: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => NoInfer<Value>,
): Value => {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = make();
  memory.set(key, value);
  return value;
};

/** Returns a function that makes one value for each object and stores it as long as the object lives. */
export const memoize = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => getOrInsert(made, key, () => ({ value: make(key) })).value;
};

/** Groups items by key; keys and items stay in the order of first occurrence. */
export const groupBy = <Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) getOrInsert(groups, keyOf(item), () => []).push(item);
  return groups;
};

/** Returns a function that reads each schema once per set of component schemas. */
export const memoizeBySchemas = <Reading extends object>(
  read: (schema: JsonSchema, schemas: Contract["schemas"]) => Reading,
): typeof read => {
  const memory = new WeakMap<Contract["schemas"], WeakMap<JsonSchema, Reading>>();
  return (schema, schemas) =>
    getOrInsert(
      getOrInsert(memory, schemas, () => new WeakMap()),
      schema,
      () => read(schema, schemas),
    );
};
