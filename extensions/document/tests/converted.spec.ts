/** Documents of other styles become contracts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { convert } from "../reading/convert.ts";

const converted = async (parts: object) => {
  const file = join(await temporary(), "openapi.json");
  const info = { title: "Notes", version: "1" };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, ...parts }));
  return convert("notes", file);
};

test("references in extensions are left alone, and paths and ids are completed", QUICK, async () => {
  const responses = { 200: { description: "ok" }, "4XX": { description: "wrong" } };
  const document = {
    "x-topics": [{ content: { $ref: "./none.md" } }],
    paths: {
      "/notes/{note}": { get: { operationId: "same", responses }, put: { operationId: "same", responses } },
    },
  };
  const { root, operations } = await converted(document);
  expect(operations.map(({ operationId }) => operationId)).toEqual(["same", "putNotesNote"]);
  const { get } =
    (root.paths as Record<string, Record<string, Record<string, unknown>>>)["/notes/{note}"] ?? {};
  expect(get?.parameters).toMatchObject([{ name: "note", in: "path", required: true, "x-resource": "note" }]);
  expect(Object.keys(get?.responses ?? {})).toEqual(["200", "400", "404"]);
});

test("an enumeration without values is left out of its schema, with the reason", QUICK, async () => {
  const schema = { type: "string", enum: [], minLength: 2 };
  const parameters = [{ name: "word", in: "query", schema }];
  const responses = { 200: { description: "ok" } };
  const { root } = await converted({ paths: { "/words": { get: { parameters, responses } } } });
  expect(atPointer(root, "/paths/~1words/get/parameters/0/schema")).toEqual({
    type: "string",
    minLength: 2,
    "x-untried": { enum: { value: [], reason: "the list has no values, so nothing would fit it" } },
  });
});
