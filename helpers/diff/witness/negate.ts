/** The opposite of a schema, as far as keywords can say it. */
import { isObject, type Json } from "../../contract/json.ts";
import { UNNAMED } from "../compare/steps.ts";
import { ALL_TYPES } from "../compare/types.ts";
import type { Schemas } from "../document/model.ts";
import { referenced } from "../document/references.ts";

/** `fraction`: a number that is not whole; `repeated`: two equal items; `assorted`: values of every kind. */
export type Twist = "fraction" | "repeated" | "assorted";

export interface Negated {
  readonly schema: unknown;
  readonly twists: readonly Twist[];
}

const plain = (schema: unknown): Negated[] => [{ schema, twists: [] }];
const twisted = (schema: unknown, twist: Twist): Negated[] => [{ schema, twists: [twist] }];
const figure = (type: string, schema: Json): Negated[] => plain({ type, ...schema });

/** Each of them is one way to break the schema; none where nothing does. */
export const negated = (schema: unknown, schemas: Schemas): Negated[] => {
  if (schema === true) return [];
  if (!isObject(schema)) return plain(true);
  if (Object.keys(schema).length === 0) return [];
  const all = Object.entries(schema).flatMap(
    ([keyword, value]) => OPPOSITES[keyword]?.(value, schemas) ?? [],
  );
  return all.length === 0 ? twisted(true, "assorted") : all;
};

type Opposite = (value: unknown, schemas: Schemas) => Negated[];

const assorted: Opposite = () => twisted(true, "assorted");
const number =
  (keyword: string): Opposite =>
  (value) =>
    figure("number", { [keyword]: value });
const count =
  (type: string, keyword: string, more: number): Opposite =>
  (value) =>
    figure(type, { [keyword]: Number(value) + more });
const having = (name: string, schema: unknown): Negated[] =>
  figure("object", { required: [name], properties: { [name]: { not: schema } } });
const alternatives: Opposite = (value) => plain({ allOf: [value].flat().map((branch) => ({ not: branch })) });

const OPPOSITES: Readonly<Record<string, Opposite>> = {
  type: (value) => typeNegated(value),
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
  uniqueItems: (value) => (value === true ? twisted({ type: "array", minItems: 2 }, "repeated") : []),
  required: (value) =>
    [value].flat().flatMap((name) => figure("object", { properties: { [String(name)]: false } })),
  additionalProperties: (value) => having(UNNAMED, value),
  properties: (value) =>
    Object.entries(isObject(value) ? value : {}).flatMap(([name, inner]) => having(name, inner)),
  items: (value) => figure("array", { minItems: 1, items: { not: value } }),
  allOf: (value, schemas) => [value].flat().flatMap((part) => negated(part, schemas)),
  anyOf: alternatives,
  oneOf: alternatives,
  not: (value) => plain(value),
  $ref: (value, schemas) => plain({ not: referenced(value, schemas) }),
  enum: assorted,
  const: assorted,
  format: assorted,
  pattern: assorted,
  multipleOf: assorted,
};

const typeNegated = (value: unknown): Negated[] => {
  const types = [value].flat();
  const others = ALL_TYPES.filter(
    (type) => !types.includes(type) && !(type === "number" && types.includes("integer")),
  );
  return [
    ...(others.length > 0 ? plain({ type: others }) : []),
    ...(types.includes("integer") && !types.includes("number")
      ? twisted({ type: "number" }, "fraction")
      : []),
  ];
};
