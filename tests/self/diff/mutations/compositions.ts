/** Mutations of the alternatives and parts of schemas. */
import type { SchemaLine } from "./mutation.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const object = { type: "object", properties: { a: text } };
const needing = (...names: readonly string[]) => ({ ...object, required: names });
const two = { type: "object", properties: { a: text, b: text } };
const having = (a: object) => ({ type: "object", properties: { a } });

/** Alternatives that all objects match, unless they have a property of another type. */
const KINDS = Array.from({ length: 12 }, (_, at) =>
  having({ type: "object", properties: { [`p${at}`]: integer } }),
);
const OTHER_KIND = having({
  type: "object",
  properties: Object.fromEntries(KINDS.map((_, at) => [`p${at}`, text])),
});

export const COMPOSITIONS: readonly SchemaLine[] = [
  [
    "an alternative differs from each other one in another property",
    "alternative",
    "CB BC",
    { anyOf: KINDS },
    { anyOf: [...KINDS, OTHER_KIND] },
  ],
  ["a part is added to allOf", "required", "BC CB", { allOf: [object] }, { allOf: [object, needing("a")] }],
  [
    "an alternative of anyOf is removed",
    "alternative",
    "BC CB",
    { anyOf: [text, integer] },
    { anyOf: [text] },
  ],
  [
    "an alternative of oneOf is removed",
    "alternative",
    "BC CB",
    { oneOf: [text, integer] },
    { oneOf: [text] },
  ],
  ["a schema becomes one of two", "alternative", "CB BC", text, { oneOf: [text, integer] }],
  [
    "an alternative is narrower",
    "maximum",
    "BC CB",
    { oneOf: [text, integer] },
    { oneOf: [text, { ...integer, maximum: 9 }] },
  ],
  ["an excluded schema", "not", "BC CB", text, { ...text, not: { enum: ["a"] } }],
  [
    "a limit of an alternative whose messages another one allows",
    "maximum",
    "BC CB",
    { anyOf: [having(integer), two] },
    { anyOf: [having({ ...integer, maximum: 9 }), two] },
  ],
  [
    "an alternative requires less than each other one",
    "alternative",
    "CB BC",
    { anyOf: [needing("a", "b")] },
    { anyOf: [needing("a", "b"), needing("a")] },
  ],
  [
    "a schema becomes the only alternative",
    "none",
    "-- --",
    needing("a"),
    { type: "object", oneOf: [needing("a")] },
  ],
  [
    "an alternative is listed twice",
    "none",
    "-- --",
    { anyOf: [text, integer] },
    { anyOf: [text, integer, text] },
  ],
  ["the order of alternatives", "none", "-- --", { anyOf: [text, integer] }, { anyOf: [integer, text] }],
];
