/** Diff rules for composed schemas: alternatives, conditions and exclusions. */
import { BOTH, NARROWS, OPEN, object, type SchemaRow, schemaRow, string, WIDENS } from "./rows.ts";

/** A keyword of JSON Schema, not a promise. */
const THEN: string = "then";
const holding = (condition: object, schema: object) => ({ ...condition, [THEN]: schema });

const cat = object({ kind: { const: "cat" }, claws: { type: "integer" } }, { required: ["kind"] });
const dog = object({ kind: { const: "dog" }, tail: string }, { required: ["kind"] });

const kinds = (more: object) => object({ kind: { const: "a" }, ...more }, { required: ["kind"] });
const sizes = (more: object) => object({ size: { type: "integer" } }, { required: ["size"], ...more });

export const COMPOSITION_ROWS: readonly SchemaRow[] = [
  schemaRow("an excluded schema", "not", string, { type: "string", not: { const: "text" } }, NARROWS, WIDENS),
  schemaRow(
    "a condition",
    "then",
    object({ a: string }, { if: { required: ["a"] } }),
    object({ a: string }, holding({ if: { required: ["a"] } }, { required: ["b"] })),
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "a condition alone",
    "if",
    holding({ type: "string" }, { maxLength: 2 }),
    holding({ type: "string", if: { minLength: 2 } }, { maxLength: 2 }),
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "a schema for when the condition does not hold",
    "else",
    object({ a: string }, { if: { required: ["a"] } }),
    object({ a: string }, { if: { required: ["a"] }, else: { required: ["b"] } }),
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "alternatives that exclude each other",
    "oneOf",
    object({}),
    object({}, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "alternatives are added",
    "anyOf",
    object({}),
    object({}, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "an alternative is removed",
    "alternative",
    { anyOf: [string, { type: "integer" }] },
    { anyOf: [string] },
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "an alternative that excludes the others",
    "alternative",
    { oneOf: [cat, dog] },
    { oneOf: [cat] },
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "a schema becomes one of two",
    "alternative",
    string,
    { oneOf: [string, { type: "integer" }] },
    WIDENS,
    NARROWS,
  ),
  schemaRow(
    "one alternative becomes narrower",
    "maximum",
    { oneOf: [string, { type: "integer" }] },
    { oneOf: [string, { type: "integer", maximum: 9 }] },
    NARROWS,
    WIDENS,
  ),
  schemaRow(
    "a property that another alternative names and accepts",
    "property",
    { anyOf: [kinds({}), sizes({})] },
    { anyOf: [kinds({ size: { type: "integer", maximum: 9 } }), sizes({})] },
    ["undecided", "compatible"],
    OPEN,
  ),
  schemaRow(
    "a property that only another alternative names and accepts",
    "property",
    { anyOf: [kinds({}), sizes({ additionalProperties: false })] },
    { anyOf: [kinds({ size: { type: "integer", maximum: 9 } }), sizes({ additionalProperties: false })] },
    NARROWS,
    ["undecided", "breaking"],
  ),
  schemaRow(
    "an alternative that overlaps another becomes wider",
    "minimum",
    { oneOf: [{ type: "integer" }, { type: "number", minimum: 5 }] },
    { oneOf: [{ type: "integer" }, { type: "number", minimum: 3 }] },
    BOTH,
    BOTH,
  ),
  schemaRow(
    "an excluded schema becomes wider",
    "maximum",
    { type: "integer", not: { maximum: 3 } },
    { type: "integer", not: { maximum: 5 } },
    ["breaking", "undecided"],
    ["undecided", "breaking"],
  ),
];
