/** Random pairs of schemas of a version of OpenAPI, with all keywords that the diff compares in it. */
import fc from "fast-check";
import { COMPONENTS, described, maybe, NAMES, pairsOf, rarely, small, VALUES } from "./random-pairs.ts";

const FORMATS = ["date", "uuid", "int32", "int64", "of-our-own"] as const;
const PATTERNS = ["^a", "^[0-9]+$", "b$", "^[a-c]{2}$"] as const;
const TYPES = ["string", "integer", "number", "boolean", "null", "object", "array"] as const;
const CONDITION = ["if", "then", "else"] as const;

type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Returns pairs of schemas with their component schemas, which may differ too. */
export const schemaPairs = (version: "3.0.3" | "3.1.0") => {
  const is30 = version === "3.0.3";
  const recordOf = (members: Members, only30: Members = {}, only31: Members = {}) => {
    const nullable = { nullable: maybe(fc.boolean()) };
    return fc.record({ ...members, ...(is30 ? { ...nullable, ...only30 } : only31) }).map(described);
  };
  const strings = recordOf({
    type: fc.constant("string"),
    minLength: maybe(small),
    maxLength: maybe(small.map((length) => length + 3)),
    pattern: rarely(fc.constantFrom(...PATTERNS)),
    format: rarely(fc.constantFrom(...FORMATS)),
  });
  const exclusive = (from: number) =>
    rarely<unknown>(is30 ? fc.boolean() : small.map((value) => value + from));
  const numbers = recordOf({
    type: fc.constantFrom("number", "integer"),
    minimum: maybe(small),
    exclusiveMinimum: exclusive(0),
    maximum: maybe(small.map((value) => value + 3)),
    exclusiveMaximum: exclusive(4),
    multipleOf: rarely(fc.constantFrom(0.5, 1, 2, 3)),
    format: rarely(fc.constantFrom("int32", "int64")),
  });
  const values = recordOf(
    { enum: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 }) },
    { type: maybe(fc.constantFrom("string", "number", "boolean")) },
  );
  const bare30 = recordOf({
    type: maybe(fc.constantFrom("string", "boolean", "object", "array")),
    maxLength: rarely(small),
  }).map((schema) => (schema.type === "array" ? { ...schema, items: {} } : schema));
  const types = fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 });
  const bare31 = fc.oneof(
    types.map((type) => ({ type })),
    fc.constant({}),
    fc.boolean(),
  );
  const { schema } = fc.letrec<{
    schema: unknown;
    object: unknown;
    array: unknown;
    union: unknown;
    not: unknown;
  }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      ...[strings, numbers, values, is30 ? bare30 : bare31],
      fc.constantFrom(...COMPONENTS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
      ...(["object", "array", "union", "not"] as const).map((name) => tie(name)),
    ),
    object: recordOf(
      {
        type: maybe(fc.constant("object")),
        properties: fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), {
          ...{ maxKeys: 3, noNullPrototype: true },
        }),
        required: maybe(fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 })),
        additionalProperties: maybe(is30 ? fc.oneof(fc.boolean(), tie("schema")) : tie("schema")),
        minProperties: rarely(small),
        maxProperties: rarely(small),
      },
      {},
      {
        patternProperties: rarely(tie("schema").map((inner) => ({ "^[ab]$": inner }))),
        propertyNames: rarely(fc.constant({ maxLength: 3 })),
        dependentRequired: rarely(fc.constant({ a: ["b"] })),
        unevaluatedProperties: rarely(fc.constant(false)),
        anyOf: rarely(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
      },
    ),
    array: recordOf(
      {
        type: is30 ? fc.constant("array") : maybe(fc.constant("array")),
        items: is30 ? tie("schema") : maybe(tie("schema")),
        minItems: maybe(small),
        maxItems: maybe(small.map((count) => count + 1)),
        uniqueItems: rarely(fc.boolean()),
      },
      {},
      {
        prefixItems: rarely(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
        contains: rarely(tie("schema")),
      },
    ),
    union: fc
      .tuple(
        fc.constantFrom("anyOf", "oneOf", "allOf"),
        recordOf({ branches: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      )
      .map(([keyword, { branches, ...more }]) => ({ [keyword]: branches, ...more })),
    not: fc.oneof(
      tie("schema").map((not) => ({ not })),
      ...(is30 ? [] : [fc.tuple(tie("schema"), tie("schema"), tie("schema")).map(conditionOf)]),
    ),
  }));
  return pairsOf(schema, fc.oneof(strings, numbers, values));
};

const conditionOf = (parts: readonly unknown[]): object =>
  Object.fromEntries(CONDITION.map((keyword, at) => [keyword, parts[at]]));
