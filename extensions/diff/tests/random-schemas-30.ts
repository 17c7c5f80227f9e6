/** Random pairs of schemas of OpenAPI 3.0.3, with `nullable` and the flags of limits in all places. */
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

const nullable = maybe(fc.boolean());

const strings = fc
  .record({
    type: fc.constant("string"),
    minLength: maybe(small),
    maxLength: maybe(small.map((length) => length + 3)),
    pattern: rarely(fc.constantFrom("^a", "^[0-9]+$", "b$")),
    format: rarely(fc.constantFrom("date", "uuid", "of-our-own")),
    nullable,
  })
  .map(described);

const numbers = fc
  .record({
    type: fc.constantFrom("number", "integer"),
    minimum: maybe(small),
    exclusiveMinimum: rarely(fc.boolean()),
    maximum: maybe(small.map((value) => value + 3)),
    exclusiveMaximum: rarely(fc.boolean()),
    multipleOf: rarely(fc.constantFrom(0.5, 1, 2, 3)),
    format: rarely(fc.constantFrom("int32", "int64")),
    nullable,
  })
  .map(described);

const values = fc
  .record({
    type: maybe(fc.constantFrom("string", "number", "boolean")),
    enum: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 }),
    nullable,
  })
  .map(described);

const bare = fc
  .record({
    type: maybe(fc.constantFrom("string", "boolean", "object", "array")),
    nullable,
    maxLength: rarely(small),
  })
  .map((schema) => described(schema.type === "array" ? { ...schema, items: {} } : schema));

const { schema } = fc.letrec<{ schema: unknown; object: Json; array: Json; union: Json; not: Json }>(
  (tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      strings,
      numbers,
      values,
      bare,
      fc.constantFrom(...COMPONENTS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
      tie("object"),
      tie("array"),
      tie("union"),
      tie("not"),
    ),
    object: fc
      .record({
        type: maybe(fc.constant("object")),
        properties: fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        required: maybe(fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 })),
        additionalProperties: maybe(fc.oneof(fc.boolean(), tie("schema"))),
        minProperties: rarely(small),
        maxProperties: rarely(small),
        nullable,
      })
      .map(described),
    array: fc
      .record({
        type: fc.constant("array"),
        items: tie("schema"),
        minItems: maybe(small),
        maxItems: maybe(small.map((count) => count + 1)),
        uniqueItems: rarely(fc.boolean()),
        nullable,
      })
      .map(described),
    union: fc
      .tuple(
        fc.constantFrom("anyOf", "oneOf", "allOf"),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        nullable,
      )
      .map(([keyword, branches, isNullable]) => described({ [keyword]: branches, nullable: isNullable })),
    not: tie("schema").map((not) => ({ not })),
  }),
);

/** Pairs of schemas with their component schemas, which may differ too. */
export const schemaPairs30 = pairsOf(schema, fc.oneof(strings, numbers, values));
