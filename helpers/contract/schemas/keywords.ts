/** Keywords of OpenAPI and JSON Schema by the kind of their values; translates OpenAPI 3.0 to JSON Schema 2020-12. */
import type { Json } from "../json.ts";
import keywords from "./keywords.json" with { type: "json" };

const setOf = (...lists: readonly (readonly string[])[]): ReadonlySet<string> => new Set(lists.flat());

/** Keywords that do not affect messages. */
export const DOCUMENTATION = setOf(keywords.documentation);
/** Keywords that contain instances, not schemas. */
export const DATA_KEYWORDS = setOf(keywords.data);
/** Keywords that contain schemas by name. The names must not be mistaken for keywords. */
export const SCHEMAS_BY_NAME = setOf(keywords.schemasByName);
/** Keys of a document that directly contain names, not keywords. */
export const NAMED = setOf(keywords.schemasByName, keywords.namesBelow);
export const SCHEMA_LISTS = setOf(keywords.schemaLists);
export const SCHEMA_ALONE = setOf(keywords.schemaAlone);
/** JSON types, and the keywords that apply only to their values. */
export const BY_TYPE: readonly (readonly [string, readonly string[]])[] = Object.entries(keywords.byType);
/** Keywords that apply only to numbers. */
export const NUMERIC: readonly string[] = keywords.byType.number;

/** Translates the flag of OpenAPI 3.0 next to a limit to the exclusive limit of JSON Schema 2020-12. */
export const translateExclusive = (schema: Json): void => {
  for (const [keyword, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const flag = schema[keyword];
    if (typeof flag !== "boolean") continue;
    delete schema[keyword];
    if (!flag || schema[limit] === undefined) continue;
    schema[keyword] = schema[limit];
    delete schema[limit];
  }
};

/**
 * Translates `nullable` exactly as OpenAPI 3.0.3 defines it: it has an effect only next to `type`, and a list of values
 * has to contain null as well.
 */
export const orNullAsDefined = (schema: Json): Json => {
  const isListed = !Array.isArray(schema.enum) || schema.enum.includes(null);
  return typeof schema.type === "string" && isListed ? { ...schema, type: [schema.type, "null"] } : schema;
};

/** The note at a schema that whether null is valid is read in two ways: nobody sends it, and nobody is judged by it. */
export const OPEN_NULL = "x-open-null";

/**
 * Translates `nullable` of OpenAPI 3.0 as documents use it: null is allowed wherever it is written. Beside a list of values
 * without null, without a type, and beside schemas that refuse null, OpenAPI 3.0.3 gives it no effect.
 */
export const orNull = (schema: Json): Json => {
  if (typeof schema.type !== "string" || ["$ref", ...SCHEMA_LISTS].some((keyword) => keyword in schema))
    return { anyOf: [{ type: "null", [OPEN_NULL]: true }, schema] };
  const isOpen = Array.isArray(schema.enum) && !schema.enum.includes(null);
  const choices = isOpen ? { enum: [...(schema.enum as unknown[]), null], [OPEN_NULL]: true } : {};
  return { ...schema, ...choices, type: [schema.type, "null"] };
};

/** Whether only null fits. */
export const isNull = ({ type, const: value, enum: values }: Json): boolean =>
  type === "null" || value === null || (Array.isArray(values) && values.every((one) => one === null));

/**
 * Returns the schema that null fits too.
 * @param nothing the schema of null
 */
export const withNull = (schema: Json, nothing: Json): Json => {
  const { type, const: value, enum: values = value === undefined ? undefined : [value] } = schema;
  const { const: _, ...own } = schema;
  return {
    ...own,
    ...(type !== undefined && { type: [...new Set([type, "null"].flat())] }),
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
    ...(nothing[OPEN_NULL] === true && { [OPEN_NULL]: true }),
  };
};

/** Returns the schema without null: a text can't state it. */
export const withoutNull = (schema: Json): Json => {
  const others = (name: string, isOther: (one: unknown) => boolean): Json =>
    Array.isArray(schema[name]) ? { [name]: schema[name].filter(isOther) } : {};
  const isBranch = (one: unknown): boolean => !isNull(one as Json);
  return {
    ...schema,
    ...others("type", (one) => one !== "null"),
    ...others("enum", (one) => one !== null),
    ...others("anyOf", isBranch),
    ...others("oneOf", isBranch),
  };
};

/**
 * Whether a value is one of those that a schema lists.
 * @param schema says whether the letter case of a text counts (`x-case: ignore`)
 */
export const isListed = (schema: Json, values: readonly unknown[], value: unknown): boolean =>
  values.includes(value) ||
  (typeof value === "string" &&
    schema["x-case"] === "ignore" &&
    values.some((one) => typeof one === "string" && one.toLowerCase() === value.toLowerCase()));
