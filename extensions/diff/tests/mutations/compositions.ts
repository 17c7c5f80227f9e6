/** Mutations of the alternatives and parts of schemas. */
import { completed, type Json, type SchemaLine } from "./mutation.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const upTo9 = { ...integer, maximum: 9 };
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

/** So many that a draft of one of them seldom lacks what the others require. */
const DEMANDING = KINDS.slice(4).map((_, at) => ({ ...two, required: ["a", "b"], maxProperties: 9 + at }));

export const COMPOSITIONS: readonly SchemaLine[] = [
  ...completed((anyOf: readonly Json[]) => ({ anyOf }))([
    [
      "an alternative differs from each other one in another property",
      "alternative",
      "CB BC",
      KINDS,
      [...KINDS, OTHER_KIND],
    ],
    ["an alternative of anyOf is removed", "alternative", "BC CB", [text, integer], [text]],
    [
      "a limit of an alternative whose messages another one allows",
      "maximum",
      "BC CB",
      [having(integer), two],
      [having(upTo9), two],
    ],
    [
      "an alternative requires less than each other one",
      "alternative",
      "CB BC",
      DEMANDING,
      [...DEMANDING, needing("a")],
    ],
    ["an alternative is listed twice", "none", "-- --", [text, integer], [text, integer, text]],
    ["the order of alternatives", "none", "-- --", [text, integer], [integer, text]],
  ]),
  ["a part is added to allOf", "required", "BC CB", { allOf: [object] }, { allOf: [object, needing("a")] }],
  ...completed((oneOf: readonly Json[]) => ({ oneOf }))([
    ["an alternative of oneOf is removed", "alternative", "BC CB", [text, integer], [text]],
    ["an alternative is narrower", "maximum", "BC CB", [text, integer], [text, upTo9]],
  ]),
  ["a schema becomes one of two", "alternative", "CB BC", text, { oneOf: [text, integer] }],
  ["an excluded schema", "not", "BC CB", text, { ...text, not: { enum: ["a"] } }],
  [
    "a schema becomes the only alternative",
    "none",
    "-- --",
    needing("a"),
    { type: "object", oneOf: [needing("a")] },
  ],
];
