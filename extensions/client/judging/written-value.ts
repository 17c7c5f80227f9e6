/** Reads the values of parameters, and of the fields and parts of forms, from their texts. */
import type { Contract, JsonSchema, Parameter } from "../../../helpers/contract/contract.ts";
import { flatten } from "../../../helpers/contract/flatten.ts";
import { valueOfJson } from "../../../helpers/contract/json.ts";
import { resolveRef } from "../../../helpers/contract/rule-walk.ts";
import { propertiesOf } from "../../../helpers/contract/schema-visitor.ts";
import { bareText, itemsIn } from "../../../helpers/contract/written-form.ts";
import { finiteNumber } from "../../../helpers/exchange/json-of.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { sentParts } from "./form-parts.ts";
import { sentForm } from "./whole-body.ts";

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
  if (written === "repeated") return typed(schema, queryOf(parameter, seen)?.getAll(name) ?? [], schemas);
  const items = [schema.type].flat().includes("array") ? listIn(parameter, text) : undefined;
  if (written === "label-of-one" && items !== undefined && items.length > 1) return undefined;
  return typed(schema, items ?? bareText(text, written), schemas);
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
    pairs.map(([name, text]) => [name, typed(flatten(properties[name] ?? {}, schemas), text, schemas)]),
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
export const typed = (
  schema: JsonSchema,
  text: string | readonly string[],
  schemas: Contract["schemas"],
): unknown => {
  if (typeof text !== "string") {
    const items = resolveRef(schemas, (schema.items ?? {}) as JsonSchema);
    return text.map((one) => typed(items, one, schemas));
  }
  const types = [schema.type].flat();
  const isNumber = !types.includes("string") && (types.includes("integer") || types.includes("number"));
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return finiteNumber(text);
  return types.includes("boolean") && /^(true|false)$/.test(text) ? text === "true" : text;
};
