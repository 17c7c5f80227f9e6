/** A control whose own values are at the tested limit is moved inside it, because a server may refuse the limit everywhere. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { pairsInside } from "../../../helpers/trials/from-contract/inside-limits.ts";
import { contextOf } from "../generate/generating.ts";

const WALLET: JsonSchema = { type: "integer", minimum: 1, maximum: 3 };
const CODE: JsonSchema = { type: "string", minLength: 3, maxLength: 4 };
const BODY: JsonSchema = {
  type: "object",
  properties: {
    wallets: { type: "array", items: WALLET, maxItems: 3 },
    code: CODE,
    kind: { enum: ["A", "B"] },
  },
};

const CALL = { operationId: "made-up" };
const generation = contextOf({});
const requests = {
  generation,
  schemaOf: () => BODY,
  samples: () => fc.constant({ control: CALL, probe: CALL }),
};

const rule = (pointer: string, keyword: string, value: unknown, schema: JsonSchema): Rule => ({
  requirement: "made-up.request.shape",
  operationId: "made-up",
  direction: "request",
  pointer,
  keyword,
  value,
  schema,
  level: "documented",
});

const controlsOf = (tested: Rule, rules: readonly Rule[], base: object): unknown[] => {
  const pairs = [{ base, edit: { pointer: "/code", value: "abc" }, edited: base }];
  const inside = pairsInside(tested, rules, requests, pairs);
  return inside === undefined ? [] : fc.sample(inside, { numRuns: 1 }).map((pair) => pair.base);
};

for (const [tested, base, control] of [
  [rule("/wallets/*", "maximum", 3, WALLET), { wallets: [1, 3, 3] }, { wallets: [1, 2, 2] }],
  [rule("/wallets/*", "minimum", 1, WALLET), { wallets: [1, 2] }, { wallets: [2, 2] }],
  [rule("/code", "minLength", 3, CODE), { code: "abc" }, { code: "abcc" }],
  [rule("/code", "maxLength", 4, CODE), { code: "abcd" }, { code: "abc" }],
  [rule("/wallets", "maxItems", 3, BODY), { wallets: [1, 2, 3] }, { wallets: [1, 2] }],
  [rule("/kind", "enum-value", "A", { enum: ["A", "B"] }), { kind: "A" }, { kind: "B" }],
] as const) {
  test(`a control at the limit of ${tested.keyword} is moved inside`, () => {
    expect(controlsOf(tested, [tested], base)).toEqual([control]);
  });
}

test("values at the limits of other rules of the requirement are moved inside too", () => {
  const short = rule("/code", "minLength", 3, CODE);
  const other = rule("/name", "minLength", 1, { type: "string", minLength: 1 });
  expect(controlsOf(short, [short, other], { code: "abc", name: "x" })).toEqual([
    { code: "abcc", name: "xx" },
  ]);
});

test("a control without a value at the limit stays, and so does a value without another valid one", () => {
  const largest = rule("/wallets/*", "maximum", 3, WALLET);
  expect(controlsOf(largest, [largest], { wallets: [1, 2] })).toEqual([]);
  const only = rule("/kind", "enum-value", "C", { enum: ["C", "D"] });
  expect(controlsOf(only, [only], { kind: "C" })).toEqual([]);
});
