/** Reads parameters as their styles say (OpenAPI 3.1, 4.8.12). */
import { isObject, type Json } from "./files.ts";
import type { Parameter } from "./reading.ts";

/** What a request has in one place, by name. */
export type Raw = readonly (readonly [name: string, value: string])[];

const DELIMITERS: Readonly<Record<string, string>> = {
  form: ",",
  simple: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

type Described = Pick<Parameter, "name" | "style" | "explode" | "isJson" | "schema">;

/** Returns the value of a parameter of a query, a cookie or a form; `undefined` if there is none. */
export const readNamed = (parameter: Described, raw: Raw): unknown => {
  const { name, style, explode, schema } = parameter;
  const own = raw.filter(([key]) => key === name).map(([, value]) => value);
  const [first] = own;
  if (parameter.isJson) return first === undefined ? undefined : jsonOf(first);
  const kind = kindOf(schema);
  if (kind === "object") {
    const names = Object.keys(propertiesOf(schema));
    if (style === "deepObject") {
      const fields = raw.flatMap(([key, value]) => {
        const [, object, field] = /^([^[]*)\[([^\]]+)\]$/.exec(key) ?? [];
        return object === name && field !== undefined ? [[field, value] as const] : [];
      });
      return fields.length === 0 ? undefined : objectOf(schema, fields);
    }
    if (explode) {
      const fields = raw.filter(([key]) => names.includes(key));
      return fields.length === 0 ? undefined : objectOf(schema, fields);
    }
    return first === undefined ? undefined : objectOf(schema, pairsIn(first.split(DELIMITERS[style] ?? ",")));
  }
  if (first === undefined) return undefined;
  if (kind === "array") {
    const texts = explode ? own : first === "" ? [] : first.split(DELIMITERS[style] ?? ",");
    return texts.map((text) => scalarOf(itemsOf(schema), text));
  }
  return scalarOf(schema, first);
};

/** Returns the value of a path parameter or a header. @param text not decoded yet */
export const readSegment = (
  parameter: Described,
  text: string,
  decode: (text: string) => string,
): unknown => {
  const { name, style, explode, schema, isJson } = parameter;
  if (isJson) return jsonOf(decode(text));
  const kind = kindOf(schema);
  const start = style === "label" ? "." : style === "matrix" ? ";" : "";
  if (!text.startsWith(start)) return undefined;
  const rest = text.slice(start.length);
  const isMatrix = style === "matrix";
  if (isMatrix && kind !== "object" && !rest.startsWith(`${name}=`)) return undefined;
  const own = (part: string): string => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : part);
  if (kind === "scalar") return scalarOf(schema, decode(isMatrix ? own(rest) : rest));
  const between = explode && start !== "" ? start : ",";
  const parts = (isMatrix && !explode ? own(rest) : rest).split(between);
  if (kind === "array")
    return parts.map((part) => scalarOf(itemsOf(schema), decode(isMatrix ? own(part) : part)));
  const pairs = explode ? parts.map((part) => part.split("=") as [string, string]) : pairsIn(parts);
  return objectOf(
    schema,
    pairs.map(([key, value]) => [decode(key), decode(value ?? "")]),
  );
};

const pairsIn = (parts: readonly string[]): [string, string][] =>
  parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : [],
  );

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
};

const resolved = (schema: Json): Json => {
  const { $defs = {}, $ref, ...rest } = schema;
  if (typeof $ref !== "string") return schema;
  return resolved({ ...(($defs as Json)[$ref.slice("#/$defs/".length)] as Json), ...rest, $defs });
};

const typesOf = (schema: Json): unknown[] => {
  const { type, anyOf, enum: listed } = resolved(schema);
  if (type !== undefined) return [type].flat();
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => typesOf(one as Json));
  return Array.isArray(listed) ? listed.map((one) => typeof one) : [];
};

const kindOf = (schema: Json): "object" | "array" | "scalar" => {
  const types = typesOf(schema);
  if (types.includes("object") || isObject(resolved(schema).properties)) return "object";
  return types.includes("array") ? "array" : "scalar";
};

const partOf = (schema: Json, part: unknown): Json => ({
  ...(isObject(part) ? part : {}),
  ...(resolved(schema).$defs !== undefined && { $defs: resolved(schema).$defs }),
});
const itemsOf = (schema: Json): Json => partOf(schema, resolved(schema).items);
const propertiesOf = (schema: Json): Json => (resolved(schema).properties ?? {}) as Json;

const objectOf = (schema: Json, fields: readonly (readonly [string, string])[]): Json => {
  const result: Json = {};
  for (const [name, text] of fields) {
    const property = partOf(schema, propertiesOf(schema)[name]);
    if (kindOf(property) === "array")
      result[name] = [...((result[name] ?? []) as unknown[]), scalarOf(itemsOf(property), text)];
    else result[name] = scalarOf(property, text);
  }
  return result;
};

/** Returns the value that a text states: a number or a boolean where the schema has one. Without a format, texts come first. */
const scalarOf = (schema: Json, text: string): unknown => {
  const types = typesOf(schema);
  if (types.includes("string") && resolved(schema).format === undefined) return text;
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
};

/** Whether the text of a parameter or of a field of a form can state the value, so that it is read as this value. */
export const isWritten = (schema: Json, value: unknown): boolean => {
  const kind = kindOf(schema);
  if (kind === "object")
    return (
      isObject(value) &&
      Object.keys(value).length > 0 &&
      Object.entries(value).every(([name, inner]) =>
        isWritten(partOf(schema, propertiesOf(schema)[name]), inner),
      )
    );
  if (kind === "array")
    return (
      Array.isArray(value) && value.length > 0 && value.every((item) => isWritten(itemsOf(schema), item))
    );
  const types = typesOf(schema);
  if (typeof value === "string") return /^[\w@:.-]+$/.test(value) && scalarOf(schema, value) === value;
  if (typeof value === "number") return scalarOf(schema, String(value)) === value;
  return typeof value === "boolean" && types.includes("boolean");
};
