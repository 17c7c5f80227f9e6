/** Converts parameters to the types of their contract. */
import type { JsonSchema, Operation, Parameter } from "../../helpers/contract/contract.ts";
import type { Fields } from "./values/fields.ts";
import type { Flatten } from "./values/flat-schema.ts";

export type ParameterPlace = "query" | "header" | "path";

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
  const typed: Record<string, unknown> = place === "query" ? { ...sent } : {};
  for (const parameter of operation.parameters) {
    if (parameter.in !== place) continue;
    const key = keyOf(parameter);
    const value = sent[key];
    if (value !== undefined) typed[key] = typedValue(value, parameter.schema, flatten);
  }
  return typed;
};

const keyOf = ({ in: place, name }: Parameter): string => (place === "header" ? name.toLowerCase() : name);

const typedValue = (value: unknown, schema: JsonSchema, flatten: Flatten): unknown => {
  const { types, items } = flatten(schema, undefined);
  if (types[0] === "array") {
    const list = Array.isArray(value) ? value : String(value).split(",");
    return items === undefined ? list : list.map((item) => typedValue(item, items, flatten));
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
