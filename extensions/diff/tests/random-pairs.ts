/** Random pairs of schemas: two similar ones that differ in a few places, or two unrelated ones. */
import fc from "fast-check";

export type Json = Record<string, unknown>;

/** The names of properties and of component schemas, and values of all types. */
export const NAMES = ["a", "b", "kind"] as const;
export const VALUES: readonly unknown[] = ["a", "b", "kitten", 0, 1, 2.5, true, null];
export const COMPONENTS = ["One", "Two"] as const;

export const small = fc.integer({ min: 0, max: 4 });
export const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
export const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 1 });
export const described = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** Returns the schema with one part replaced. */
const edited = (node: unknown, other: unknown, at: number): unknown => {
  let left = at;
  const walk = (part: unknown): unknown => {
    if (left === 0) {
      left = -1;
      return other;
    }
    left -= 1;
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map((item) => (typeof item === "object" ? walk(item) : item));
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, HOLDERS.has(key) ? held(key, value) : value]),
    );
  };
  const held = (key: string, value: unknown): unknown =>
    BY_NAME.has(key)
      ? Object.fromEntries(Object.entries(value as Json).map(([name, inner]) => [name, walk(inner)]))
      : Array.isArray(value)
        ? value.map(walk)
        : walk(value);
  return walk(node);
};

const BY_NAME = new Set(["properties", "patternProperties"]);
const HOLDERS = new Set([
  ...[...BY_NAME, "items", "prefixItems", "contains", "additionalProperties"],
  ...["anyOf", "oneOf", "allOf", "not", "if", "then", "else"],
]);

type Schemas = fc.Arbitrary<unknown>;

/** A schema with the component schemas of its document. */
export interface Side {
  readonly schema: unknown;
  readonly schemas: Json;
}

/**
 * Returns pairs of schemas with their component schemas, which may differ too.
 * @param leaves schemas without inner ones
 */
export const pairsOf = (schema: Schemas, leaves: Schemas) => {
  const components = fc.record({ One: schema, Two: leaves });
  const pairs = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(schema, schema, fc.nat({ max: 5 }))
        .map(([base, other, at]) => [base, edited(base, other, at)] as const),
    },
    { weight: 1, arbitrary: fc.tuple(schema, schema) },
  );
  return fc
    .record({ pair: pairs, components, others: fc.option(components, { nil: undefined }) })
    .map(({ pair: [base, revision], components: shared, others }): readonly [Side, Side] => [
      { schema: base, schemas: sound(shared) },
      { schema: revision, schemas: sound(others ?? shared) },
    ]);
};

/** Lets `One` refer only to `Two`, so that no schema is only a circular reference. */
const sound = (schemas: Json): Json => ({
  ...schemas,
  One: JSON.parse(JSON.stringify(schemas.One).replaceAll("schemas/One", "schemas/Two")),
});

/** Removes properties from an instance, which may happen to have a property that only one of its schemas names. */
export const without = (value: unknown, names: readonly unknown[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
};
