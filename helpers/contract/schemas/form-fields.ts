/** Reads the fields of forms in the body of a request as parameters (OpenAPI 3.1, 4.8.14.4 and 4.8.15). */
import type { JsonSchema, Level, Parameter, RequestBody, Schemas } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { type WrittenForm, writtenForm } from "../written-form.ts";
import { flatten } from "./flatten.ts";
import { typesOf } from "./schema-reading.ts";
import { propertiesOf, requiredOf } from "./schema-visitor.ts";

/** The media types of forms, by the places of their fields. */
const FORMS = { form: /^application\/x-www-form-urlencoded/i, part: /^multipart\/form-data/i } as const;

/** Returns the place of the fields of a body of a media type, if it is a form. */
export const placeInForm = (mediaType: string): keyof typeof FORMS | undefined =>
  (["form", "part"] as const).find((place) => FORMS[place].test(mediaType));

/**
 * Returns the media type and the description of a form of a body, if it has one.
 * @param place of the fields; of the first form if absent
 */
export const formIn = <Media>(
  content: Readonly<Record<string, Media>>,
  place?: keyof typeof FORMS,
): [type: string, Media] | undefined =>
  Object.entries(content).find(([type]) => {
    const found = placeInForm(type);
    return found !== undefined && (place ?? found) === found;
  });

/** @param content the media types of a body, as its document describes them */
export const fieldsIn = (
  content: Readonly<Record<string, Json>>,
  schemas: Schemas,
  level: Level,
): Pick<RequestBody, "fields" | "partTypes"> => {
  const fields = (["form", "part"] as const).flatMap((place) => formFields(place, content, schemas, level));
  return { ...(fields.length > 0 && { fields }), ...partTypesIn(content) };
};

const formFields = (
  place: keyof typeof FORMS,
  content: Readonly<
    Record<string, { readonly schema?: JsonSchema; readonly encoding?: Readonly<Record<string, Json>> }>
  >,
  schemas: Schemas,
  level: Level,
): Parameter[] => {
  const [, { schema, encoding = {} } = {}] = formIn(content, place) ?? [];
  const whole = flatten(schema ?? {}, schemas);
  const read = place === "form" ? formOf : partOf;
  return Object.entries(propertiesOf(whole)).map(([name, property]) => {
    const written = read(encoding[name] ?? {}, flatten(property, schemas), schemas);
    return {
      ...{ name, in: place, level, requirements: {} },
      required: requiredOf(whole).includes(name),
      schema: property as JsonSchema,
      ...(written && { written }),
    };
  });
};

/** Returns the media types that a document lists for the parts of a form. */
const partTypesIn = (content: Readonly<Record<string, Json>>): Pick<RequestBody, "partTypes"> => {
  const [, { encoding = {} } = {}] = formIn(content, "part") ?? [];
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

/** A list has a part for each item. Versions of OpenAPI differ in styles of parts, and in lists of objects. */
const partOf = (encoding: Json, schema: JsonSchema, schemas: Schemas): WrittenForm | undefined => {
  const isList = typesOf(schema).includes("array");
  const item = isList ? flatten(schema.items ?? {}, schemas) : schema;
  if (isFile(item)) return "file";
  const { style, explode, contentType = hasParts(item) ? "application/json" : "text/plain" } = encoding;
  const isOther = !(hasParts(item) ? /[/+]json/i : /^text\/plain/i).test(String(contentType));
  const isUnclear = isOther || item.format === "byte" || item.contentEncoding !== undefined;
  if (isUnclear || style !== undefined || explode !== undefined || typesOf(item).length === 0)
    return "unclear";
  if (isList) return hasParts(item) ? "unclear" : "repeated";
  return hasParts(item) ? "json" : undefined;
};

/** Whether the value of a part is a file. */
export const isFile = ({ format, contentMediaType, contentEncoding }: JsonSchema): boolean =>
  format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);

const hasParts = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === "object" || type === "array") || isObject(schema.properties);
