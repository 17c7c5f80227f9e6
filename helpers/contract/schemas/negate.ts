/** Negates a schema, as far as keywords can express it. */
import type { Contract } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { referenced } from "../pointer.ts";
import { ASSORTED } from "./format-samples.ts";

/** A property name that no document uses. */
export const UNNAMED = "anUnnamedProperty";

/** The keyword for an array whose items are all equal; JSON Schema has none. */
export const REPEATED = "x-repeated";

/**
 * Returns schemas. Each of them violates the given schema in one way. Returns an empty list if no value violates it.
 */
export const negated = (schema: unknown, schemas: Contract["schemas"]): readonly unknown[] => {
  if (schema === true) return [];
  if (!isObject(schema)) return [true];
  const keywords = Object.entries(schema);
  if (keywords.length === 0) return [];
  const all = keywords.flatMap(([keyword, value]) => OPPOSITES[keyword]?.(value, schemas) ?? []);
  return all.length === 0 ? anything() : all;
};

type Opposite = (value: unknown, schemas: Contract["schemas"]) => readonly unknown[];

/** Returns a choice of different values if keywords can't express the opposite. */
const anything: () => readonly unknown[] = () => [{ enum: ASSORTED }, true];
const number =
  (keyword: string): Opposite =>
  (value) => [{ type: "number", [keyword]: value }];
const count =
  (type: string, keyword: string, more: number): Opposite =>
  (value) => [{ type, [keyword]: Number(value) + more }];
const having = (name: string, schema: unknown) => ({
  type: "object",
  required: [name],
  properties: { [name]: { not: schema } },
});
const noneOf: Opposite = (value) => [{ allOf: [value].flat().map((branch) => ({ not: branch })) }];

const OPPOSITES: Readonly<Record<string, Opposite>> = {
  type: (value) => otherTypes([value].flat() as string[]),
  minimum: number("exclusiveMaximum"),
  exclusiveMinimum: number("maximum"),
  maximum: number("exclusiveMinimum"),
  exclusiveMaximum: number("minimum"),
  minLength: count("string", "maxLength", -1),
  maxLength: count("string", "minLength", 1),
  minItems: count("array", "maxItems", -1),
  maxItems: count("array", "minItems", 1),
  minProperties: count("object", "maxProperties", -1),
  maxProperties: count("object", "minProperties", 1),
  uniqueItems: (value) => (value === true ? [{ type: "array", minItems: 2, [REPEATED]: true }] : []),
  required: (value) =>
    [value].flat().map((name) => ({ type: "object", properties: { [String(name)]: false } })),
  additionalProperties: (value) => [having(UNNAMED, value)],
  properties: (value) =>
    Object.entries(isObject(value) ? value : {}).map(([name, inner]) => having(name, inner)),
  items: (value) => [{ type: "array", minItems: 1, items: { not: value } }],
  allOf: (value, schemas) => [value].flat().flatMap((part) => negated(part, schemas)),
  anyOf: noneOf,
  oneOf: noneOf,
  not: (value) => [value],
  $ref: (value, schemas) => [{ not: referenced(value, schemas) ?? true }],
  enum: anything,
  const: anything,
  format: anything,
  pattern: anything,
  multipleOf: anything,
};

export const ALL_TYPES = ["null", "boolean", "object", "array", "number", "string"] as const;

const otherTypes = (types: readonly string[]): readonly Json[] => {
  const isWhole = types.includes("integer") && !types.includes("number");
  const others = ALL_TYPES.filter(
    (type) => !types.includes(type) && !(type === "number" && types.includes("integer")),
  );
  return [
    ...(others.length > 0 ? [{ type: others }] : []),
    ...(isWhole ? [{ type: "number", multipleOf: 0.5 }] : []),
  ];
};
