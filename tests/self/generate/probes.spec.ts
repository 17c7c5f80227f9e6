/** Near-misses and boundaries of every schema keyword, for any contract. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { WHOLE_BODY } from "../../../helpers/contract/rules.ts";
import { applyEdit } from "../../../helpers/generate/edit.ts";
import { isInSecondItem, type ProbeKind, probePairs, probesFor } from "../../../helpers/generate/probes.ts";
import { proveBase, proveNearMiss } from "../../../helpers/generate/proof.ts";
import { checkRulesHold, component, contextOf, TRICKY } from "./generating.ts";

/** Returns the rules of all keywords at one pointer, as the contract would derive them. */
const rulesAt = (pointer: string, schema: JsonSchema, keywords = Object.keys(schema)): Rule[] =>
  keywords.map((keyword) => ({
    requirement: `made-up${pointer.replaceAll("/", ".")}.${keyword}`,
    operationId: "made-up",
    direction: "request",
    pointer,
    keyword,
    value: schema[keyword],
    schema,
    level: "documented",
  }));

test("a list of the most items has them even if its items are often empty", () => {
  const schema = { type: "array", items: { enum: ["A", "B"] }, maxItems: 2 } as const;
  const body = { type: "object", properties: { list: schema } } as const;
  const [rule] = rulesAt("/list", schema, ["maxItems"]);
  const [most] = probesFor(rule as Rule, body, contextOf({})).filter(({ kind }) => kind === "most items");
  const edits = fc.sample(most?.edit ?? fc.constant(undefined), { numRuns: 50, seed: 1 });
  expect(edits.map((edit) => (edit as { value: unknown[] }).value.length)).toEqual(Array(50).fill(2));
});

test("a near-miss in the second item of a list stands beside different items", () => {
  const item = { type: "integer", minimum: 1, maximum: 3 } as const;
  const body = { type: "array", uniqueItems: true, minItems: 2, maxItems: 3, items: item } as const;
  const [rule] = rulesAt("/*", item, ["maximum"]);
  const [second] = probesFor(rule as Rule, body, contextOf({})).filter(isInSecondItem);
  const pairs = probePairs(second as ProbeKind, rule as Rule, body, contextOf({}));
  const bases = fc.sample(pairs, { numRuns: 50, seed: 1 }).map(({ base }) => base as number[]);
  expect(bases.every((base) => new Set(base).size === base.length)).toBe(true);
});

const CONDITION = JSON.parse(
  '{ "if": { "properties": { "kind": { "const": "sale" } } }, "then": { "required": ["invoice"] } }',
) as JsonSchema;

test("a large body is tried with each choice that demands more", () => {
  const names = Array.from({ length: 150 }, (_, index) => `field${index}`);
  const many = Object.fromEntries(names.map((name) => [name, { type: "string", minLength: 1 }]));
  const customs = {
    type: "object",
    required: ["kind"],
    properties: { kind: { enum: ["gift", "sale"] }, invoice: { type: "string" } },
    ...CONDITION,
  };
  const body = { type: "object", required: [...names, "customs"], properties: { ...many, customs } } as const;
  const named = names.flatMap((name) => ["required", "type", "minLength"].map((one) => `/${name} ${one}`));
  const [rule] = rulesAt("", { [WHOLE_BODY]: named }, [WHOLE_BODY]);
  const kinds = probesFor({ ...(rule as Rule), schema: body }, body, contextOf({})).map(({ kind }) => kind);
  expect(kinds).toContainEqual(expect.stringContaining("(#/properties/customs/then/required)"));
});

test.describe("probes of every keyword", () => {
  const cases: readonly [string, JsonSchema, readonly string[]][] = [
    [
      "number limits",
      { type: "number", minimum: 1, maximum: 5 },
      ["too small", "too large", "smallest", "largest"],
    ],
    [
      "exclusive limits",
      { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9 },
      ["too small", "too large", "smallest", "largest"],
    ],
    ["steps", { type: "integer", multipleOf: 4 }, ["between two multiples", "string instead of integer"]],
    ["a constant", { const: "A" }, ["another value"]],
    [
      "items",
      { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 3 },
      ["one item too few", "no items", "one item too many", "most items"],
    ],
    ["unique items", { type: "array", items: { type: "integer" }, uniqueItems: true }, ["an item twice"]],
    [
      "closed objects",
      {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: false,
        minProperties: 1,
      },
      ["property that is not allowed", "no properties"],
    ],
    ["dates", { type: "string", format: "utc-datetime" }, ["another zone", "no such day"]],
    ["UUIDs", { type: "string", format: "uuid" }, ["in braces", "one character short"]],
    [
      "digits",
      { type: "string", pattern: "^[0-9]{4}$" },
      ["plus sign", "letter", "one character short", "one character more"],
    ],
    [
      "words",
      { type: "string", pattern: "^(?:YES|NO)$" },
      ["foreign character at the start", "foreign character at the end"],
    ],
    ["texts that are not blank", { type: "string", pattern: "\\S" }, ["only spaces"]],
    [
      "codes in upper case",
      { type: "string", pattern: "^[A-Z]{3}$" },
      ["other letter case", "digit in place of a letter", "one character short"],
    ],
    [
      "amounts",
      { type: "string", pattern: "^\\d{1,9}\\.\\d{2}$" },
      ["one character short", "one character more", "letter in place of a digit"],
    ],
    [
      "texts of any printable character",
      { type: "string", pattern: "^[ -~]{3,64}$" },
      ["one character short", "one character more"],
    ],
    [
      "texts with a letter or a digit",
      { type: "string", pattern: "[0-9a-zA-Z]" },
      ["number instead of string"],
    ],
    ["integers", { type: "integer", format: "int32" }, ["too large", "fraction instead of integer"]],
  ];

  for (const [title, schema, expected] of cases) {
    test(`are proved for ${title}`, () => {
      const body = {
        type: "object",
        required: ["list"],
        properties: { list: { type: "array", items: { type: "object", properties: { x: schema } } } },
      };
      const context = contextOf({});
      const kinds = rulesAt("/list/*/x", schema).flatMap((rule) => {
        const found = probesFor(rule, body, context);
        for (const kind of found) checkRulesHold(kind, rule, body, context);
        return found.map(({ kind }) => kind);
      });
      expect(kinds).toEqual(expect.arrayContaining([...expected]));
    });
  }

  test("do not use null if null is allowed or the property is optional", () => {
    const context = contextOf(TRICKY);
    const [required, type] = rulesAt("/a", { type: "string", nullable: true }, ["required", "type"]);
    const kinds = [required, type].flatMap((rule) => probesFor(rule as Rule, component("Nullable"), context));
    expect(kinds.filter((kind) => kind.class === "near-miss").map(({ kind }) => kind)).toContain("missing");
    expect(kinds.map(({ kind }) => kind).filter((kind) => kind.startsWith("null"))).toEqual([]);
  });
});

test("a foreign character replaces another one where no more characters fit", () => {
  const schema = { type: "string", pattern: "^[a-z]{2}$", maxLength: 2 };
  const [rule] = rulesAt("/a", schema, ["pattern"]) as [Rule];
  const body: JsonSchema = { type: "object", properties: { a: schema } };
  const foreign = probesFor(rule, body, contextOf({})).filter(({ kind }) => kind.startsWith("foreign"));
  const values = foreign.flatMap(({ edit }) =>
    fc.sample(edit, { seed: 1, numRuns: 5 }).map((one) => ("value" in one ? String(one.value) : "")),
  );
  expect(values).toHaveLength(15);
  expect(values.filter((value) => value.length !== 2 || /^[a-z]{2}$/.test(value))).toEqual([]);
});

for (const [limit, near] of [
  [5, 6],
  [999_999_999_999_999, 1_000_000_000_000_000],
  [2 ** 53, 2 ** 53 + 2],
] as const) {
  test(`the next number after ${limit} is too large`, () => {
    const [rule] = rulesAt("/a", { type: "integer", maximum: limit }, ["maximum"]) as [Rule];
    const body: JsonSchema = { type: "object", properties: { a: rule.schema } };
    const next = probesFor(rule, body, contextOf({})).find(({ kind }) => kind === "too large");
    expect(next && fc.sample(next.edit, 1)).toMatchObject([{ value: near }]);
  });
}

test("limits of single alternatives are tried just beyond them, in a whole body", () => {
  const alternative = (kind: string, values: JsonSchema): JsonSchema => ({
    type: "object",
    required: ["kind", "values"],
    additionalProperties: false,
    properties: { kind: { const: kind }, values },
  });
  const body: JsonSchema = {
    oneOf: [
      alternative("text", { type: "string", minLength: 3, maxLength: 12 }),
      alternative("code", { type: "string", pattern: "^[A-Z]{2}$" }),
      alternative("count", { type: "integer", minimum: 100, maximum: 999 }),
      alternative("weight", { type: "integer", minimum: -1, maximum: 50_000 }),
      alternative("list", { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 4 }),
    ],
  };
  const [rule] = rulesAt("", { ...body, [WHOLE_BODY]: [] }, [WHOLE_BODY]) as [Rule];
  const sent = probesFor(rule, body, contextOf({})).flatMap(({ edit }) => fc.sample(edit, 1));
  const values = sent.flatMap((one) => ("value" in one ? [one.value] : []));
  const lengths = (type: string): unknown[] =>
    values.flatMap((one) =>
      (type === "text" ? typeof one === "string" : Array.isArray(one)) ? [(one as string).length] : [],
    );
  expect([lengths("text"), lengths("list")]).toEqual([
    expect.arrayContaining([2, 13]),
    expect.arrayContaining([1, 5]),
  ]);
  expect(values).toEqual(expect.arrayContaining([99, 1000, -2, 50_001]));
  expect(values).toContainEqual(expect.stringMatching(/^[a-z]{2}$/));
});

test("limits that no text and no list reaches are not tried", () => {
  for (const [keyword, type] of [
    ["maxLength", "string"],
    ["maxItems", "array"],
  ] as const) {
    const [rule] = rulesAt("/a", { type, [keyword]: 2_147_483_647 }, [keyword]) as [Rule];
    expect(probesFor(rule, { type: "object", properties: { a: rule.schema } }, contextOf({}))).toEqual([]);
  }
});

test("a list with too many items has different ones where they must be", () => {
  const schema = {
    type: "array",
    uniqueItems: true,
    maxItems: 3,
    items: { enum: ["a", "b", "c", "d"] },
  } as const;
  const [rule] = rulesAt("/a", schema, ["maxItems"]) as [Rule];
  const kinds = probesFor(rule, { type: "object", properties: { a: schema } }, contextOf({}));
  const many = kinds.find(({ kind }) => kind === "one item too many");
  const edits = fc.sample(many?.edit ?? fc.constant({}), { numRuns: 10, seed: 1 });
  expect(edits.map((edit) => new Set((edit as { value: string[] }).value).size)).toEqual(Array(10).fill(4));
});

test("a whole number between two multiples stays whole", () => {
  const [rule] = rulesAt("/a", { type: "integer", multipleOf: 5 }, ["multipleOf"]) as [Rule];
  const body: JsonSchema = { type: "object", properties: { a: rule.schema } };
  const [between] = probesFor(rule, body, contextOf({}));
  const edits = fc.sample(between?.edit ?? fc.constant({}), { numRuns: 10, seed: 1 });
  expect(edits.map((edit) => Number((edit as { value: number }).value) % 1)).toEqual(Array(10).fill(0));
});

test("a near-miss that the contract allows or that breaks another rule is rejected", () => {
  const [rule] = rulesAt("/a", { maxLength: 3 });
  const body: JsonSchema = { type: "object", properties: { a: { type: "string", maxLength: 3 } } };
  const prove = (base: unknown, value: unknown) => () => {
    const edit = { pointer: "/a", value };
    const pair = { base, edit, edited: applyEdit(base, edit) };
    proveBase(rule as Rule, body, pair, contextOf({}));
    proveNearMiss(rule as Rule, body, pair, contextOf({}));
  };
  expect(prove({ a: "b" }, "four")).not.toThrow();
  expect(prove({ a: "b" }, "abc")).toThrow(/made-up\.a\.maxLength.*"abc".*allows it/);
  expect(prove({ a: "b" }, 4)).toThrow(/breaks type instead/);
  expect(prove({ a: "far too long" }, "four")).toThrow(/base is invalid/);
});
