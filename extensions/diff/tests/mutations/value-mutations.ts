/** Mutations of schemas of single values: each keyword of OpenAPI 3.0, of 3.1, and of both. */
import {
  BOTH,
  beside,
  ONLY_30,
  ONLY_31,
  type SchemaLine,
  type SchemaMutation,
  schemaMutations,
} from "./mutation.ts";

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };
const int64 = { format: "int64" };
const int32 = { format: "int32" };
const open = (...values: readonly string[]) => ({ "x-extensible-enum": values });
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
  ...beside(number, [
    ["a minimum is added", "minimum", "BC CB BC", {}, { minimum: 1 }],
    ["a minimum is raised", "minimum", "BC CB BC", { minimum: 1 }, { minimum: 2 }],
    ["a step is added", "multipleOf", "BC CB BC", {}, { multipleOf: 0.5 }],
  ]),
  ...beside(integer, [
    ["a maximum is added", "maximum", "BC CB BC", {}, { maximum: 9 }],
    ["a maximum is lowered", "maximum", "BC CB BC", { maximum: 9 }, { maximum: 5 }],
    ["a step becomes a multiple", "multipleOf", "BC CB BC", { multipleOf: 2 }, { multipleOf: 4 }],
    ["a step changes", "multipleOf", "BB BB BB", { multipleOf: 2 }, { multipleOf: 3 }],
    ["a number format is narrower", "format", "BC CB BC", int64, int32],
  ]),
  ...beside({ ...integer, maximum: 10 }, [
    ["a number format is narrower under a maximum", "format", "BC CB BC", int64, int32],
  ]),
  ...beside({ ...integer, minimum: 0, maximum: 10 }, [
    ["a number format is narrower than its limits", "format", "CC CC CC", int64, int32],
  ]),
  ...beside(text, [
    ["a minimum length is added", "minLength", "BC CB BC", {}, { minLength: 1 }],
    ["a minimum length is raised", "minLength", "BC CB BC", { minLength: 1 }, { minLength: 3 }],
    ["a maximum length is added", "maxLength", "BC CB BC", {}, { maxLength: 10 }],
    ["a maximum length is lowered", "maxLength", "BC CB BC", { maxLength: 10 }, { maxLength: 4 }],
    ["a pattern is added", "pattern", "BC CB BC", {}, { pattern: "^[a-z]+$" }],
    ["a pattern changes", "pattern", "BB BB BB", { pattern: "^[a-f]{3}$" }, { pattern: "^[0-9]{3}$" }],
    ["a format is added", "format", "BC CB BC", {}, { format: "date" }],
    ["a format changes", "format", "BB BB BB", { format: "date" }, { format: "uuid" }],
    ["an unknown format is added", "hint", "UU UU UU", {}, { format: "of-our-own" }],
    ["a default is added", "default", "UU CC UU", {}, { default: "a" }],
    ["a default changes", "default", "UU CC UU", { default: "a" }, { default: "b" }],
    ["an open list of values", "extensibleEnum", "CC CC CC", open("a"), open("a", "b")],
    ["a deprecation", "schema.deprecated", "CC CC CC", {}, { deprecated: true }],
    ["a description", "none", "-- -- --", {}, { description: "words" }],
    ["a title and an example", "none", "-- -- --", {}, { title: "A", example: "a" }],
    ["an extension", "none", "-- -- --", {}, { "x-note": "a" }],
    ["a limit of another type", "maximum", "CC CC CC", {}, { maximum: 4 }],
  ]),
];

const IN_30: readonly SchemaLine[] = [
  ["null is no longer allowed", "null", "BC CB", { ...text, nullable: true }, text],
  ["null beside a list without null", "none", "-- --", { ...list("a"), nullable: true }, list("a")],
  ["null beside a list with null", "null", "BC CB", { ...list("a", null), nullable: true }, list("a", null)],
  ["null without a type", "none", "-- --", { nullable: true, maxLength: 3 }, { maxLength: 3 }],
  ["null beside allOf", "none", "-- --", { nullable: true, allOf: [text] }, { allOf: [text] }],
  ...beside({ oneOf: [text, integer] }, [["null beside oneOf", "none", "-- --", { nullable: true }, {}]]),
  ...beside({ nullable: true }, [["null in a list", "null", "BC CB", list("a", null), list("a")]]),
  ["null without a type, beside a list", "none", "-- --", { nullable: true, enum: ["a"] }, { enum: ["a"] }],
  ...beside({ ...number, minimum: 1 }, [
    ["a minimum becomes exclusive", "minimum", "BC CB BC", {}, { exclusiveMinimum: true }],
  ]),
  ...beside({ ...number, maximum: 5 }, [
    ["a maximum becomes exclusive", "maximum", "BC CB BC", {}, { exclusiveMaximum: true }],
  ]),
];

const IN_31: readonly SchemaLine[] = [
  ["null is no longer allowed", "null", "BC CB", { type: ["string", "null"] }, text],
  ["null in a list", "value", "BC CB", { enum: ["a", null] }, { enum: ["a"] }],
  ["a type of a list is removed", "type", "BC CB BC", { type: ["string", "integer"] }, integer],
  ...beside(number, [
    ["a minimum becomes exclusive", "minimum", "BC CB BC", { minimum: 1 }, { exclusiveMinimum: 1 }],
    ["a maximum becomes exclusive", "maximum", "BC CB BC", { maximum: 5 }, { exclusiveMaximum: 5 }],
  ]),
  ["a constant is added", "enum type", "BC CB BC", text, { const: "a" }],
  ["a constant changes", "value", "BB BB BB", { const: "a" }, { const: "b" }],
  ["a constant becomes a list", "value", "CB BC CB", { const: "a" }, { enum: ["a", "b"] }],
  ...beside(text, [
    ["an encoding", "contentEncoding", "UU UU UU", {}, { contentEncoding: "base64" }],
    ["a media type of the text", "contentMediaType", "UU UU UU", {}, { contentMediaType: "text/csv" }],
    ["a comment and examples", "none", "-- -- --", {}, { $comment: "words", examples: ["a"] }],
  ]),
];

export const VALUE_MUTATIONS: readonly SchemaMutation[] = [
  ...IN_BOTH.map(schemaMutations(BOTH)),
  ...IN_30.map(schemaMutations(ONLY_30)),
  ...IN_31.map(schemaMutations(ONLY_31)),
];
