/** Mutations of schemas of objects, arrays and compositions. */
import { COMPOSITIONS } from "./compositions.ts";
import { BOTH, ONLY_31, type SchemaLine, type SchemaMutation, schemaMutations } from "./mutation.ts";

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

const either = [{ required: ["a"] }, { required: ["b"] }];
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
  [
    "a property is added to a closed object",
    "property",
    "CB BU",
    { ...object, additionalProperties: false },
    { ...two, additionalProperties: false },
  ],
  ["a property gets another type", "type", "BB BB", object, having(integer)],
  [
    "an object is closed",
    "additionalProperties",
    "BC CB",
    object,
    { ...object, additionalProperties: false },
  ],
  [
    "other properties get a schema",
    "additionalProperties",
    "BC CB",
    object,
    { ...object, additionalProperties: integer },
  ],
  [
    "the schema of other properties is narrower",
    "maximum",
    "BC CB",
    { ...object, additionalProperties: integer },
    { ...object, additionalProperties: { ...integer, maximum: 5 } },
  ],
  ["a minimum number of properties", "minProperties", "BC CB", object, { ...object, minProperties: 1 }],
  ["a maximum number of properties", "maxProperties", "BC CB", object, { ...object, maxProperties: 2 }],
  ["an optional property becomes readOnly", "readOnly", "UC CC", having(text), having(readOnly)],
  [
    "a required property becomes readOnly",
    "readOnly required",
    "UB CC",
    having(text, "a"),
    having(readOnly, "a"),
  ],
  ["an optional property becomes writeOnly", "writeOnly", "CC UC", having(text), having(writeOnly)],
  [
    "a required property becomes writeOnly",
    "required writeOnly",
    "CC BC",
    having(text, "a"),
    having(writeOnly, "a"),
  ],
  ["an object becomes an array", "type", "BB BB", object, array],
];

const ARRAYS: readonly SchemaLine[] = [
  ["a minimum number of items", "minItems", "BC CB", array, { ...array, minItems: 1 }],
  [
    "a minimum number of items is raised",
    "minItems",
    "BC CB",
    { ...array, minItems: 1 },
    { ...array, minItems: 2 },
  ],
  ["a maximum number of items", "maxItems", "BC CB", array, { ...array, maxItems: 3 }],
  [
    "a maximum number of items is lowered",
    "maxItems",
    "BC CB",
    { ...array, maxItems: 9 },
    { ...array, maxItems: 2 },
  ],
  ["items must differ", "uniqueItems", "BC CB", array, { ...array, uniqueItems: true }],
  ["items get a narrower schema", "minimum", "BC CB", array, { ...array, items: { ...integer, minimum: 1 } }],
  ["items get another type", "type", "BB BB", array, { ...array, items: text }],
  ["an array becomes its item", "type", "BB BB", array, integer],
];

const IN_31: readonly SchemaLine[] = [
  ["an item by position", "type", "BC CB", { type: "array" }, { type: "array", prefixItems: [text] }],
  ["a required item", "contains", "BC CB", array, { ...array, contains: { const: 1 } }],
  [
    "a minimum number of required items",
    "minContains",
    "BC CB",
    { ...array, contains: { const: 1 } },
    { ...array, contains: { const: 1 }, minContains: 2 },
  ],
  [
    "a maximum number of required items",
    "maxContains",
    "BC CB",
    { ...array, contains: { const: 1 } },
    { ...array, contains: { const: 1 }, maxContains: 2 },
  ],
  [
    "names of properties",
    "propertyNames",
    "BC CB",
    { type: "object" },
    { type: "object", propertyNames: { maxLength: 3 } },
  ],
  [
    "properties by pattern",
    "patternProperties",
    "BC CB",
    object,
    { ...object, patternProperties: { "^x": integer } },
  ],
  [
    "a property requires another",
    "dependentRequired",
    "BC CB",
    two,
    { ...two, dependentRequired: { a: ["b"] } },
  ],
  [
    "a property requires a schema",
    "dependentSchemas",
    "BC CB",
    two,
    { ...two, dependentSchemas: { a: { required: ["b"] } } },
  ],
  [
    "no unevaluated properties",
    "unevaluatedProperties",
    "BC CB",
    object,
    { ...object, unevaluatedProperties: false },
  ],
  [
    "no unevaluated items",
    "unevaluatedItems",
    "BC CB",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text], unevaluatedItems: false },
  ],
  [
    "a condition gets a schema",
    "then",
    "BC CB",
    { ...two, if: { required: ["a"] } },
    { ...two, if: { required: ["a"] }, [THEN]: { required: ["b"] } },
  ],
  [
    "a condition gets a schema for the other case",
    "else",
    "BC CB",
    { ...two, if: { required: ["a"] } },
    { ...two, if: { required: ["a"] }, else: { required: ["b"] } },
  ],
  ["a schema of the items", "items", "BC CB", { type: "array" }, { type: "array", items: text }],
  [
    "a property where unnamed properties are refused",
    "property",
    "UB BU",
    { ...object, unevaluatedProperties: false },
    { ...two, unevaluatedProperties: false },
  ],
  [
    "a condition alone",
    "if",
    "BC CB",
    { ...text, [THEN]: { maxLength: 2 } },
    { ...text, if: { minLength: 2 }, [THEN]: { maxLength: 2 } },
  ],
  [
    "alternatives that exclude each other are added",
    "oneOf",
    "BC CB",
    { type: "object" },
    { type: "object", oneOf: either },
  ],
  ["alternatives are added", "anyOf", "BC CB", { type: "object" }, { type: "object", anyOf: either }],
  [
    "a property that another alternative names and accepts",
    "property",
    "BU CB",
    { anyOf: [kinds({}), sizes({})] },
    { anyOf: [kinds({ size: { ...integer, maximum: 9 } }), sizes({})] },
  ],
  [
    "a property that only another alternative names and accepts",
    "property",
    "BU CB",
    { anyOf: [kinds({}), sizes({ additionalProperties: false })] },
    { anyOf: [kinds({ size: { ...integer, maximum: 9 } }), sizes({ additionalProperties: false })] },
  ],
  [
    "an alternative that overlaps another becomes wider",
    "minimum",
    "BB BB",
    { oneOf: [integer, { type: "number", minimum: 5 }] },
    { oneOf: [integer, { type: "number", minimum: 3 }] },
  ],
  [
    "an excluded schema becomes wider",
    "maximum",
    "BU UB",
    { ...integer, not: { maximum: 3 } },
    { ...integer, not: { maximum: 5 } },
  ],
];

export const STRUCTURE_MUTATIONS: readonly SchemaMutation[] = [
  ...[...OBJECTS, ...ARRAYS, ...COMPOSITIONS].map(schemaMutations(BOTH)),
  ...IN_31.map(schemaMutations(ONLY_31)),
];
