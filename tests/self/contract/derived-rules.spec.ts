/** Rules do not depend on how a document writes one meaning: null beside a schema, or keywords beside a reference. */
import { expect, test } from "@playwright/test";
import type { JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { OPEN_NULL, withoutNull } from "../../../helpers/contract/schemas/keywords.ts";
import { rulesIn } from "../../../helpers/contract/schemas/rule-walk.ts";
import { otherBodyIn } from "../../../helpers/trials/other-body.ts";
import { QUICK } from "../support/lanes.ts";

const OWNER = { type: "object", required: ["who"], properties: { who: { type: "string", maxLength: 9 } } };
const SCHEMAS = { Owner: OWNER };
const REF = { $ref: "#/components/schemas/Owner" };

const rulesOf = (schema: JsonSchema): Rule[] => {
  const ids = { base: "post.request", string: "post.request.type", other: "post.request.type" };
  const fixed = { operationId: "post", direction: "request" } as const;
  const walk = { schemas: SCHEMAS, fill: (id: string) => id, ids };
  return rulesIn(walk, schema, { level: "documented", fixed });
};

const named = (schema: JsonSchema): string[] =>
  rulesOf(schema)
    .filter(({ alternative }) => alternative === undefined)
    .map(({ pointer, keyword, value }) => `${pointer} ${keyword} ${JSON.stringify(value)}`)
    .sort();

/** Schemas that null fits beside the owner. */
const NULLABLE: readonly JsonSchema[] = [
  { ...OWNER, type: ["object", "null"] },
  { anyOf: [REF, { type: "null" }] },
  { oneOf: [{ const: null }, REF] },
  { anyOf: [{ enum: [null] }, OWNER] },
  { anyOf: [{ allOf: [REF] }, { type: "null" }] },
  { anyOf: [{ type: "null", [OPEN_NULL]: true }, { allOf: [REF] }] },
];

for (const schema of NULLABLE)
  test(`the rules of ${JSON.stringify(schema)} are those of its object`, QUICK, () => {
    expect(named(schema)).toEqual(named(NULLABLE[0] ?? {}));
    expect(named(schema)).toContain("/who maxLength 9");
  });

test("keywords of another type than the value's are no rules", QUICK, () => {
  const items = { type: "string", format: "uuid" };
  expect(named({ type: "string", items })).toEqual(named({ type: "string" }));
});

test("null fits the values of a schema that is written beside it", QUICK, () => {
  const nothing = { type: "null" };
  expect(named({ anyOf: [{ const: "x" }, nothing] })).toEqual([' enum ["x",null]']);
  expect(named({ oneOf: [nothing, { type: "string", enum: ["x"] }] })).toEqual([
    ' enum ["x",null]',
    ' type ["string","null"]',
  ]);
  expect(named({ anyOf: [{ type: "string", maxLength: 2 }, { type: "integer" }, nothing] })).toEqual([]);
});

test("a text never states null", QUICK, () => {
  for (const schema of NULLABLE.filter((one) => one.oneOf === undefined))
    expect(JSON.stringify(withoutNull(schema))).not.toContain("null");
  const nullable = {
    type: "object",
    properties: { word: { anyOf: [{ type: "string" }, { type: "null" }] } },
  };
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data"])
    expect(otherBodyIn({ [type]: nullable })?.schema).toEqual({
      type: "object",
      properties: { word: { anyOf: [{ type: "string" }] } },
    });
});

test("keywords beside a reference hold together with those of its target", QUICK, () => {
  const more = { properties: { age: { type: "integer", minimum: 1 } }, required: ["age"] };
  expect(named({ ...REF, ...more })).toEqual(named({ allOf: [OWNER, more] }));
});

test("a property is required if another part of its schema requires it", QUICK, () => {
  const { required, ...open } = OWNER;
  expect(named({ ...open, allOf: [{ required }] })).toEqual(named(OWNER));
});
