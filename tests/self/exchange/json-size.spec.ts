/** The size of a text of JSON equals the size of its parsed form. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { jsonSize } from "../../../helpers/exchange/json-size.ts";

const sizeOf = (value: unknown): ReturnType<typeof jsonSize> => {
  const large = typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER ? 1 : 0;
  if (typeof value !== "object" || value === null)
    return { names: 0, widest: 1, longest: 1, levels: 0, large };
  const children: readonly unknown[] = Object.values(value);
  const below = children.map(sizeOf);
  const isList = Array.isArray(value);
  const most = (part: keyof ReturnType<typeof jsonSize>, own: number) =>
    Math.max(part === "levels" ? 0 : 1, own, ...below.map((size) => size[part]));
  return {
    names: below.reduce((sum, { names }) => sum + names, isList ? 0 : children.length),
    widest: most("widest", isList ? 1 : children.length),
    longest: most("longest", isList ? children.length : 1),
    levels: 1 + most("levels", 0),
    large: below.reduce((sum, size) => sum + size.large, 0),
  };
};

for (const indent of [0, 2]) {
  test(`a text with an indent of ${indent} has the size of its value`, () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const text = JSON.stringify(parsed, null, indent);
        expect(jsonSize(Buffer.from(text))).toEqual(sizeOf(parsed));
        expect(jsonOf(Buffer.from(`[${text}]`)).oddities ?? []).toEqual([]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
}

test("large numbers count, wherever they stand and however they are written", () => {
  for (const text of ["9007199254740993", "-9007199254740993", "1e400", "-1E+16", "9007199254740991.5e1"])
    for (const around of [text, `[${text}]`, `{"a" : ${text} }`, `[0,${text},1.5]`])
      expect([around, jsonSize(Buffer.from(around)).large]).toEqual([around, 1]);
  for (const text of [
    "9007199254740991",
    "-1",
    "1e15",
    "0.12345678901234567",
    '"9007199254740993"',
    "1e-400",
  ])
    expect([text, jsonSize(Buffer.from(`[${text}]`)).large]).toEqual([text, 0]);
});

test("the end of a long text is found, whatever is escaped in it", () => {
  const parts = ["x".repeat(63), "\\", '"', "\\\\", ',"a":[', "x"];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.array(texts), (value) => {
      expect(jsonSize(Buffer.from(JSON.stringify(value)))).toEqual(sizeOf(value));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("signs of JSON within texts don't count", () => {
  const text = String.raw`{"a:{[,":"\"}]:,\\","b\\":["\\\"",":"]}`;
  expect(jsonSize(Buffer.from(text))).toEqual(sizeOf(JSON.parse(text)));
});

test("a name twice is an observation, however it is written", () => {
  for (const text of ['{"a":1,"a":2}', '{"a" :1, "\\u0061"\n:2}', '[{"b":{"x":1,"x":1}}]'])
    expect(jsonOf(Buffer.from(text)).oddities).toEqual(["a name twice"]);
});
