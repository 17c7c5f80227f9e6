/** Converts parameters to the types of their contract. */
import type { JsonSchema, Operation, Parameter } from "../../helpers/contract/contract.ts";
import { type Fields, isObject } from "./values/fields.ts";
import type { Flatten } from "./values/flat-schema.ts";
import { convertible, parsedJson } from "./values/parsed-json.ts";
import { withParts } from "./values/visit.ts";

export type ParameterPlace = "query" | "header" | "path";

/** Returns the key under which effects refer to the parameters of one place. */
export const parametersOf = (operationId: string, place: ParameterPlace): string => `${operationId}?${place}`;

/** Returns the keys of the parameters with a name, outside the path. */
export const parametersNamed = ({ operationId, parameters }: Operation, name: string): string[] =>
  (["query", "header"] as const)
    .filter((place) => parameters.some((parameter) => parameter.in === place && parameter.name === name))
    .map((place) => parametersOf(operationId, place));

/** Returns an object schema with the parameters of one place as its properties. */
export const parameterSchema = (operation: Operation, place: ParameterPlace): JsonSchema | undefined => {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [keyOf(parameter), parameter.schema])),
    required: parameters.filter(({ required }) => required).map(keyOf),
  };
};

/** Converts texts to the numbers, booleans and lists of the contract. Other texts stay unchanged. */
export const typedParameters = (
  operation: Operation,
  place: ParameterPlace,
  sent: Fields,
  flatten: Flatten,
): Fields => {
  const typed: Record<string, unknown> = place === "query" ? Object.assign({}, sent) : {};
  for (const parameter of operation.parameters) {
    if (parameter.in !== place) continue;
    const key = keyOf(parameter);
    const value = parameter.written === "deep-object" ? fieldsOf(key, sent, typed) : sent[key];
    if (value === undefined) continue;
    const isList = flatten(parameter.schema, undefined).types[0] === "array";
    const given = isList || parameter.written === "json" ? read(value, parameter) : value;
    typed[key] = typedValue(given, parameter.schema, flatten);
  }
  return typed;
};

/** Returns the object of `filter[name]=x&filter[size]=1`, and removes its parts from the parameters. */
const fieldsOf = (name: string, sent: Fields, typed: Record<string, unknown>): Fields | undefined => {
  const parts = Object.keys(sent).filter((key) => key.startsWith(`${name}[`) && key.endsWith("]"));
  for (const part of parts) delete typed[part];
  const fields = parts.map((part) => [part.slice(name.length + 1, -1), sent[part]]);
  return fields.length === 0 ? undefined : convertible(Object.fromEntries(fields));
};

const SEPARATORS: Readonly<Record<string, string>> = { spaces: " ", pipes: "|" };

/** Reads a value in the form that its document states. Lists with commas are read by their type. */
const read = (value: unknown, { written }: Parameter): unknown => {
  if (written === "repeated") return [value].flat();
  if (typeof value !== "string") return value;
  if (written === "json") return jsonIn(value);
  const separator = SEPARATORS[written ?? ""];
  return separator === undefined ? value : value.split(separator);
};

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
