/** Merges schemas that must all hold into one schema with the same meaning. */
import type { JsonSchema, Schemas } from "../contract.ts";
import { isObject, isSame } from "../json.ts";
import { memoizeBySchemas } from "../memoize.ts";
import { referenced } from "../pointer.ts";
import { mayMatch } from "./expressions.ts";
import { negated } from "./negate.ts";

/** The schema that any value fits. */
const ANYTHING: JsonSchema = {};
/** The schema that no value fits. */
export const NOTHING: JsonSchema = { not: {} };

/**
 * Returns the schema without `$ref`, `allOf`, `not`, `if` and `dependent…` at its own level, or `NOTHING` if no value
 * can match. Returns the same object for the same schema.
 * @throws for a reference without a target
 */
export const flatten = (schema: unknown, schemas: Schemas): JsonSchema => {
  if (schema === false) return NOTHING;
  return isObject(schema) ? flattened(schema, schemas) : ANYTHING;
};

const flattened = memoizeBySchemas((schema, schemas) => joined(schema, schemas, []));

const joined = (schema: JsonSchema, schemas: Schemas, entered: readonly unknown[]): JsonSchema => {
  const {
    $ref,
    allOf,
    not,
    if: condition,
    then,
    else: otherwise,
    dependentRequired,
    dependentSchemas,
    ...own
  } = schema;
  if (Object.keys(own).length === Object.keys(schema).length) return schema;
  const demands = [
    ...(Array.isArray(allOf) ? allOf : []),
    ...(not === undefined ? [] : [anyOf(negated(not, schemas))]),
    ...(condition === undefined ? [] : [either(condition, then ?? true, otherwise ?? true)]),
    ...byName(dependentRequired).map(([name, required]) => anyOf([{ required }, lacking(name)])),
    ...byName(dependentSchemas).map(([name, demanded]) => anyOf([demanded, lacking(name)])),
  ];
  const within = (part: unknown): JsonSchema =>
    isObject(part) && entered.length > 0 ? joined(part, schemas, entered) : flatten(part, schemas);
  return [
    ...($ref === undefined || entered.includes($ref)
      ? []
      : [joined(target($ref, schemas), schemas, [...entered, $ref])]),
    ...demands.map(within),
    own,
  ].reduce(both);
};

const target = (ref: unknown, schemas: Schemas): JsonSchema => {
  const found = referenced(ref, schemas);
  if (found !== undefined) return found;
  throw new Error(`The contract has no schema for $ref "${ref}" under components.schemas.`);
};

const byName = (named: unknown): (readonly [string, unknown])[] =>
  isObject(named) ? Object.entries(named) : [];

const lacking = (name: string) => ({ properties: { [name]: false } });

const either = (condition: unknown, holds: unknown, fails: unknown): unknown =>
  anyOf([{ allOf: [condition, holds] }, { allOf: [{ not: condition }, fails] }]);

const anyOf = (schemas: readonly unknown[]): unknown =>
  schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? false);

const both = (left: JsonSchema, right: JsonSchema): JsonSchema => {
  if (left === NOTHING || right === NOTHING) return NOTHING;
  const result: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const join = JOINS[keyword];
    const known = left[keyword];
    result[keyword] =
      known === undefined || join === undefined ? value : join(known as never, value as never);
  }
  if (left.properties !== undefined || right.properties !== undefined)
    result.properties = propertiesOfBoth(left, right);
  if (left.prefixItems !== undefined || right.prefixItems !== undefined)
    result.prefixItems = itemsOfBoth(left, right);
  return IMPOSSIBLE.some(([keyword, value]) => isSame(result[keyword], value)) ? NOTHING : result;
};

const propertiesOfBoth = (left: JsonSchema, right: JsonSchema): Record<string, unknown> => {
  const names = [left, right].flatMap(({ properties }) => Object.keys(properties ?? {}));
  return Object.fromEntries(
    names.map((name) => [name, all([...schemasOfProperty(left, name), ...schemasOfProperty(right, name)])]),
  );
};

/** Returns the schemas of a property: by its name and by patterns, or else `additionalProperties`. */
export const schemasOfProperty = (schema: JsonSchema, name: string): unknown[] => {
  const named = isObject(schema.properties) && Object.hasOwn(schema.properties, name);
  const listed = [
    ...(named ? [(schema.properties as JsonSchema)[name]] : []),
    ...byName(schema.patternProperties)
      .filter(([pattern]) => mayMatch(pattern, name))
      .map(([, inner]) => inner),
  ];
  return listed.length > 0 || schema.additionalProperties === undefined
    ? listed
    : [schema.additionalProperties];
};

const itemsOfBoth = (left: JsonSchema, right: JsonSchema): unknown[] => {
  const length = Math.max(prefixOf(left).length, prefixOf(right).length);
  return Array.from({ length }, (_, index) =>
    all([left, right].flatMap((side) => prefixOf(side)[index] ?? side.items ?? [])),
  );
};

/** Returns the schemas of the first items. */
export const prefixOf = ({ prefixItems }: JsonSchema): readonly unknown[] =>
  Array.isArray(prefixItems) ? prefixItems : [];

/** Returns one schema that requires all of them. */
export const all = (schemas: readonly unknown[]): unknown =>
  schemas.length > 1 ? { allOf: schemas } : (schemas[0] ?? true);

const allOfTwo = (left: unknown, right: unknown): unknown => all([left, right]);

/**
 * The maximum number of combined alternatives. Beyond this number, the alternatives of the later schema replace the
 * others.
 */
const MOST_ALTERNATIVES = 64;

const alternatives = (left: readonly unknown[], right: readonly unknown[]): readonly unknown[] =>
  left.length * right.length > MOST_ALTERNATIVES
    ? right
    : left.flatMap((one) => right.map((other) => all([one, other])));

const LEAST = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const MOST = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];

/** Keywords for which the stricter value implies the other one. */
export const STRICTEST: Readonly<Record<string, (left: never, right: never) => unknown>> = {
  required: (left: string[], right: string[]) => [...new Set([...left, ...right])],
  ...Object.fromEntries(LEAST.map((keyword) => [keyword, Math.max])),
  ...Object.fromEntries(MOST.map((keyword) => [keyword, Math.min])),
};

/** Merges two values of one keyword. For a keyword without an entry, the later value overrides the earlier one. */
const JOINS: Readonly<Record<string, (left: never, right: never) => unknown>> = {
  patternProperties: (left: Record<string, unknown>, right: Record<string, unknown>) => ({
    ...left,
    ...Object.fromEntries(
      Object.entries(right).map(([pattern, schema]) => [
        pattern,
        left[pattern] === undefined ? schema : allOfTwo(left[pattern], schema),
      ]),
    ),
  }),
  enum: (left: unknown[], right: unknown[]) =>
    left.filter((value) => right.some((other) => isSame(value, other))),
  const: (left: unknown, right: unknown) => (isSame(left, right) ? right : DIFFERENT),
  type: (left: string | string[], right: string | string[]) => [
    ...new Set([left].flat().flatMap((type) => narrowed(type, [right].flat()))),
  ],
  items: allOfTwo,
  additionalProperties: allOfTwo,
  propertyNames: allOfTwo,
  contains: allOfTwo,
  anyOf: alternatives,
  oneOf: alternatives,
  uniqueItems: (left: boolean, right: boolean) => left || right,
  ...STRICTEST,
};

const DIFFERENT = Symbol("two constants");

const IMPOSSIBLE: readonly (readonly [string, unknown])[] = [
  ["type", []],
  ["enum", []],
  ["const", DIFFERENT],
];

const narrowed = (type: string, types: readonly string[]): readonly string[] => {
  if (types.includes(type)) return [type];
  if (type === "number" && types.includes("integer")) return ["integer"];
  return type === "integer" && types.includes("number") ? ["integer"] : [];
};
