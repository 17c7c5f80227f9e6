/** Reads what a request states: its parameters, and the fields and parts of its form (multipart/form-data, RFC 7578). */
import type { Contract, JsonSchema, Parameter } from "../../../helpers/contract/contract.ts";
import { valueOfJson } from "../../../helpers/contract/json.ts";
import { essenceOf } from "../../../helpers/contract/media-type.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { flatten } from "../../../helpers/contract/schemas/flatten.ts";
import { placeInForm } from "../../../helpers/contract/schemas/form-fields.ts";
import { resolveRef } from "../../../helpers/contract/schemas/rule-walk.ts";
import { propertiesOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { bareText, itemsIn } from "../../../helpers/contract/written-form.ts";
import { finiteNumber } from "../../../helpers/exchange/json-of.ts";
import { isAbsent } from "../../../helpers/traffic/absent.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { isRedacted } from "./check.ts";

/** Returns the text of a parameter; an empty one if several parameters state one object. */
export const sentText = (parameter: Parameter, seen: Seen): string | undefined => {
  const { name, in: place } = parameter;
  const { path, exchange } = seen;
  if (place === "path") return path[name];
  if (place === "header") return exchange.request.headers[name.toLowerCase()];
  if (place === "cookie") return cookiesIn(exchange.request.headers.cookie)[name];
  if (place === "part") return sentParts(seen)?.find((part) => part.name === name)?.text;
  return statedIn(parameter, seen).length > 0 ? "" : (queryOf(parameter, seen)?.get(name) ?? undefined);
};

/**
 * Returns the value of a parameter. Texts have the types of the schema where they can.
 * @returns `undefined` if nobody can tell which value the text is
 */
export const sentValue = (
  parameter: Parameter,
  text: string,
  seen: Seen,
  schemas: Contract["schemas"],
): unknown => {
  const { name, written } = parameter;
  const schema = resolveRef(schemas, parameter.schema);
  if (written === "unclear") return undefined;
  if (written === "json") return valueOfJson(text);
  const stated = statedIn(parameter, seen);
  const pairs = stated.length > 0 ? stated : PAIRS[written ?? ""]?.(text);
  if (pairs !== undefined) return objectOf(pairs, schema, schemas);
  const isRepeated = written === "repeated";
  if (!isRepeated && ![schema.type].flat().includes("array")) return typed(schema, bareText(text, written));
  const texts = isRepeated ? (queryOf(parameter, seen)?.getAll(name) ?? []) : listIn(parameter, text);
  const item = resolveRef(schemas, (schema.items ?? {}) as JsonSchema);
  return written === "label-of-one" && texts.length > 1 ? undefined : texts.map((one) => typed(item, one));
};

/** The properties of an object in one text, by its form: `x,1,y,2` and `x=1,y=2`. */
const PAIRS: Readonly<Record<string, (text: string) => [name: string, text: string][]>> = {
  pairs: (text) =>
    text.split(",").flatMap((one, at, all) => (at % 2 === 0 ? [[one.trim(), all[at + 1] ?? ""]] : [])),
  assignments: (text) =>
    text.split(",").map((one) => [one.split("=")[0]?.trim() ?? "", one.slice(one.indexOf("=") + 1)]),
};

/** Blanks around the items of a header are not a part of them (RFC 9110, 5.6.1). */
const listIn = ({ in: place, written }: Parameter, text: string): string[] =>
  itemsIn(text, written).map((item) => (place === "header" ? item.trim() : item));

const queryOf = ({ in: place }: Parameter, seen: Seen): URLSearchParams | undefined =>
  place === "form" ? sentForm(seen) : seen.query;

/** Returns the properties of an object that several parameters state. */
const statedIn = (parameter: Parameter, seen: Seen): [name: string, text: string][] => {
  const { name, written, schema } = parameter;
  const { properties = {} } = schema as { properties?: object };
  return [...(queryOf(parameter, seen) ?? [])].flatMap(([key, text]): [string, string][] => {
    if (written === "properties") return Object.hasOwn(properties, key) ? [[key, text]] : [];
    const isPart = written === "deep-object" && key.startsWith(`${name}[`);
    return isPart ? [[key.slice(name.length + 1, -1), text]] : [];
  });
};

/** @returns `undefined` if an object or a list is within the object, whose form no standard states */
const objectOf = (
  pairs: readonly (readonly [name: string, text: string])[],
  schema: JsonSchema,
  schemas: Contract["schemas"],
): unknown => {
  const properties = propertiesOf(flatten(schema, schemas));
  const names = pairs.map(([name]) => name);
  if (names.some((name, at) => name.includes("[") || names.indexOf(name) < at)) return undefined;
  return Object.fromEntries(
    pairs.map(([name, text]) => [name, typed(flatten(properties[name] ?? {}, schemas), text)]),
  );
};

const cookiesIn = (header = ""): Record<string, string> =>
  Object.fromEntries(
    header.split(";").map((one) => {
      const [name = "", ...rest] = one.trim().split("=");
      return [name, rest.join("=")];
    }),
  );

/** Converts the text of a parameter to the type in its schema. A text that need not be of this type stays a text. */
export const typed = (schema: JsonSchema, text: string): unknown => {
  const types = [schema.type].flat();
  const isNumber = !types.includes("string") && (types.includes("integer") || types.includes("number"));
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return finiteNumber(text);
  return types.includes("boolean") && /^(true|false)$/.test(text) ? text === "true" : text;
};

/** Returns the fields of the form that a request has as its body. */
export const sentForm = ({ exchange: { request } }: Seen): URLSearchParams | undefined => {
  const type = request.headers["content-type"] ?? "";
  const isReadable = request.body !== undefined && !isAbsent(request.body);
  return isReadable && placeInForm(type) === "form" ? new URLSearchParams(request.body) : undefined;
};

/** A part without a media type is a text (RFC 7578, 4.4), but many clients leave out other types as well. */
export interface Part {
  readonly name: string;
  readonly type?: string;
  readonly text: string;
}

/** @returns `undefined` if parts or their names are missing, or if redaction may have changed them */
export const sentParts = memoize(({ exchange: { request } }: Seen): readonly Part[] | undefined => {
  const { headers, body = "" } = request;
  const type = headers["content-type"] ?? "";
  const [, quoted, token = quoted] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  if (placeInForm(type) !== "part" || token === undefined || isAbsent(body) || isRedacted(body))
    return undefined;
  const escaped = token.replaceAll(/[^\w]/g, "\\$&");
  const [, ...sections] = `\n${body}`.split(new RegExp(`\\r?\\n--${escaped}(?=--|[ \\t]*\\r?\\n)`));
  if (sections.pop()?.startsWith("--") !== true) return undefined;
  const parts = sections.map(partOf);
  return parts.every((part) => part !== undefined) ? parts : undefined;
});

const partOf = (section: string): Part | undefined => {
  const [, head, text] = /^[ \t]*\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(section) ?? [];
  if (head === undefined || text === undefined) return undefined;
  const [, quoted, token] = NAME.exec(head) ?? [];
  const [, type] = /^content-type:(.*)$/im.exec(head) ?? [];
  const name = quoted?.replaceAll("%22", '"').replaceAll(/\\(.)/g, "$1") ?? token;
  if (name === undefined) return undefined;
  return { name, text, ...(type !== undefined && { type: essenceOf(type) }) };
};

/** The name of a part; some clients write it without quotation marks (RFC 2183, 2). */
const NAME = /^content-disposition:.*?;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/im;
