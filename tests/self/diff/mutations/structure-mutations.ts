/** Mutations of schemas of objects, arrays and compositions. */
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

const OBJECTS: readonly SchemaLine[] = [
  ["a property becomes required", "BC CB", object, needing("a")],
  ["an unnamed property becomes required", "BC CB", object, needing("b")],
  ["an optional property is added", "CU CU", object, two],
  ["a required property is added", "BU CB", object, { ...two, required: ["b"] }],
  [
    "a property is added to a closed object",
    "CB BU",
    { ...object, additionalProperties: false },
    { ...two, additionalProperties: false },
  ],
  ["a property gets another type", "BB BB", object, having(integer)],
  ["an object is closed", "BC CB", object, { ...object, additionalProperties: false }],
  ["other properties get a schema", "BC CB", object, { ...object, additionalProperties: integer }],
  [
    "the schema of other properties is narrower",
    "BC CB",
    { ...object, additionalProperties: integer },
    { ...object, additionalProperties: { ...integer, maximum: 5 } },
  ],
  ["a minimum number of properties", "BC CB", object, { ...object, minProperties: 1 }],
  ["a maximum number of properties", "BC CB", object, { ...object, maxProperties: 2 }],
  ["an optional property becomes readOnly", "UC CC", having(text), having(readOnly)],
  ["a required property becomes readOnly", "UB CC", having(text, "a"), having(readOnly, "a")],
  ["an optional property becomes writeOnly", "CC UC", having(text), having(writeOnly)],
  ["a required property becomes writeOnly", "CC BC", having(text, "a"), having(writeOnly, "a")],
  ["an object becomes an array", "BB BB", object, array],
];

const ARRAYS: readonly SchemaLine[] = [
  ["a minimum number of items", "BC CB", array, { ...array, minItems: 1 }],
  ["a minimum number of items is raised", "BC CB", { ...array, minItems: 1 }, { ...array, minItems: 2 }],
  ["a maximum number of items", "BC CB", array, { ...array, maxItems: 3 }],
  ["a maximum number of items is lowered", "BC CB", { ...array, maxItems: 9 }, { ...array, maxItems: 2 }],
  ["items must differ", "BC CB", array, { ...array, uniqueItems: true }],
  ["items get a narrower schema", "BC CB", array, { ...array, items: { ...integer, minimum: 1 } }],
  ["items get another type", "BB BB", array, { ...array, items: text }],
  ["an array becomes its item", "BB BB", array, integer],
];

/** Alternatives that all objects match, unless they have a property of another type. */
const KINDS = Array.from({ length: 12 }, (_, at) =>
  having({ type: "object", properties: { [`p${at}`]: integer } }),
);
const OTHER_KIND = having({
  type: "object",
  properties: Object.fromEntries(KINDS.map((_, at) => [`p${at}`, text])),
});

const COMPOSITIONS: readonly SchemaLine[] = [
  [
    "an alternative differs from each other one in another property",
    "CB BC",
    { anyOf: KINDS },
    { anyOf: [...KINDS, OTHER_KIND] },
  ],
  ["a part is added to allOf", "BC CB", { allOf: [object] }, { allOf: [object, needing("a")] }],
  ["an alternative of anyOf is removed", "BC CB", { anyOf: [text, integer] }, { anyOf: [text] }],
  ["an alternative of oneOf is removed", "BC CB", { oneOf: [text, integer] }, { oneOf: [text] }],
  ["a schema becomes one of two", "CB BC", text, { oneOf: [text, integer] }],
  [
    "an alternative is narrower",
    "BC CB",
    { oneOf: [text, integer] },
    { oneOf: [text, { ...integer, maximum: 9 }] },
  ],
  ["an excluded schema", "BC CB", text, { ...text, not: { enum: ["a"] } }],
  ["the order of alternatives", "-- --", { anyOf: [text, integer] }, { anyOf: [integer, text] }],
];

const IN_31: readonly SchemaLine[] = [
  ["an item by position", "BC CB", { type: "array" }, { type: "array", prefixItems: [text] }],
  ["a required item", "BC CB", array, { ...array, contains: { const: 1 } }],
  [
    "a minimum number of required items",
    "BC CB",
    { ...array, contains: { const: 1 } },
    { ...array, contains: { const: 1 }, minContains: 2 },
  ],
  [
    "a maximum number of required items",
    "BC CB",
    { ...array, contains: { const: 1 } },
    { ...array, contains: { const: 1 }, maxContains: 2 },
  ],
  ["names of properties", "BC CB", { type: "object" }, { type: "object", propertyNames: { maxLength: 3 } }],
  ["properties by pattern", "BC CB", object, { ...object, patternProperties: { "^x": integer } }],
  ["a property requires another", "BC CB", two, { ...two, dependentRequired: { a: ["b"] } }],
  ["a property requires a schema", "BC CB", two, { ...two, dependentSchemas: { a: { required: ["b"] } } }],
  ["no unevaluated properties", "BC CB", object, { ...object, unevaluatedProperties: false }],
  [
    "no unevaluated items",
    "BC CB",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text], unevaluatedItems: false },
  ],
  [
    "a condition gets a schema",
    "BC CB",
    { ...two, if: { required: ["a"] } },
    { ...two, if: { required: ["a"] }, [THEN]: { required: ["b"] } },
  ],
  [
    "a condition gets a schema for the other case",
    "BC CB",
    { ...two, if: { required: ["a"] } },
    { ...two, if: { required: ["a"] }, else: { required: ["b"] } },
  ],
];

export const STRUCTURE_MUTATIONS: readonly SchemaMutation[] = [
  ...[...OBJECTS, ...ARRAYS, ...COMPOSITIONS].map(schemaMutations(BOTH)),
  ...IN_31.map(schemaMutations(ONLY_31)),
];
