/** Reads the fields of a form in the body of a request as parameters (OpenAPI 3.1, 4.8.15). */
import type { JsonSchema, Level, Parameter, RequestBody, Schemas } from "./contract.ts";
import { flatten } from "./flatten.ts";
import { isObject, type Json } from "./json.ts";
import { typesOf } from "./schema-reading.ts";
import { propertiesOf, requiredOf } from "./schema-visitor.ts";
import { type WrittenForm, writtenForm } from "./written-form.ts";

/** Returns the media type and the description of the form of a body, if it has one. */
export const formIn = <Media>(content: Readonly<Record<string, Media>>): [type: string, Media] | undefined =>
  Object.entries(content).find(([type]) => /^application\/x-www-form-urlencoded/i.test(type));

/** @param content the media types of a body, as its document describes them */
export const fieldsIn = (
  content: Readonly<Record<string, Json>>,
  schemas: Schemas,
  level: Level,
): Pick<RequestBody, "fields" | "partTypes"> => {
  const fields = formFields(content, schemas, level);
  return { ...(fields.length > 0 && { fields }), ...partTypesIn(content) };
};

const formFields = (
  content: Readonly<
    Record<string, { readonly schema?: JsonSchema; readonly encoding?: Readonly<Record<string, Json>> }>
  >,
  schemas: Schemas,
  level: Level,
): Parameter[] => {
  const [, { schema, encoding = {} } = {}] = formIn(content) ?? [];
  const whole = flatten(schema ?? {}, schemas);
  return Object.entries(propertiesOf(whole)).map(([name, property]) => {
    const written = formOf(encoding[name] ?? {}, flatten(property, schemas), schemas);
    return {
      ...{ name, in: "form", level, requirements: {} },
      required: requiredOf(whole).includes(name),
      schema: property as JsonSchema,
      ...(written && { written }),
    };
  });
};

/** Returns the media types that a document lists for the parts of a form. */
const partTypesIn = (content: Readonly<Record<string, Json>>): Pick<RequestBody, "partTypes"> => {
  const [, { encoding = {} } = {}] =
    Object.entries(content).find(([type]) => /^multipart\/form-data/i.test(type)) ?? [];
  const types = Object.entries(encoding as Record<string, Json>).flatMap(([name, { contentType }]) =>
    typeof contentType === "string" ? [[name, contentType]] : [],
  );
  return types.length === 0 ? {} : { partTypes: Object.fromEntries(types) };
};

/** Without a style, versions of OpenAPI write an object as JSON or in the style `form`. */
const formOf = (encoding: Json, schema: JsonSchema, schemas: Schemas): WrittenForm | undefined => {
  const { style = "form", explode = style === "form", contentType } = encoding;
  const isStyled = encoding.style !== undefined || encoding.explode !== undefined;
  if (!isStyled && /[/+]json/i.test(String(contentType))) return "json";
  const isList = typesOf(schema).includes("array");
  const isUnclear = isList ? hasParts(flatten(schema.items ?? {}, schemas)) : hasParts(schema) && !isStyled;
  if (isUnclear) return "unclear";
  const type = isList ? "array" : hasParts(schema) ? "object" : "scalar";
  return writtenForm({ in: "query", style, explode }, type);
};

const hasParts = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === "object" || type === "array") || isObject(schema.properties);
