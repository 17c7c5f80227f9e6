/** Rules of the diff about schemas: a pair of schemas each, and the class of the change in a request and in a response. */
import type { RuleName } from "../../../helpers/diff/compare/rules.ts";
import type { EntryClass } from "../../../helpers/diff/entry.ts";

/** A keyword of JSON Schema, not a promise. */
const THEN: string = "then";
const holding = (condition: object, schema: object) => ({ ...condition, [THEN]: schema });

export interface SchemaRow {
  readonly about: string;
  readonly rule: RuleName;
  readonly old: unknown;
  readonly new: unknown;
  /** Of the change in a request, and of the change in a response; `-` where it is not told there. */
  readonly request: EntryClass;
  readonly response: EntryClass;
  /** Also the other way round. */
  readonly back: readonly [request: EntryClass, response: EntryClass];
}

const row = (
  about: string,
  rule: RuleName,
  old: unknown,
  fresh: unknown,
  [request, response]: readonly [EntryClass, EntryClass],
  back: readonly [EntryClass, EntryClass],
): SchemaRow => ({ about, rule, old, new: fresh, request, response, back });

const NARROWS = ["breaking", "compatible"] as const;
const WIDENS = ["compatible", "breaking"] as const;
const BOTH = ["breaking", "breaking"] as const;
const HARMLESS = ["compatible", "compatible"] as const;
const OPEN = ["undecided", "undecided"] as const;
const NEW_MEANING = ["undecided", "compatible"] as const;

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const string = { type: "string" };
const cat = object({ kind: { const: "cat" }, claws: { type: "integer" } }, { required: ["kind"] });
const dog = object({ kind: { const: "dog" }, tail: string }, { required: ["kind"] });

const kinds = (more: object) => object({ kind: { const: "a" }, ...more }, { required: ["kind"] });
const sizes = (more: object) => object({ size: { type: "integer" } }, { required: ["size"], ...more });

export const SCHEMA_ROWS: readonly SchemaRow[] = [
  row("a type is exchanged", "type", { type: "integer" }, string, BOTH, BOTH),
  row("a type is taken away", "type", { type: ["string", "integer"] }, string, NARROWS, WIDENS),
  row("whole numbers only", "type", { type: "number" }, { type: "integer" }, NARROWS, WIDENS),
  row("any type becomes one", "type", {}, string, NARROWS, WIDENS),
  row("null is no longer allowed", "null", { type: ["string", "null"] }, string, NARROWS, WIDENS),
  row("a list of values comes", "enum", string, { type: "string", enum: ["a", "b"] }, NARROWS, WIDENS),
  row("a value goes", "value", { enum: ["a", "b"] }, { enum: ["a"] }, NARROWS, WIDENS),
  row("the constant is another", "value", { const: 1 }, { const: 2 }, BOTH, BOTH),
  row(
    "a higher lower limit",
    "minimum",
    { type: "number", minimum: 1 },
    { type: "number", minimum: 2 },
    NARROWS,
    WIDENS,
  ),
  row(
    "a limit that is itself excluded",
    "maximum",
    { type: "number", maximum: 5 },
    { type: "number", exclusiveMaximum: 5 },
    NARROWS,
    WIDENS,
  ),
  row(
    "a step",
    "multipleOf",
    { type: "number", multipleOf: 0.5 },
    { type: "number", multipleOf: 1 },
    NARROWS,
    WIDENS,
  ),
  row(
    "a longer shortest length",
    "minLength",
    { type: "string", minLength: 1 },
    { type: "string", minLength: 3 },
    NARROWS,
    WIDENS,
  ),
  row(
    "a shorter longest length",
    "maxLength",
    { type: "string", maxLength: 30 },
    { type: "string", maxLength: 20 },
    NARROWS,
    WIDENS,
  ),
  row("a pattern", "pattern", string, { type: "string", pattern: "^[0-9]{4}$" }, NARROWS, WIDENS),
  row(
    "another pattern",
    "pattern",
    { type: "string", pattern: "^[0-9]{4}$" },
    { type: "string", pattern: "^[a-f]{4}$" },
    BOTH,
    BOTH,
  ),
  row("a format", "format", string, { type: "string", format: "date" }, NARROWS, WIDENS),
  row(
    "another format",
    "format",
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
    BOTH,
    BOTH,
  ),
  row(
    "a smaller format",
    "format",
    { type: "integer", format: "int64" },
    { type: "integer", format: "int32" },
    NARROWS,
    WIDENS,
  ),
  row(
    "a format that nobody judges",
    "hint",
    string,
    { type: "string", format: "account-number" },
    OPEN,
    OPEN,
  ),
  row(
    "fewer items at least",
    "minItems",
    { type: "array", minItems: 2 },
    { type: "array", minItems: 1 },
    WIDENS,
    NARROWS,
  ),
  row(
    "fewer items at most",
    "maxItems",
    { type: "array", maxItems: 9 },
    { type: "array", maxItems: 2 },
    NARROWS,
    WIDENS,
  ),
  row(
    "items must differ",
    "uniqueItems",
    { type: "array" },
    { type: "array", uniqueItems: true },
    NARROWS,
    WIDENS,
  ),
  row("a schema of the items", "items", { type: "array" }, { type: "array", items: string }, NARROWS, WIDENS),
  row(
    "an item by position",
    "type",
    { type: "array", prefixItems: [{}] },
    { type: "array", prefixItems: [string] },
    NARROWS,
    WIDENS,
  ),
  row(
    "an item that must be there",
    "contains",
    { type: "array" },
    { type: "array", contains: { const: 1 } },
    NARROWS,
    WIDENS,
  ),
  row(
    "how often it must be there",
    "minContains",
    { type: "array", contains: { const: 1 } },
    { type: "array", contains: { const: 1 }, minContains: 2 },
    NARROWS,
    WIDENS,
  ),
  row(
    "how often it may be there",
    "maxContains",
    { type: "array", contains: { const: 1 } },
    { type: "array", contains: { const: 1 }, maxContains: 2 },
    NARROWS,
    WIDENS,
  ),
  row(
    "more properties at least",
    "minProperties",
    { type: "object" },
    { type: "object", minProperties: 2 },
    NARROWS,
    WIDENS,
  ),
  row(
    "fewer properties at most",
    "maxProperties",
    { type: "object" },
    { type: "object", maxProperties: 1 },
    NARROWS,
    WIDENS,
  ),
  row(
    "an optional property of an open object",
    "property",
    object({}),
    object({ a: string }),
    HARMLESS,
    OPEN,
  ),
  row("a required property", "property", object({}), object({ a: string }, { required: ["a"] }), NARROWS, [
    "undecided",
    "breaking",
  ]),
  row(
    "an optional property of a closed object",
    "property",
    object({}, { additionalProperties: false }),
    object({ a: string }, { additionalProperties: false }),
    WIDENS,
    ["breaking", "undecided"],
  ),
  row(
    "a property becomes required",
    "required",
    object({ a: string }),
    object({ a: string }, { required: ["a"] }),
    NARROWS,
    WIDENS,
  ),
  row(
    "an object is closed",
    "additionalProperties",
    object({ a: string }),
    object({ a: string }, { additionalProperties: false }),
    NARROWS,
    WIDENS,
  ),
  row(
    "other properties get a schema",
    "additionalProperties",
    { type: "object" },
    { type: "object", additionalProperties: { type: "integer" } },
    NARROWS,
    WIDENS,
  ),
  row(
    "properties by pattern get a schema",
    "patternProperties",
    { type: "object" },
    { type: "object", patternProperties: { "^x": string } },
    NARROWS,
    WIDENS,
  ),
  row(
    "names of properties",
    "propertyNames",
    { type: "object" },
    { type: "object", propertyNames: { maxLength: 3 } },
    NARROWS,
    WIDENS,
  ),
  row(
    "a property that another requires",
    "dependentRequired",
    object({ a: string, b: string }),
    object({ a: string, b: string }, { dependentRequired: { a: ["b"] } }),
    NARROWS,
    WIDENS,
  ),
  row(
    "a schema that a property brings",
    "dependentSchemas",
    object({ a: string }),
    object({ a: string }, { dependentSchemas: { a: { required: ["b"] } } }),
    NARROWS,
    WIDENS,
  ),
  row(
    "what no keyword has judged",
    "unevaluatedProperties",
    object({ a: string }),
    object({ a: string }, { unevaluatedProperties: false }),
    NARROWS,
    WIDENS,
  ),
  row("an excluded schema", "not", string, { type: "string", not: { const: "text" } }, NARROWS, WIDENS),
  row(
    "a condition",
    "then",
    object({ a: string }, { if: { required: ["a"] } }),
    object({ a: string }, holding({ if: { required: ["a"] } }, { required: ["b"] })),
    NARROWS,
    WIDENS,
  ),
  row(
    "a condition of its own",
    "if",
    holding({ type: "string" }, { maxLength: 2 }),
    holding({ type: "string", if: { minLength: 2 } }, { maxLength: 2 }),
    NARROWS,
    WIDENS,
  ),
  row(
    "what holds without the condition",
    "else",
    object({ a: string }, { if: { required: ["a"] } }),
    object({ a: string }, { if: { required: ["a"] }, else: { required: ["b"] } }),
    NARROWS,
    WIDENS,
  ),
  row(
    "items that no keyword has judged",
    "unevaluatedItems",
    { type: "array", prefixItems: [string] },
    { type: "array", prefixItems: [string], unevaluatedItems: false },
    NARROWS,
    WIDENS,
  ),
  row(
    "alternatives that exclude each other",
    "oneOf",
    object({}),
    object({}, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
    NARROWS,
    WIDENS,
  ),
  row(
    "alternatives come",
    "anyOf",
    object({}),
    object({}, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
    NARROWS,
    WIDENS,
  ),
  row(
    "an alternative goes",
    "alternative",
    { anyOf: [string, { type: "integer" }] },
    { anyOf: [string] },
    NARROWS,
    WIDENS,
  ),
  row(
    "an alternative that excludes the others",
    "alternative",
    { oneOf: [cat, dog] },
    { oneOf: [cat] },
    NARROWS,
    WIDENS,
  ),
  row(
    "a schema becomes one of two",
    "alternative",
    string,
    { oneOf: [string, { type: "integer" }] },
    WIDENS,
    NARROWS,
  ),
  row(
    "one alternative gets narrower",
    "maximum",
    { oneOf: [string, { type: "integer" }] },
    { oneOf: [string, { type: "integer", maximum: 9 }] },
    NARROWS,
    WIDENS,
  ),
  row(
    "a property that another alternative names and takes",
    "property",
    { anyOf: [kinds({}), sizes({})] },
    { anyOf: [kinds({ size: { type: "integer", maximum: 9 } }), sizes({})] },
    ["undecided", "compatible"],
    OPEN,
  ),
  row(
    "a property that another alternative names and alone takes",
    "property",
    { anyOf: [kinds({}), sizes({ additionalProperties: false })] },
    { anyOf: [kinds({ size: { type: "integer", maximum: 9 } }), sizes({ additionalProperties: false })] },
    NARROWS,
    ["undecided", "breaking"],
  ),
  row(
    "a property that stays required without a schema",
    "property",
    object({ a: string }, { required: ["a"] }),
    object({}, { required: ["a"] }),
    ["undecided", "breaking"],
    ["breaking", "compatible"],
  ),
  row(
    "an alternative that overlaps another gets wider",
    "minimum",
    { oneOf: [{ type: "integer" }, { type: "number", minimum: 5 }] },
    { oneOf: [{ type: "integer" }, { type: "number", minimum: 3 }] },
    BOTH,
    BOTH,
  ),
  row(
    "a property where unnamed ones are refused",
    "property",
    object({ a: string }, { unevaluatedProperties: false }),
    object({ a: string, b: string }, { unevaluatedProperties: false }),
    ["undecided", "breaking"],
    ["breaking", "undecided"],
  ),
  row(
    "an excluded schema gets wider",
    "maximum",
    { type: "integer", not: { maximum: 3 } },
    { type: "integer", not: { maximum: 5 } },
    ["breaking", "undecided"],
    ["undecided", "breaking"],
  ),
  row("a default", "default", string, { type: "string", default: "a" }, NEW_MEANING, NEW_MEANING),
  row("a deprecation", "schema.deprecated", string, { type: "string", deprecated: true }, HARMLESS, HARMLESS),
  row("an encoding", "contentEncoding", string, { type: "string", contentEncoding: "base64" }, OPEN, OPEN),
  row(
    "a media type of the text",
    "contentMediaType",
    string,
    { type: "string", contentMediaType: "text/csv" },
    OPEN,
    OPEN,
  ),
];
