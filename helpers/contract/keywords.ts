/** Keywords of OpenAPI and JSON Schema by what stands below them, and those of OpenAPI 3.0 as JSON Schema 2020-12. */
import type { Json } from "./json.ts";
import keywords from "./keywords.json" with { type: "json" };

const setOf = (...lists: readonly (readonly string[])[]): ReadonlySet<string> => new Set(lists.flat());

/** Which no message shows. */
export const DOCUMENTATION = setOf(keywords.documentation);
/** Instances, not schemas, stand below these. */
export const DATA_KEYWORDS = setOf(keywords.data);
/** They hold named schemas, whose names must not be taken for keywords. */
export const SCHEMAS_BY_NAME = setOf(keywords.schemasByName);
/** Names, not keywords, stand right below these of a document. */
export const NAMED = setOf(keywords.schemasByName, keywords.namesBelow);
export const SCHEMA_LISTS = setOf(keywords.schemaLists);
export const SCHEMA_ALONE = setOf(keywords.schemaAlone);
/** JSON types, and the keywords that speak of their values alone. */
export const BY_TYPE: readonly (readonly [string, readonly string[]])[] = Object.entries(keywords.byType);
/** They speak of numbers alone. */
export const NUMERIC: readonly string[] = keywords.byType.number;

/** OpenAPI 3.0 writes a flag beside the limit where JSON Schema 2020-12 writes the limit. */
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

/** `nullable` of OpenAPI 3.0. */
export const orNull = (schema: Json): Json => {
  if (typeof schema.type !== "string") return { anyOf: [{ type: "null" }, schema] };
  const choices = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, ...choices, type: [schema.type, "null"] };
};
