/** Mutations of schemas of single values: each keyword of OpenAPI 3.0, of 3.1, and of both. */
import { BOTH, ONLY_30, ONLY_31, type SchemaLine, type SchemaMutation, schemaMutations } from "./mutation.ts";

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };
const list = (...values: readonly unknown[]) => ({ type: "string", enum: values });

const IN_BOTH: readonly SchemaLine[] = [
  ["a type is replaced", "type", "BB BB CB", integer, text],
  ["whole numbers only", "type", "BC CB BC", number, integer],
  ["a type is added", "type", "BC CB BC", {}, text],
  ["a boolean becomes a string", "type", "BB BB CB", { type: "boolean" }, text],
  ["a number becomes a boolean", "type", "BB BB BB", number, { type: "boolean" }],
  ["a list of values is added", "enum", "BC CB BC", text, list("a", "b")],
  ["a value is removed", "value", "BC CB BC", list("a", "b"), list("a")],
  ["a value is replaced", "value", "BB BB BB", list("a", "b"), list("a", "c")],
  ["the order of values", "none", "-- -- --", list("a", "b"), list("b", "a")],
  ["a minimum is added", "minimum", "BC CB BC", number, { ...number, minimum: 1 }],
  ["a minimum is raised", "minimum", "BC CB BC", { ...number, minimum: 1 }, { ...number, minimum: 2 }],
  ["a maximum is added", "maximum", "BC CB BC", integer, { ...integer, maximum: 9 }],
  ["a maximum is lowered", "maximum", "BC CB BC", { ...integer, maximum: 9 }, { ...integer, maximum: 5 }],
  ["a step is added", "multipleOf", "BC CB BC", number, { ...number, multipleOf: 0.5 }],
  [
    "a step becomes a multiple",
    "multipleOf",
    "BC CB BC",
    { ...integer, multipleOf: 2 },
    { ...integer, multipleOf: 4 },
  ],
  ["a step changes", "multipleOf", "BB BB BB", { ...integer, multipleOf: 2 }, { ...integer, multipleOf: 3 }],
  ["a minimum length is added", "minLength", "BC CB BC", text, { ...text, minLength: 1 }],
  [
    "a minimum length is raised",
    "minLength",
    "BC CB BC",
    { ...text, minLength: 1 },
    { ...text, minLength: 3 },
  ],
  ["a maximum length is added", "maxLength", "BC CB BC", text, { ...text, maxLength: 10 }],
  [
    "a maximum length is lowered",
    "maxLength",
    "BC CB BC",
    { ...text, maxLength: 10 },
    { ...text, maxLength: 4 },
  ],
  ["a pattern is added", "pattern", "BC CB BC", text, { ...text, pattern: "^[a-z]+$" }],
  [
    "a pattern changes",
    "pattern",
    "BB BB BB",
    { ...text, pattern: "^[a-f]{3}$" },
    { ...text, pattern: "^[0-9]{3}$" },
  ],
  ["a format is added", "format", "BC CB BC", text, { ...text, format: "date" }],
  ["a format changes", "format", "BB BB BB", { ...text, format: "date" }, { ...text, format: "uuid" }],
  [
    "a number format is narrower under a maximum",
    "format",
    "BC CB BC",
    { ...integer, format: "int64", maximum: 10 },
    { ...integer, format: "int32", maximum: 10 },
  ],
  [
    "a number format is narrower than its limits",
    "format",
    "CC CC CC",
    { ...integer, format: "int64", minimum: 0, maximum: 10 },
    { ...integer, format: "int32", minimum: 0, maximum: 10 },
  ],
  [
    "a number format is narrower",
    "format",
    "BC CB BC",
    { ...integer, format: "int64" },
    { ...integer, format: "int32" },
  ],
  ["an unknown format is added", "hint", "UU UU UU", text, { ...text, format: "of-our-own" }],
  ["a default is added", "default", "UU CC UU", text, { ...text, default: "a" }],
  ["a default changes", "default", "UU CC UU", { ...text, default: "a" }, { ...text, default: "b" }],
  [
    "an open list of values",
    "extensibleEnum",
    "CC CC CC",
    { ...text, "x-extensible-enum": ["a"] },
    { ...text, "x-extensible-enum": ["a", "b"] },
  ],
  ["a deprecation", "schema.deprecated", "CC CC CC", text, { ...text, deprecated: true }],
  ["a description", "none", "-- -- --", text, { ...text, description: "words" }],
  ["a title and an example", "none", "-- -- --", text, { ...text, title: "A", example: "a" }],
  ["an extension", "none", "-- -- --", text, { ...text, "x-note": "a" }],
  ["a limit of another type", "maximum", "CC CC CC", text, { ...text, maximum: 4 }],
];

const IN_30: readonly SchemaLine[] = [
  ["null is no longer allowed", "null", "BC CB", { ...text, nullable: true }, text],
  ["null beside a list without null", "none", "-- --", { ...list("a"), nullable: true }, list("a")],
  ["null beside a list with null", "null", "BC CB", { ...list("a", null), nullable: true }, list("a", null)],
  [
    "null in a list",
    "null",
    "BC CB",
    { ...list("a", null), nullable: true },
    { ...list("a"), nullable: true },
  ],
  ["null without a type", "none", "-- --", { nullable: true, maxLength: 3 }, { maxLength: 3 }],
  ["null beside allOf", "none", "-- --", { nullable: true, allOf: [text] }, { allOf: [text] }],
  [
    "null beside oneOf",
    "none",
    "-- --",
    { nullable: true, oneOf: [text, integer] },
    { oneOf: [text, integer] },
  ],
  ["null without a type, beside a list", "none", "-- --", { nullable: true, enum: ["a"] }, { enum: ["a"] }],
  [
    "a minimum becomes exclusive",
    "minimum",
    "BC CB BC",
    { ...number, minimum: 1 },
    { ...number, minimum: 1, exclusiveMinimum: true },
  ],
  [
    "a maximum becomes exclusive",
    "maximum",
    "BC CB BC",
    { ...number, maximum: 5 },
    { ...number, maximum: 5, exclusiveMaximum: true },
  ],
];

const IN_31: readonly SchemaLine[] = [
  ["null is no longer allowed", "null", "BC CB", { type: ["string", "null"] }, text],
  ["null in a list", "value", "BC CB", { enum: ["a", null] }, { enum: ["a"] }],
  ["a type of a list is removed", "type", "BC CB BC", { type: ["string", "integer"] }, integer],
  [
    "a minimum becomes exclusive",
    "minimum",
    "BC CB BC",
    { ...number, minimum: 1 },
    { ...number, exclusiveMinimum: 1 },
  ],
  [
    "a maximum becomes exclusive",
    "maximum",
    "BC CB BC",
    { ...number, maximum: 5 },
    { ...number, exclusiveMaximum: 5 },
  ],
  ["a constant is added", "enum type", "BC CB BC", text, { const: "a" }],
  ["a constant changes", "value", "BB BB BB", { const: "a" }, { const: "b" }],
  ["a constant becomes a list", "value", "CB BC CB", { const: "a" }, { enum: ["a", "b"] }],
  ["an encoding", "contentEncoding", "UU UU UU", text, { ...text, contentEncoding: "base64" }],
  [
    "a media type of the text",
    "contentMediaType",
    "UU UU UU",
    text,
    { ...text, contentMediaType: "text/csv" },
  ],
  ["a comment and examples", "none", "-- -- --", text, { ...text, $comment: "words", examples: ["a"] }],
];

export const VALUE_MUTATIONS: readonly SchemaMutation[] = [
  ...IN_BOTH.map(schemaMutations(BOTH)),
  ...IN_30.map(schemaMutations(ONLY_30)),
  ...IN_31.map(schemaMutations(ONLY_31)),
];
