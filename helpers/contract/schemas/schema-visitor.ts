/**
 * The one visitor of schemas: which schemas are written inside another one, which of them apply to the same value, and
 * which to a property or an item of it.
 */
import type { JsonSchema, Schemas } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { memoizeBySchemas } from "../memoize.ts";
import { escapeSegment, referenced, segmentsOf } from "../pointer.ts";
import { DATA_KEYWORDS, NAMED, SCHEMA_ALONE, SCHEMA_LISTS, SCHEMAS_BY_NAME } from "./keywords.ts";

/** Yields the objects of a document with their pointers, the outer ones first. Data and extensions are left out. */
export function* nodesIn(node: unknown, pointer = "", key = ""): Generator<readonly [Json, pointer: string]> {
  if (isObject(node)) yield [node, pointer];
  if (typeof node !== "object" || node === null) return;
  const hasNames = NAMED.has(key);
  for (const [name, inner] of Object.entries(node))
    if (hasNames || !(DATA_KEYWORDS.has(name) || name.startsWith("x-")))
      yield* nodesIn(inner, `${pointer}/${escapeSegment(name)}`, hasNames ? "" : name);
}

/** The schemas at a keyword, each with its pointer from the schema that has the keyword. */
export const schemasIn = (schema: Json, keyword: string): (readonly [schema: unknown, pointer: string])[] => {
  const value = schema[keyword];
  if (SCHEMA_ALONE.has(keyword)) return value === undefined ? [] : [[value, `/${keyword}`]];
  const holds = SCHEMA_LISTS.has(keyword)
    ? Array.isArray(value)
    : SCHEMAS_BY_NAME.has(keyword) && isObject(value);
  return holds
    ? Object.entries(value as object).map(([key, one]) => [one, `/${keyword}/${escapeSegment(key)}`])
    : [];
};

/** Returns the value of a keyword with each schema in it changed; the same value if nothing changes. */
export const withSchemas = (
  keyword: string,
  value: unknown,
  change: (schema: unknown, pointer: string) => unknown,
): unknown => {
  if (SCHEMA_ALONE.has(keyword)) return change(value, "");
  const isList = SCHEMA_LISTS.has(keyword) && Array.isArray(value);
  if (!isList && !(SCHEMAS_BY_NAME.has(keyword) && isObject(value))) return value;
  const all = Object.entries(value).map(
    ([key, one]) => [key, one, change(one, `/${escapeSegment(key)}`)] as const,
  );
  if (all.every(([, before, after]) => before === after)) return value;
  return isList
    ? all.map(([, , after]) => after)
    : Object.fromEntries(all.map(([key, , after]) => [key, after]));
};

/** Applies `change` to each schema in a schema, innermost first. Returns the same object if nothing changes. */
export const withinChanged = (schema: unknown, change: (schema: Json) => Json): unknown => {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(
    ([keyword, value]) =>
      [keyword, withSchemas(keyword, value, (inner) => withinChanged(inner, change))] as const,
  );
  const isSame = entries.every(([keyword, value]) => schema[keyword] === value);
  return change(isSame ? schema : Object.fromEntries(entries));
};

/** The keywords whose schemas apply to the same value: to each value, also as an alternative, or also on a condition. */
const BESIDE = {
  itself: [],
  always: ["allOf"],
  alternatives: ["allOf", "anyOf", "oneOf"],
  conditions: ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"],
} as const;

type Reach = keyof typeof BESIDE;

/** Returns the schemas inside a schema that apply to the same value, but not the target of its reference. */
export const besides = (schema: Json, reach: Reach) =>
  BESIDE[reach].flatMap((keyword) => schemasIn(schema, keyword));

/** Returns the schema itself and all schemas that apply to the same value, also through references. */
export const inPlace = (
  schemas: { readonly [name: string]: unknown },
  schema: unknown,
  reach: Reach,
  entered: ReadonlySet<unknown> = new Set(),
): Json[] => {
  if (!isObject(schema) || entered.has(schema)) return [];
  const within = new Set(entered).add(schema);
  const target = schema.$ref === undefined ? [] : [referenced(schema.$ref, schemas)];
  const inner = [...target, ...besides(schema, reach).map(([one]) => one)];
  return [schema, ...inner.flatMap((one) => inPlace(schemas, one, reach, within))];
};

/** Returns the schema itself and all its parts at its own level: `$ref`, `allOf`, `anyOf`, `oneOf`. */
export const partsOf = (schemas: Schemas, schema: unknown): readonly JsonSchema[] =>
  isObject(schema) ? parts(schema, schemas) : [];

const parts = memoizeBySchemas((schema, schemas): readonly JsonSchema[] =>
  inPlace(schemas, schema, "alternatives"),
);

/** A schema of a property or of the items, and the part that has it. */
export interface InnerSchema {
  readonly part: JsonSchema;
  /** `/name` or `/*`. */
  readonly segment: string;
  /** The name of the property; absent for items. */
  readonly name?: string;
  readonly schema: unknown;
}

/** Returns the schemas of properties and items of a value, in the order of the parts of its schema. */
export const innerSchemas = (schemas: Schemas, schema: unknown): InnerSchema[] =>
  partsOf(schemas, schema).flatMap((part) => [
    ...Object.entries(propertiesOf(part)).map(([name, inner]) => ({
      part,
      segment: `/${escapeSegment(name)}`,
      name,
      schema: inner,
    })),
    ...(part.items === undefined ? [] : [{ part, segment: "/*", schema: part.items }]),
  ]);

/** Returns the schemas of the members and items that a value may have, at any depth. */
const schemasBelow = (
  schemas: Schemas,
  schema: unknown,
  entered: Set<unknown> = new Set(),
): readonly InnerSchema[] => {
  if (entered.has(schema)) return [];
  entered.add(schema);
  return innerSchemas(schemas, schema).flatMap((one) => [one, ...schemasBelow(schemas, one.schema, entered)]);
};

/** Returns the names of the members that a value may have, at any depth. */
export const memberNames = (schemas: Schemas, schema: unknown): readonly string[] =>
  schemasBelow(schemas, schema).flatMap(({ name = [] }) => name);

/** Returns the values that a schema states as an example or default. */
export const valuesStated = ({ "x-example": example, default: usual }: JsonSchema): readonly unknown[] =>
  [example, usual].filter((value) => value !== undefined && value !== null);

/** Whether the schema of a member, at any depth, states a value. */
export const statesValues = (schemas: Schemas, schema: unknown): boolean =>
  schemasBelow(schemas, schema).some((one) =>
    partsOf(schemas, one.schema).some((part) => valuesStated(part).length > 0),
  );

export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, unknown>> =>
  isObject(schema.properties) ? schema.properties : {};

export const requiredOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema.required) ? schema.required : [];

/** Whether an instance of the schema may have a value at the JSON pointer; `*` matches every item. */
export const hasPlace = (schemas: Schemas, schema: unknown, pointer: string): boolean =>
  schemasAt(schemas, schema, pointer).length > 0;

/** Returns the schemas of the values at the JSON pointer, one for each alternative. */
export const schemasAt = (schemas: Schemas, schema: unknown, pointer: string): unknown[] =>
  segmentsOf(pointer).reduce<unknown[]>(
    (here, segment) =>
      here.flatMap((one) =>
        partsOf(schemas, one).flatMap((part) => [
          ...(segment in propertiesOf(part) ? [propertiesOf(part)[segment]] : []),
          ...(/^(\*|\d+)$/.test(segment) && part.items !== undefined ? [part.items] : []),
        ]),
      ),
    [schema],
  );

/** Returns the JSON types that the schema names, without `null`. */
export const typesOf = (schemas: Schemas, schema: unknown): string[] => [
  ...new Set(
    partsOf(schemas, schema)
      .flatMap(({ type }) => (type === undefined ? [] : [type].flat()) as string[])
      .filter((type) => type !== "null"),
  ),
];
