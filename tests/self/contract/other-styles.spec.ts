/** Documents of other styles: media types of JSON, bodies that are not JSON, and references that lead to nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { jsonTypeIn } from "../../../helpers/contract/media-type.ts";
import { otherBodyIn } from "../../../helpers/trials/other-body.ts";
import { withoutParameter, writtenQuery } from "../../../helpers/trials/written-parameter.ts";
import { convert } from "../../../runner/document/convert.ts";
import { temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

test("the media type of JSON is found among others", QUICK, () => {
  for (const [types, found] of [
    [["text/csv", "application/json"], "application/json"],
    [["application/xml", "application/vnd.api+json"], "application/vnd.api+json"],
    [["application/json; charset=utf-8"], "application/json; charset=utf-8"],
    [["application/problem+json", "application/json"], "application/json"],
    [["*/*"], "*/*"],
    [["application/jsonpath", "text/plain"], undefined],
    [[], undefined],
  ] as const) {
    expect(jsonTypeIn(types)).toBe(found);
  }
});

test("forms, texts and files are written in the first media type that can be", QUICK, () => {
  const form = otherBodyIn({
    "application/xml": {},
    "application/x-www-form-urlencoded": { type: "object" },
  });
  expect(form?.write({ name: "a b", tags: ["x", "y"], deep: { z: 1 } })).toEqual({
    body: "name=a+b&tags=x&tags=y&deep=%7B%22z%22%3A1%7D",
    contentType: "application/x-www-form-urlencoded",
  });
  const parts = otherBodyIn({ "multipart/form-data": { type: "object" } })?.write({ file: "text" });
  const [, boundary = ""] = /boundary=(.+)$/.exec(parts?.contentType ?? "") ?? [];
  expect(parts?.body).toBe(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"\r\n\r\ntext\r\n--${boundary}--\r\n`,
  );
  const text = otherBodyIn({ "text/plain": {} });
  expect(text?.schema).toEqual({ type: "string" });
  expect(text?.write("text")).toEqual({ body: "text", contentType: "text/plain" });
  const file = { type: "object", properties: { file: { type: "string", format: "binary" } } };
  expect(
    otherBodyIn({ "application/xml": {}, "image/png": {}, "multipart/form-data": file }),
  ).toBeUndefined();
});

test("lists and objects in a query are written as the document says", QUICK, () => {
  const rows = [
    [undefined, [1, 2], { ids: "1,2" }],
    ["repeated", [1, 2], { ids: ["1", "2"] }],
    ["spaces", [1, 2], { ids: "1 2" }],
    ["pipes", [1, 2], { ids: "1|2" }],
    ["repeated", 1, { ids: "1" }],
    ["deep-object", { name: "x", tags: ["a", "b"] }, { "ids[name]": "x", "ids[tags]": "a,b" }],
    ["json", { name: "x" }, { ids: '{"name":"x"}' }],
    ["pipes", [], {}],
  ] as const;
  for (const [written, value, query] of rows)
    expect(writtenQuery({ name: "ids", ...(written && { written }) }, value)).toEqual(query);
  const query = { "ids[name]": "x", ids: "1", other: "2" };
  expect(withoutParameter(query, { name: "ids", written: "deep-object" })).toEqual({ other: "2" });
});

test("references in extensions are left alone, and paths and ids are completed", QUICK, async () => {
  const file = join(await temporary(), "openapi.json");
  const responses = { 200: { description: "ok" }, "4XX": { description: "wrong" } };
  const document = {
    openapi: "3.1.0",
    info: { title: "Notes", version: "1" },
    "x-topics": [{ content: { $ref: "./none.md" } }],
    paths: {
      "/notes/{note}": { get: { operationId: "same", responses }, put: { operationId: "same", responses } },
    },
  };
  writeFileSync(file, JSON.stringify(document));
  const { root, operations } = convert("notes", file);
  expect(operations.map(({ operationId }) => operationId)).toEqual(["same", "putNotesNote"]);
  const { get } =
    (root.paths as Record<string, Record<string, Record<string, unknown>>>)["/notes/{note}"] ?? {};
  expect(get?.parameters).toMatchObject([{ name: "note", in: "path", required: true, "x-resource": "note" }]);
  expect(Object.keys(get?.responses ?? {})).toEqual(["200", "400", "404"]);
});
