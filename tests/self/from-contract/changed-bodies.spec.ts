/** A body that shows a change of the document differs from its control in one value: a strict server may refuse any other. */
import { expect, test } from "@playwright/test";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { changedBodies } from "../../../helpers/trials/from-contract/changed-bodies.ts";
import { contextOf } from "../generate/generating.ts";

const text: JsonSchema = { type: "string" };
const object = (properties: object, more: object = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});

const bodiesOf = (before: JsonSchema, now: JsonSchema, valid: unknown, witness: unknown) => {
  const { validate } = createValidator({ schemas: {} });
  const [{ pointer = "", keyword = "" } = {}] = validate(now, witness);
  return changedBodies(valid, {
    ...{ witness, pointer, keyword, schema: now, generation: contextOf({}), seed: 1 },
    before: (body) => validate(before, body),
    now: (body) => validate(now, body),
  });
};

const optional = (size: object) =>
  object({ name: text, parcel: object({ code: text, size }, { required: ["size"] }) });
const list = (maxItems: number) => object({ ids: { type: "array", items: text, maxItems } });
const pair = object({ a: text, name: text });
const ways = (...kinds: readonly string[]) => ({
  oneOf: kinds.map((kind) => object({ kind: { const: kind }, name: text }, { required: ["kind"] })),
});
const card = object({ card: text, code: text }, { required: ["card", "code"], additionalProperties: false });
const bank = object(
  { bank: text, owner: text },
  { required: ["bank", "owner"], additionalProperties: false },
);

for (const [about, before, now, valid, witness, edited, control] of [
  [
    "a value of the body",
    object({ name: text }),
    object({ name: { ...text, maxLength: 2 } }),
    { name: "Jo", city: "Rome" },
    { name: "aaa" },
    { name: "aaa", city: "Rome" },
    { name: "Jo", city: "Rome" },
  ],
  [
    "a value in an optional part, whose other values the control has too",
    optional(text),
    optional({ enum: ["S"] }),
    { name: "Jo" },
    { parcel: { code: "unknown", size: "a" } },
    { name: "Jo", parcel: { code: "unknown", size: "a" } },
    { name: "Jo", parcel: { code: "unknown", size: "S" } },
  ],
  [
    "the length of a list",
    list(3),
    list(2),
    { ids: ["known"] },
    { ids: ["x", "x", "x"] },
    { ids: ["x", "x", "x"] },
    { ids: ["x", "x"] },
  ],
  [
    "a condition of the whole body",
    pair,
    { ...pair, minProperties: 2 },
    { a: "known", name: "Jo" },
    { a: "unknown" },
    { a: "known" },
    { a: "known", name: "Jo" },
  ],
  [
    "an alternative that one value chooses",
    ways("a", "b"),
    ways("a"),
    { kind: "a", name: "Jo" },
    { kind: "b", name: "unknown" },
    { kind: "b", name: "Jo" },
    { kind: "a", name: "Jo" },
  ],
] as const) {
  test(`it shows ${about}`, () => {
    expect(bodiesOf(before, now, valid, witness)).toEqual({ edited, base: control });
  });
}

test("nothing is sent of a change that several values show", () => {
  const [valid, witness] = [
    { card: "c", code: "1" },
    { bank: "a", owner: "a" },
  ];
  const bodies = () => bodiesOf({ oneOf: [card, bank] }, { oneOf: [card] }, valid, witness);
  expect(bodies).toThrow("differs from valid ones in several values");
});
