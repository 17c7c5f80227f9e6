/** Converts parameters to the types of their contract. */
import type { JsonSchema, Operation, Parameter } from "../../helpers/contract/contract.ts";
import { isInForm } from "../../helpers/contract/operation-requirements.ts";
import { type Fields, isObject } from "./values/fields.ts";
import type { Flatten } from "./values/flat-schema.ts";
import { convertible, parsedJson } from "./values/parsed-json.ts";
import { withParts } from "./values/visit.ts";

/** Returns the parameters of one place. The fields of a form are parameters too. */
const inPlace = ({ parameters, requestBody }: Operation, place: Parameter["in"]): readonly Parameter[] =>
  (isInForm(place) ? (requestBody?.fields ?? []) : parameters).filter((one) => one.in === place);

/** Returns the key under which effects refer to the parameters of one place. */
export const parametersOf = (operationId: string, place: Parameter["in"]): string =>
  `${operationId}?${place}`;

/** Returns the keys of the parameters with a name, outside the path. */
export const parametersNamed = ({ operationId, parameters }: Operation, name: string): string[] =>
  (["query", "header"] as const)
    .filter((place) => parameters.some((parameter) => parameter.in === place && parameter.name === name))
    .map((place) => parametersOf(operationId, place));

/** Returns an object schema with the parameters of one place as its properties. */
export const parameterSchema = (operation: Operation, place: Parameter["in"]): JsonSchema | undefined => {
  const parameters = inPlace(operation, place);
  if (parameters.length === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((one) => [keyOf(one), isRead(one) ? one.schema : {}])),
    required: parameters.filter(({ required }) => required).map(keyOf),
  };
};

/** Whether the sandbox knows the value: of others, only whether they are sent. */
const isRead = ({ in: place, written }: Parameter): boolean =>
  !(isInForm(place) && (written === "file" || written === "unclear"));

/** Converts texts to the numbers, booleans and lists of the contract. Other texts stay unchanged. */
export const typedParameters = (
  operation: Operation,
  place: Parameter["in"],
  sent: Fields,
  flatten: Flatten,
): Fields => {
  const typed: Record<string, unknown> = place === "query" || isInForm(place) ? Object.assign({}, sent) : {};
  for (const parameter of inPlace(operation, place)) {
    const key = keyOf(parameter);
    const { types, properties } = flatten(parameter.schema, undefined);
    const names = [...(properties?.keys() ?? [])];
    const value = received(parameter, names, sent, typed);
    if (value === undefined) continue;
    typed[key] = typedValue(read(value, parameter, types[0]), parameter.schema, flatten);
  }
  return typed;
};

/** Returns the received value. Several parts may state one object; they are removed from the other parameters. */
const received = (
  parameter: Parameter,
  names: readonly string[],
  sent: Fields,
  typed: Record<string, unknown>,
): unknown => {
  const key = keyOf(parameter);
  if (parameter.written === "deep-object") return fieldsOf(key, sent, typed);
  if (parameter.written !== "properties") return sent[key];
  const own = names.filter((name) => sent[name] !== undefined);
  for (const name of own) delete typed[name];
  return own.length === 0
    ? undefined
    : convertible(Object.fromEntries(own.map((name) => [name, sent[name]])));
};

/** Returns the cookies of a request by name. */
export const cookiesIn = (header: unknown): Record<string, string> =>
  Object.fromEntries(
    String(header ?? "")
      .split(/; */)
      .filter((pair) => pair.includes("="))
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

/** Returns the object of `filter[name]=x&filter[size]=1`, and removes its parts from the parameters. */
const fieldsOf = (name: string, sent: Fields, typed: Record<string, unknown>): Fields | undefined => {
  const parts = Object.keys(sent).filter((key) => key.startsWith(`${name}[`) && key.endsWith("]"));
  for (const part of parts) delete typed[part];
  const fields = parts.map((part) => [part.slice(name.length + 1, -1), sent[part]]);
  return fields.length === 0 ? undefined : convertible(Object.fromEntries(fields));
};

/** By form: the text before the parts of a value (`*` for the name), the text between them, and the sign after a name. */
const FORMS: Readonly<Record<string, readonly [start: string, between: string, sign?: string]>> = {
  spaces: ["", " "],
  pipes: ["", "|"],
  pairs: ["", ","],
  assignments: ["", ",", "="],
  label: [".", ".", "="],
  "label-of-one": [".", ","],
  matrix: [";*=", ","],
  "matrix-exploded": [";", ";", "="],
};

/** Reads a value in the form that its document states. Lists with commas are read by their type. */
const read = (value: unknown, { written, name, in: place }: Parameter, type: string | undefined): unknown => {
  if (written === "repeated" && type === "array") return itemsIn(value, place);
  if (written === "repeated") return value;
  if (typeof value !== "string") return value;
  if (written === "json") return jsonIn(value);
  const form = FORMS[written ?? ""];
  const [start, between, sign] = form ?? ["", ","];
  const before = start.replace("*", name);
  if (form === undefined || !value.startsWith(before)) return value;
  const parts = value.slice(before.length).split(between);
  if (type === "object") return convertible(Object.fromEntries(propertiesOf(parts, sign)) as object);
  const items =
    written === "matrix-exploded" ? parts.map((part) => part.slice(part.indexOf("=") + 1)) : parts;
  return type === "array" ? items : items.join(between);
};

/** One part may be a whole list. */
const itemsIn = (value: unknown, place: Parameter["in"]): unknown[] => {
  const whole = place === "part" && typeof value === "string" ? jsonIn(value) : undefined;
  return Array.isArray(whole) ? whole : [value].flat();
};

/** Without a sign, names and values take turns. */
const propertiesOf = (parts: readonly string[], sign: string | undefined): (readonly string[])[] =>
  sign === undefined
    ? parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : []))
    : parts.map((part) => [part.split(sign)[0] ?? "", part.slice(part.indexOf(sign) + 1)]);

const jsonIn = (text: string): unknown => {
  try {
    return parsedJson(text);
  } catch {
    return text;
  }
};

const keyOf = ({ in: place, name }: Parameter): string => (place === "header" ? name.toLowerCase() : name);

const typedValue = (value: unknown, schema: JsonSchema, flatten: Flatten): unknown => {
  const flat = flatten(schema, undefined);
  const { types } = flat;
  if (isObject(value) || types[0] === "array") {
    const whole = isObject(value) || Array.isArray(value) ? value : String(value).split(",");
    return withParts(flat, whole, (part, inner) => typedValue(part, inner, flatten));
  }
  if (typeof value !== "string") return value;
  if (types.includes("integer") || types.includes("number")) {
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  if (types.includes("boolean")) return Object.hasOwn(BOOLEANS, value) ? BOOLEANS[value] : value;
  return value;
};

/** No document says how a boolean is written in a query. Some languages begin their words with a capital letter. */
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, True: true, false: false, False: false };
