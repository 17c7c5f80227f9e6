/** Reads schemas for the generators: flattened, and by JSON pointer. */
import type { JsonSchema, Rule, Schemas } from "../contract.ts";
import { isObject } from "../json.ts";
import { memoizeBySchemas } from "../memoize.ts";
import { parentOf, segmentsOf } from "../pointer.ts";
import { selectingValues } from "./discriminators.ts";
import { flatten } from "./flatten.ts";
import { BY_TYPE } from "./keywords.ts";
import { propertiesOf, requiredOf } from "./schema-visitor.ts";

/**
 * Adds the assumptions (`x-assumed`) that complement the provider's document to a flattened schema. They restrict
 * generated values, but judge no server.
 */
export const drawable = memoizeBySchemas((flat, schemas) => {
  const { "x-assumed": assumed, ...stated } = flat;
  return isObject(assumed) ? flatten({ allOf: [stated, assumed] }, schemas) : flat;
});

/** Returns the schema of the instance at `pointer` (`*` or an index for an array item), if it is known. */
export const schemaAt = (schema: unknown, pointer: string, schemas: Schemas): JsonSchema | undefined =>
  segmentsOf(pointer).reduce<JsonSchema | undefined>(
    (inner, segment) => inner && step(inner, segment, schemas),
    flatten(schema, schemas),
  );

/** Returns the whole schema of the rule's place. The rule's own schema may be only a part of an `allOf`. */
export const wholeOf = (body: unknown, rule: Rule, schemas: Schemas): JsonSchema => {
  const name = segmentsOf(rule.pointer).at(-1);
  const parent = name === undefined ? undefined : schemaAt(body, parentOf(rule.pointer), schemas);
  const place = parent && propertiesOf(parent)[name ?? ""];
  return isObject(place) && Array.isArray(place.allOf) && place.allOf.includes(rule.schema)
    ? place
    : rule.schema;
};

/** Whether an instance of `body` must have the property at `pointer` if it has the parent. */
export const isRequired = (body: unknown, pointer: string, schemas: Schemas): boolean => {
  const name = segmentsOf(pointer).at(-1);
  if (name === undefined) return true;
  const parent = schemaAt(body, parentOf(pointer), schemas);
  return [parent, ...branchesOf(parent)].some((each) => requiredOf(flatten(each, schemas)).includes(name));
};

/** Returns the alternatives of `oneOf` or `anyOf`; an empty list if there are none. */
export const branchesOf = (schema: JsonSchema | undefined): readonly unknown[] => {
  const branches = schema?.oneOf ?? schema?.anyOf;
  return Array.isArray(branches) ? branches : [];
};

/** Returns the alternatives of a flattened schema, each merged with the common part. */
export const alternativesOf = memoizeBySchemas((flat, schemas): readonly JsonSchema[] => {
  const { [flat.oneOf === undefined ? "anyOf" : "oneOf"]: _, ...common } = flat;
  return branchesOf(flat).map((branch) => flatten({ allOf: [common, named(flat, branch), branch] }, schemas));
});

/** Returns the condition of a `discriminator` for the property that names the branch. */
const named = ({ discriminator }: JsonSchema, branch: unknown): JsonSchema => {
  const property = isObject(discriminator) ? discriminator.propertyName : undefined;
  const [value] = (isObject(discriminator) && selectingValues(discriminator, branch)) || [];
  if (typeof property !== "string" || value === undefined) return {};
  return { type: "object", required: [property], properties: { [property]: { const: value } } };
};

/** Returns the JSON types that the schema names or, without any, those to which its keywords apply. */
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
