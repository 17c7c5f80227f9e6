/** Reads bodies of requests: JSON, forms with the encoding of their fields, their parts, and texts. The suite writes no others. */
import { isObject, type Json } from "./files.ts";
import type { Content } from "./reading.ts";
import { type Raw, readNamed } from "./styles.ts";

/** Returns the value of a body; `undefined` if it can't be read. */
export const readContent = ({ schema = {}, encoding }: Content, type: string, body: Buffer): unknown => {
  const text = body.toString("utf8");
  if (/json/i.test(type)) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return formOf(schema, encoding, [...new URLSearchParams(text)]);
  if (/^multipart\/form-data/i.test(type)) return formOf(schema, {}, partsIn(type, text), true);
  return text;
};

/** Reads the parts of a form in the way that the suite writes them (RFC 7578). */
const partsIn = (type: string, text: string): Raw => {
  const [, boundary = ""] = /boundary=(.+)$/.exec(type) ?? [];
  const sections = text.split(`--${boundary}`).slice(1, -1);
  return sections.map((section) => {
    const end = section.indexOf("\r\n\r\n");
    const [, name = ""] = /name="([^"]*)"/.exec(section.slice(0, end)) ?? [];
    return [name, section.slice(end + 4, -2)] as const;
  });
};

const propertiesOf = (schema: Json): Record<string, Json> => {
  const { $defs = {}, $ref } = schema;
  const own =
    typeof $ref === "string" ? ((($defs as Json)[$ref.slice("#/$defs/".length)] ?? {}) as Json) : schema;
  return Object.fromEntries(
    Object.entries((own.properties ?? {}) as Json).map(([name, one]) => [
      name,
      { ...(isObject(one) ? one : {}), $defs },
    ]),
  );
};

/**
 * Reads each field in its style, or as JSON (OpenAPI 3.1, 4.8.15).
 * @param hasParts whether objects are JSON (OpenAPI 3.1, 4.8.14.4)
 */
const formOf = (schema: Json, encoding: Content["encoding"], raw: Raw, hasParts = false): Json => {
  const properties = propertiesOf(schema);
  const result: Json = {};
  for (const [name, property] of Object.entries(properties)) {
    const { style = "form", explode, contentType } = encoding[name] ?? {};
    const value = readNamed(
      {
        name,
        style: String(style),
        explode: typeof explode === "boolean" ? explode : style === "form",
        isJson: contentType === "application/json" || (hasParts && isObject(property.properties)),
        schema: property,
      },
      raw,
    );
    if (value !== undefined) result[name] = value;
  }
  for (const [name, value] of raw) {
    const isPart = !hasParts && (/\[/.test(name) || isPartOfObject(properties, name));
    if (!(name in properties) && !isPart) result[name] = value;
  }
  return result;
};

const isPartOfObject = (properties: Record<string, Json>, name: string): boolean =>
  Object.values(properties).some((one) => isObject(one.properties) && name in one.properties);
