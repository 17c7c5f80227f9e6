/**
 * Reads schemas as the generators need them: references followed, `allOf` joined, looked up by JSON
 * pointer.
 */
import type { Contract, JsonSchema, Rule } from "../contract/contract.ts";
import { segmentsOf } from "./edit.ts";

type Schemas = Contract["schemas"];

/** The schema without `$ref` and `allOf` at its own level; the same object for the same schema. */
export const flatten = (schema: unknown, schemas: Schemas): JsonSchema => {
  if (!isSchema(schema)) return ANYTHING;
  const known = flattened.get(schema);
  if (known !== undefined) return known;
  const result = join(schema, schemas, new Set());
  flattened.set(schema, result);
  return result;
};

/**
 * A flattened schema as values are drawn from it: with what is assumed beside the provider's document (`x-assumed`),
 * which nothing is judged by.
 */
export const drawable = (flat: JsonSchema, schemas: Schemas): JsonSchema => {
  if (!isSchema(flat["x-assumed"])) return flat;
  const known = drawables.get(flat);
  if (known !== undefined) return known;
  const { "x-assumed": assumed, ...stated } = flat;
  const result = flatten({ allOf: [stated, assumed] }, schemas);
  drawables.set(flat, result);
  return result;
};

/** The schema of the instance at `pointer` (`*` or an index for an array item), if the schema tells. */
export const schemaAt = (schema: unknown, pointer: string, schemas: Schemas): JsonSchema | undefined =>
  segmentsOf(pointer).reduce<JsonSchema | undefined>(
    (inner, segment) => inner && step(inner, segment, schemas),
    flatten(schema, schemas),
  );

/** The schema of the rule's place: another than the rule's own where that is but one part of an `allOf`. */
export const wholeOf = (body: unknown, rule: Rule, schemas: Schemas): JsonSchema => {
  const name = segmentsOf(rule.pointer).at(-1);
  const parent = name === undefined ? undefined : schemaAt(body, parentOf(rule.pointer), schemas);
  const place = parent && propertiesOf(parent)[name ?? ""];
  return isSchema(place) && Array.isArray(place.allOf) && place.allOf.includes(rule.schema)
    ? place
    : rule.schema;
};

/** Whether an instance of `body` must have the property at `pointer`, wherever its parent is there. */
export const isRequired = (body: unknown, pointer: string, schemas: Schemas): boolean => {
  const name = segmentsOf(pointer).at(-1);
  if (name === undefined) return true;
  const parent = schemaAt(body, parentOf(pointer), schemas);
  return [parent, ...branchesOf(parent)].some((each) => requiredOf(flatten(each, schemas)).includes(name));
};

const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));

export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, unknown>> =>
  isSchema(schema.properties) ? schema.properties : {};

export const requiredOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema.required) ? schema.required : [];

/** The alternatives of `oneOf` or `anyOf`; none when there is no choice. */
export const branchesOf = (schema: JsonSchema | undefined): readonly unknown[] => {
  const branches = schema?.oneOf ?? schema?.anyOf;
  return Array.isArray(branches) ? branches : [];
};

/** JSON types that the schema names or, where it names none, that its keywords speak of. */
export const typesOf = (schema: JsonSchema): readonly string[] => {
  const types = [schema.type ?? impliedType(schema) ?? []].flat() as string[];
  return schema.nullable === true ? [...types, "null"] : types;
};

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const ANYTHING: JsonSchema = {};
const COMPONENT = "#/components/schemas/";
const flattened = new WeakMap<JsonSchema, JsonSchema>();
const drawables = new WeakMap<JsonSchema, JsonSchema>();

const IMPLIED: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]],
  ["array", ["items", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

const impliedType = (schema: JsonSchema): string | undefined =>
  IMPLIED.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))?.[0];

const step = (schema: JsonSchema, segment: string, schemas: Schemas): JsonSchema | undefined => {
  const property = propertiesOf(schema)[segment];
  if (property !== undefined) return flatten(property, schemas);
  if (/^(\*|\d+)$/.test(segment) && isSchema(schema.items)) return flatten(schema.items, schemas);
  for (const branch of branchesOf(schema)) {
    const inner = step(flatten(branch, schemas), segment, schemas);
    if (inner !== undefined) return inner;
  }
  return isSchema(schema.additionalProperties) ? flatten(schema.additionalProperties, schemas) : undefined;
};

const join = (schema: JsonSchema, schemas: Schemas, entered: ReadonlySet<string>): JsonSchema => {
  const { $ref, allOf, ...own } = schema;
  const parts: JsonSchema[] = [];
  if (typeof $ref === "string" && !entered.has($ref)) {
    const target = schemas[$ref.replace(COMPONENT, "").replaceAll("~1", "/").replaceAll("~0", "~")];
    if (target === undefined)
      throw new Error(`The contract has no schema for $ref "${$ref}" under components.schemas.`);
    parts.push(join(target, schemas, new Set([...entered, $ref])));
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    if (isSchema(part)) parts.push(join(part, schemas, entered));
  }
  return parts.length === 0 && $ref === undefined && allOf === undefined
    ? schema
    : [...parts, own].reduce(both);
};

/** How two values of one keyword say together what each says alone; elsewhere the later value stands. */
const JOINS: Readonly<Record<string, (left: never, right: never) => unknown>> = {
  properties: (left: Record<string, unknown>, right: Record<string, unknown>) => ({
    ...left,
    ...Object.fromEntries(
      Object.entries(right).map(([name, schema]) => [
        name,
        left[name] === undefined ? schema : { allOf: [left[name], schema] },
      ]),
    ),
  }),
  required: (left: string[], right: string[]) => [...new Set([...left, ...right])],
  enum: (left: unknown[], right: unknown[]) => left.filter((value) => right.includes(value)),
  type: (left: string | string[], right: string | string[]) =>
    [left].flat().filter((type) => [right].flat().includes(type)),
  minimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  maximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
};

const both = (left: JsonSchema, right: JsonSchema): JsonSchema => {
  const result: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const joint = JOINS[keyword];
    result[keyword] =
      joint !== undefined && left[keyword] !== undefined
        ? joint(left[keyword] as never, value as never)
        : value;
  }
  return result;
};
