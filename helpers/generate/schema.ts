/** Reads schemas as the generators need them: flattened, and looked up by JSON pointer. */
import type { Contract, JsonSchema, Rule } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { BY_TYPE } from "../contract/keywords.ts";
import { once } from "../contract/once.ts";
import { componentNamed, segmentsOf } from "../contract/pointer.ts";
import { flatten } from "./flatten.ts";

type Schemas = Contract["schemas"];

/**
 * A flattened schema as values are drawn from it: with what is assumed beside the provider's document (`x-assumed`),
 * which nothing is judged by.
 */
export const drawable = once((flat, schemas) => {
  const { "x-assumed": assumed, ...stated } = flat;
  return isObject(assumed) ? flatten({ allOf: [stated, assumed] }, schemas) : flat;
});

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
  return isObject(place) && Array.isArray(place.allOf) && place.allOf.includes(rule.schema)
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
  isObject(schema.properties) ? schema.properties : {};

export const requiredOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema.required) ? schema.required : [];

/** The alternatives of `oneOf` or `anyOf`; none when there is no choice. */
export const branchesOf = (schema: JsonSchema | undefined): readonly unknown[] => {
  const branches = schema?.oneOf ?? schema?.anyOf;
  return Array.isArray(branches) ? branches : [];
};

/** The alternatives of a flattened schema, each with what all have in common. */
export const alternativesOf = once((flat, schemas): readonly JsonSchema[] => {
  const { [flat.oneOf === undefined ? "anyOf" : "oneOf"]: _, ...common } = flat;
  return branchesOf(flat).map((branch) => flatten({ allOf: [common, named(flat, branch), branch] }, schemas));
});

/** What a `discriminator` demands of the property that names the branch. */
const named = (schema: JsonSchema, branch: unknown): JsonSchema => {
  const discriminator = schema.discriminator as
    | { propertyName?: string; mapping?: Record<string, string> }
    | undefined;
  const ref = isObject(branch) ? branch.$ref : undefined;
  const name = componentNamed(ref);
  if (discriminator?.propertyName === undefined || name === undefined) return {};
  const mapped = Object.entries(discriminator.mapping ?? {}).find(
    ([, target]) => target === ref || target === name,
  );
  const property = discriminator.propertyName;
  return { type: "object", required: [property], properties: { [property]: { const: mapped?.[0] ?? name } } };
};

/** JSON types that the schema names or, where it names none, that its keywords speak of. */
export const typesOf = (schema: JsonSchema): readonly string[] => {
  const types = [schema.type ?? impliedType(schema) ?? []].flat() as string[];
  return schema.nullable === true ? [...types, "null"] : types;
};

const impliedType = (schema: JsonSchema): string | undefined =>
  BY_TYPE.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))?.[0];

const step = (schema: JsonSchema, segment: string, schemas: Schemas): JsonSchema | undefined => {
  const property = propertiesOf(schema)[segment];
  if (property !== undefined) return flatten(property, schemas);
  if (/^(\*|\d+)$/.test(segment) && isObject(schema.items)) return flatten(schema.items, schemas);
  for (const branch of branchesOf(schema)) {
    const inner = step(flatten(branch, schemas), segment, schemas);
    if (inner !== undefined) return inner;
  }
  return isObject(schema.additionalProperties) ? flatten(schema.additionalProperties, schemas) : undefined;
};
