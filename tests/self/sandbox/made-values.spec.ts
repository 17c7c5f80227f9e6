/** Values that the sandbox makes fit their schema by the validator of the checks, which shares no code with it. */
import { expect, test } from "@playwright/test";
import { FORMAT_SAMPLES } from "../../../helpers/contract/format-samples.ts";
import { createValidator } from "../../../helpers/contract/schema-validator.ts";
import { completerOf } from "../../../mocks/engine/values/complete.ts";
import { QUICK } from "../support/lanes.ts";

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
  test(`a value of the format ${format} is one`, QUICK, () => {
    const schema = { type: /^int/.test(format) ? "integer" : "string", format };
    expect(validator.validate(schema, complete(schema, undefined, "key"))).toEqual([]);
  });
}

test("null ends a component that requires itself", QUICK, () => {
  const made = complete({ $ref: CHAIN }, undefined, "key");
  expect(validator.validate({ $ref: CHAIN }, made)).toEqual([]);
  expect(made).toMatchObject({ next: { next: null } });
});

test("a given value is shown at any depth", QUICK, () => {
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
