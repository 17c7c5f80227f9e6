/** Mutations of schemas of objects, arrays and compositions. */
import { COMPOSITIONS } from "./compositions.ts";
import {
  BOTH,
  beside,
  completed,
  type Json,
  ONLY_31,
  type SchemaLine,
  type SchemaMutation,
  schemaMutations,
} from "./mutation.ts";

/** A keyword of JSON Schema, not a promise. */
const THEN: string = "then";

const text = { type: "string" };
const integer = { type: "integer" };
const array = { type: "array", items: integer };
const object = { type: "object", properties: { a: text } };
const needing = (...names: readonly string[]) => ({ ...object, required: names });
const two = { type: "object", properties: { a: text, b: text } };
const readOnly = { ...text, readOnly: true };
const writeOnly = { ...text, writeOnly: true };
const having = (a: object, ...required: readonly string[]) => ({
  type: "object",
  properties: { a },
  ...(required.length > 0 && { required }),
});

const needsB = { required: ["b"] };
const upTo9 = { ...integer, maximum: 9 };
const either = [{ required: ["a"] }, needsB];
const kinds = (more: object) => ({
  type: "object",
  properties: { kind: { const: "a" }, ...more },
  required: ["kind"],
});
const sizes = (more: object) => ({
  ...having(integer),
  properties: { size: integer },
  required: ["size"],
  ...more,
});

const OBJECTS: readonly SchemaLine[] = [
  ["a property becomes required", "required", "BC CB", object, needing("a")],
  ["an unnamed property becomes required", "required", "BC CB", object, needing("b")],
  ["an optional property is added", "property", "CU CU", object, two],
  ["a required property is added", "property", "BU CB", object, { ...two, required: ["b"] }],
  ...beside({ additionalProperties: false }, [
    ["a property is added to a closed object", "property", "CB BU", object, two],
  ]),
  ["a property gets another type", "type", "BB BB", object, having(integer)],
  ...beside(object, [
    ["an object is closed", "additionalProperties", "BC CB", {}, { additionalProperties: false }],
    ["other properties get a schema", "additionalProperties", "BC CB", {}, { additionalProperties: integer }],
    ["a minimum number of properties", "minProperties", "BC CB", {}, { minProperties: 1 }],
    ["a maximum number of properties", "maxProperties", "BC CB", {}, { maxProperties: 2 }],
  ]),
  ...completed((additionalProperties: Json) => ({ ...object, additionalProperties }))([
    ["the schema of other properties is narrower", "maximum", "BC CB", integer, { ...integer, maximum: 5 }],
  ]),
  ["an optional property becomes readOnly", "readOnly", "UC CC", having(text), having(readOnly)],
  ["an optional property becomes writeOnly", "writeOnly", "CC UC", having(text), having(writeOnly)],
  ...completed((a: Json) => having(a, "a"))([
    ["a required property becomes readOnly", "readOnly required", "UB CC", text, readOnly],
    ["a required property becomes writeOnly", "required writeOnly", "CC BC", text, writeOnly],
  ]),
  ["an object becomes an array", "type", "BB BB", object, array],
];

const ARRAYS: readonly SchemaLine[] = [
  ...beside(array, [
    ["a minimum number of items", "minItems", "BC CB", {}, { minItems: 1 }],
    ["a minimum number of items is raised", "minItems", "BC CB", { minItems: 1 }, { minItems: 2 }],
    ["a maximum number of items", "maxItems", "BC CB", {}, { maxItems: 3 }],
    ["a maximum number of items is lowered", "maxItems", "BC CB", { maxItems: 9 }, { maxItems: 2 }],
    ["items must differ", "uniqueItems", "BC CB", {}, { uniqueItems: true }],
    ["items get a narrower schema", "minimum", "BC CB", {}, { items: { ...integer, minimum: 1 } }],
    ["items get another type", "type", "BB BB", {}, { items: text }],
  ]),
  ["an array becomes its item", "type", "BB BB", array, integer],
];

const IN_31: readonly SchemaLine[] = [
  ["an item by position", "type", "BC CB", { type: "array" }, { type: "array", prefixItems: [text] }],
  ["a required item", "contains", "BC CB", array, { ...array, contains: { const: 1 } }],
  ...beside({ ...array, contains: { const: 1 } }, [
    ["a minimum number of required items", "minContains", "BC CB", {}, { minContains: 2 }],
    ["a maximum number of required items", "maxContains", "BC CB", {}, { maxContains: 2 }],
  ]),
  ...beside({ type: "object" }, [
    ["names of properties", "propertyNames", "BC CB", {}, { propertyNames: { maxLength: 3 } }],
    ["alternatives that exclude each other are added", "oneOf", "BC CB", {}, { oneOf: either }],
    ["alternatives are added", "anyOf", "BC CB", {}, { anyOf: either }],
  ]),
  ...beside(object, [
    ["properties by pattern", "patternProperties", "BC CB", {}, { patternProperties: { "^x": integer } }],
    ["no unevaluated properties", "unevaluatedProperties", "BC CB", {}, { unevaluatedProperties: false }],
  ]),
  ...beside(two, [
    ["a property requires another", "dependentRequired", "BC CB", {}, { dependentRequired: { a: ["b"] } }],
    ["a property requires a schema", "dependentSchemas", "BC CB", {}, { dependentSchemas: { a: needsB } }],
  ]),
  ...beside({ type: "array", prefixItems: [text] }, [
    ["no unevaluated items", "unevaluatedItems", "BC CB", {}, { unevaluatedItems: false }],
  ]),
  ...beside({ ...two, if: { required: ["a"] } }, [
    ["a condition gets a schema", "then", "BC CB", {}, { [THEN]: needsB }],
    ["a condition gets a schema for the other case", "else", "BC CB", {}, { else: needsB }],
  ]),
  ["a schema of the items", "items", "BC CB", { type: "array" }, { type: "array", items: text }],
  ...beside({ unevaluatedProperties: false }, [
    ["a property where unnamed properties are refused", "property", "UB BU", object, two],
  ]),
  ...beside({ ...text, [THEN]: { maxLength: 2 } }, [
    ["a condition alone", "if", "BC CB", {}, { if: { minLength: 2 } }],
  ]),
  ...completed((size: Json) => ({ anyOf: [kinds(size), sizes({})] }))([
    ["a property that another alternative names and accepts", "property", "BU CB", {}, { size: upTo9 }],
  ]),
  ...completed((size: Json) => ({ anyOf: [kinds(size), sizes({ additionalProperties: false })] }))([
    ["a property that only another alternative names and accepts", "property", "BU CB", {}, { size: upTo9 }],
  ]),
  ...completed((minimum: number) => ({ oneOf: [integer, { type: "number", minimum }] }))([
    ["an alternative that overlaps another becomes wider", "minimum", "BB BB", 5, 3],
  ]),
  ...completed((maximum: number) => ({ ...integer, not: { maximum } }))([
    ["an excluded schema becomes wider", "maximum", "BU UB", 3, 5],
  ]),
];

export const STRUCTURE_MUTATIONS: readonly SchemaMutation[] = [
  ...[...OBJECTS, ...ARRAYS, ...COMPOSITIONS].map(schemaMutations(BOTH)),
  ...IN_31.map(schemaMutations(ONLY_31)),
];
