/** A change of a rule that another rule of the same place makes ineffective is not a fault. */
import { expect, test } from "@playwright/test";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { changesNothing } from "../../../mocks/engine/deviations/equivalent.ts";
import type { SchemaEdit } from "../../../mocks/engine/values/schema-edit.ts";

const TWO_LETTERS: JsonSchema = { type: "string", pattern: "^[a-z]{2}$", minLength: 2, maxLength: 2 };
const LARGE: JsonSchema = { type: "integer", format: "int64", minimum: 0, maximum: 2 ** 63 };

const ODD: JsonSchema = { type: "string", pattern: "^(?:ab)+x$", maxLength: 20 };

const ROWS: readonly (readonly [string, JsonSchema, SchemaEdit, boolean])[] = [
  ["a pattern without its end, in a full text", TWO_LETTERS, { set: "pattern", to: "^[a-z]{2}" }, true],
  ["no pattern", TWO_LETTERS, { drop: "pattern" }, false],
  ["one character more than the pattern has", TWO_LETTERS, { set: "maxLength", to: 3 }, true],
  ["one character more", { type: "string", maxLength: 3 }, { set: "maxLength", to: 4 }, false],
  ["a maximum that the format has too", LARGE, { drop: "maximum" }, true],
  ["a lower maximum", LARGE, { set: "maximum", to: 2 ** 62 }, false],
  ["a format of all numbers", { type: "number", format: "double" }, { drop: "format" }, true],
  ["a format of some texts", { type: "string", format: "uuid" }, { drop: "format" }, false],
  ["a maximum for a text", { type: "string", maximum: 9 }, { drop: "maximum" }, true],
  ["a limit that no known text reaches", ODD, { set: "maxLength", to: 21 }, false],
  ["fewer choices", { type: "string", enum: ["A", "B"] }, { set: "enum", to: ["A"] }, false],
  ["a change of an object", { type: "object", required: ["a"] }, { drop: "required" }, false],
];

for (const [name, schema, edit, expected] of ROWS) {
  test(`${name}: ${expected ? "nothing changes" : "another value is accepted or refused"}`, () => {
    expect(changesNothing(schema, edit)).toBe(expected);
  });
}
