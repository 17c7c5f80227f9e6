/** Random pairs of schemas of OpenAPI 3.1, with all keywords of JSON Schema that the diff compares. */
import fc from "fast-check";
import {
  COMPONENTS,
  described,
  type Json,
  maybe,
  NAMES,
  pairsOf,
  rarely,
  small,
  VALUES,
} from "./random-pairs.ts";

const FORMATS = ["date", "uuid", "int32", "int64", "of-our-own"] as const;
const PATTERNS = ["^a", "^[0-9]+$", "b$", "^[a-c]{2}$"] as const;
const CONDITION = ["if", "then", "else"] as const;
const strings = fc
  .record({
    type: fc.constant("string"),
    minLength: maybe(small),
    maxLength: maybe(small.map((length) => length + 3)),
    pattern: rarely(fc.constantFrom(...PATTERNS)),
    format: rarely(fc.constantFrom(...FORMATS)),
  })
  .map(described);

const numbers = fc
  .record({
    type: fc.constantFrom("number", "integer"),
    minimum: maybe(small),
    exclusiveMinimum: rarely(small),
    maximum: maybe(small.map((value) => value + 3)),
    exclusiveMaximum: rarely(small.map((value) => value + 4)),
    multipleOf: rarely(fc.constantFrom(0.5, 1, 2, 3)),
    format: rarely(fc.constantFrom("int32", "int64")),
  })
  .map(described);

const values = fc
  .uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 })
  .map((listed) => ({ enum: listed }));
const types = fc
  .uniqueArray(fc.constantFrom("string", "integer", "number", "boolean", "null", "object", "array"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((type) => ({ type }));

const { schema } = fc.letrec<{ schema: unknown; object: Json; array: Json; union: Json; condition: Json }>(
  (tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      strings,
      numbers,
      values,
      types,
      fc.constant({}),
      fc.boolean(),
      fc.constantFrom(...COMPONENTS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
      tie("object"),
      tie("array"),
      tie("union"),
      tie("condition"),
    ),
    object: fc
      .record({
        type: maybe(fc.constant("object")),
        properties: fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        required: maybe(fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })),
        additionalProperties: maybe(tie("schema")),
        patternProperties: rarely(tie("schema").map((inner) => ({ "^[ab]$": inner }))),
        propertyNames: rarely(fc.constant({ maxLength: 3 })),
        minProperties: rarely(small),
        maxProperties: rarely(small),
        dependentRequired: rarely(fc.constant({ a: ["b"] })),
        unevaluatedProperties: rarely(fc.constant(false)),
        anyOf: rarely(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
      })
      .map(described),
    array: fc
      .record({
        type: maybe(fc.constant("array")),
        items: maybe(tie("schema")),
        prefixItems: rarely(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
        minItems: maybe(small),
        maxItems: maybe(small.map((count) => count + 1)),
        uniqueItems: rarely(fc.boolean()),
        contains: rarely(tie("schema")),
      })
      .map(described),
    union: fc
      .tuple(
        fc.constantFrom("anyOf", "oneOf", "allOf"),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      )
      .map(([keyword, branches]) => ({ [keyword]: branches })),
    condition: fc.oneof(
      tie("schema").map((not) => ({ not })),
      fc
        .tuple(tie("schema"), tie("schema"), tie("schema"))
        .map((parts) => Object.fromEntries(CONDITION.map((keyword, at) => [keyword, parts[at]]))),
    ),
  }),
);

/** Pairs of schemas with their component schemas, which may differ too. */
export const schemaPairs = pairsOf(schema, fc.oneof(strings, numbers, values));
