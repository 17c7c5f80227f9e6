/**
 * The values of the sandbox. Made values fit their schema by the validator of the checks, which shares no code with it; an
 * answer shows the values of its request; and JSON is read up to a depth.
 */
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { FORMAT_SAMPLES } from "../../../helpers/contract/schemas/format-samples.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { besideSent, sentIn } from "../../../mocks/engine/sent-values.ts";
import type { Validators } from "../../../mocks/engine/validators.ts";
import { completerOf } from "../../../mocks/engine/values/complete.ts";
import { flattener } from "../../../mocks/engine/values/flat-schema.ts";
import { parsedJson } from "../../../mocks/engine/values/parsed-json.ts";

const CHAIN = "#/components/schemas/Chain";
const SCHEMAS = {
  Chain: {
    type: "object",
    required: ["value", "next"],
    properties: {
      value: { type: "integer" },
      next: { anyOf: [{ $ref: CHAIN }, { type: "null" }] },
      others: { type: "array", items: { $ref: CHAIN } },
    },
  },
};

/** Formats of times without a zone are made for no document of the services. */
const UNMADE = /^iso-(?:date-)?time$/;

const complete = completerOf(SCHEMAS, 1, 1_700_000_000);
const validator = createValidator({ schemas: SCHEMAS });

for (const format of Object.keys(FORMAT_SAMPLES).filter((name) => !UNMADE.test(name))) {
  test(`a value of the format ${format} is one`, () => {
    const schema = { type: /^int/.test(format) ? "integer" : "string", format };
    expect(validator.validate(schema, complete(schema, undefined, "key"))).toEqual([]);
  });
}

test("null ends a component that requires itself", () => {
  const made = complete({ $ref: CHAIN }, undefined, "key");
  expect(validator.validate({ $ref: CHAIN }, made)).toEqual([]);
  expect(made).toMatchObject({ next: { next: null } });
});

test("a given value is shown at any depth", () => {
  const chain = (depth: number): object => ({
    value: depth,
    next: depth === 0 ? null : chain(depth - 1),
    others: [],
  });
  const nested = (depth: number): object => ({
    ...{ value: depth, next: null },
    others: depth === 0 ? [] : [nested(depth - 1)],
  });
  for (const given of [chain(30), nested(30)]) expect(complete({ $ref: CHAIN }, given, "key")).toEqual(given);
});

const DETAILS = { type: "object", required: ["rhythm"], properties: { rhythm: { type: "string" } } };
const ANSWER = {
  type: "object",
  required: ["wanted", "grade"],
  properties: {
    wanted: { type: "object", required: ["details"], properties: { details: DETAILS } },
    grade: { type: "string", "x-example": "fine" },
    name: { type: "string" },
  },
};

const sent = (body: unknown) =>
  sentIn(
    {
      operation: {} as Operation,
      path: {},
      body,
      validators: { flatten: flattener({}) } as unknown as Validators,
    },
    ANSWER,
  );

test("a sent object is shown within another object, and a sent text only at its own level", () => {
  expect(sent({ details: { rhythm: "weekly" }, rhythm: "daily", name: "Ada" })).toEqual({
    wanted: { details: { rhythm: "weekly" } },
    name: "Ada",
  });
});

test("known values take precedence over sent ones at each place", () => {
  const known = { wanted: { by: "us" }, name: undefined };
  expect(besideSent(known, sent({ details: { rhythm: "weekly" }, name: "Ada" }))).toEqual({
    wanted: { by: "us", details: { rhythm: "weekly" } },
    name: undefined,
  });
});

test("a required field without a known value gets the example of the document", () => {
  expect(complete(ANSWER, { wanted: { details: { rhythm: "weekly" } } }, "key", "required")).toEqual({
    wanted: { details: { rhythm: "weekly" } },
    grade: "fine",
  });
});

const brackets = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("500 levels are read, and one more is refused", () => {
  expect(parsedJson(brackets(500))).toEqual(JSON.parse(brackets(500)));
  expect(() => parsedJson(brackets(501))).toThrow(SyntaxError);
  expect(() => parsedJson(`${'{"a":['.repeat(251)}${"]}".repeat(251)}`)).toThrow("more than 500 levels");
});

test("many brackets are read if few of them are open at once, or if they are in a text", () => {
  const rows = JSON.stringify(Array.from({ length: 2_000 }, () => ({ list: [1], text: '"[{' })));
  const text = JSON.stringify('[{"'.repeat(1_000));
  expect([parsedJson(rows), parsedJson(text)]).toEqual([JSON.parse(rows), JSON.parse(text)]);
});

test("an object is converted to a text, even if a field has the name of a conversion", () => {
  for (const json of ['{"toString":1}', '[{"valueOf":null,"toString":{}}]', '{"\\u0074oString":1}'])
    expect(String(parsedJson(json)), json).toBe("[object]");
});
