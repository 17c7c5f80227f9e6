/** Texts that state another content are that content: a server that decodes them refuses others. */
import { expect, test } from "@playwright/test";
import { isObject } from "../../../helpers/contract/json.ts";
import { translateSchema } from "../../../helpers/contract/schemas/dialect.ts";
import { dataMaker } from "../../../helpers/generate/data.ts";
import { QUICK } from "../support/lanes.ts";

const JSON_TEXT = { contentMediaType: "application/json" };

const dataOf = (schema: object): unknown => {
  const dialect = { is30: false, document: {} } as unknown as Parameters<typeof translateSchema>[0];
  const translated = translateSchema(dialect, schema, "");
  return isObject(translated) ? translated["x-data"] : undefined;
};

for (const [schema, data, read] of [
  [{ contentEncoding: "base64" }, "base64", (text: string) => Buffer.from(text, "base64").toString("base64")],
  [{ ...JSON_TEXT }, "json", (text: string) => JSON.parse(text) && text],
  [
    { contentEncoding: "base64url", ...JSON_TEXT },
    "base64-json",
    (text: string) => JSON.parse(Buffer.from(text, "base64url").toString()) && text,
  ],
] as const) {
  test(`a text with ${JSON.stringify(schema)} is ${data}`, QUICK, () => {
    expect(dataOf({ type: ["string", "null"], ...schema })).toBe(data);
    expect(dataOf({ type: "object", ...schema })).toBeUndefined();
    for (const leaf of [0, 1, 2, 3]) {
      const text = String(dataMaker(data)?.make({ person: 1, leaf }));
      expect(read(text)).toBe(text);
    }
  });
}

test("a text of another content, or of none, has no such data", QUICK, () => {
  expect(dataOf({ type: "string" })).toBeUndefined();
  expect(dataOf({ type: "string", contentMediaType: "text/html" })).toBeUndefined();
});
