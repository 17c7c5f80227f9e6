/** How the sandbox reads the JSON of clients. */
import { expect, test } from "@playwright/test";
import { parsedJson } from "../../../mocks/engine/values/parsed-json.ts";

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("500 levels are read, and one more is refused", () => {
  expect(parsedJson(nested(500))).toEqual(JSON.parse(nested(500)));
  expect(() => parsedJson(nested(501))).toThrow(SyntaxError);
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
