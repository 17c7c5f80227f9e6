/** Reads bodies of requests: JSON, forms with the encoding of their fields, and texts. The suite writes no others. */
import { isObject, type Json } from "./files.ts";
import type { Content } from "./reading.ts";
import { readNamed } from "./styles.ts";

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
  if (/^application\/x-www-form-urlencoded/i.test(type)) return formOf(schema, encoding, text);
  return text;
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

/** Reads each field in its style, or as JSON (OpenAPI 3.1, 4.8.15). */
const formOf = (schema: Json, encoding: Content["encoding"], text: string): Json => {
  const raw = [...new URLSearchParams(text)];
  const properties = propertiesOf(schema);
  const result: Json = {};
  for (const [name, property] of Object.entries(properties)) {
    const { style = "form", explode, contentType } = encoding[name] ?? {};
    const value = readNamed(
      {
        name,
        style: String(style),
        explode: typeof explode === "boolean" ? explode : style === "form",
        isJson: contentType === "application/json",
        schema: property,
      },
      raw,
    );
    if (value !== undefined) result[name] = value;
  }
  for (const [name, value] of raw)
    if (!(name in properties) && !/\[/.test(name) && !isPartOfObject(properties, name)) result[name] = value;
  return result;
};

const isPartOfObject = (properties: Record<string, Json>, name: string): boolean =>
  Object.values(properties).some((one) => isObject(one.properties) && name in one.properties);
