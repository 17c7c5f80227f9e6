/** Documents of other styles: media types of JSON, bodies that are not JSON, and references that lead to nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { jsonTypeIn } from "../../../helpers/contract/media-type.ts";
import { answerRequirements } from "../../../helpers/contract/operation-requirements.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { readProviderDocument } from "../../../helpers/contract/provider/provider-document.ts";
import { expressionOf } from "../../../helpers/contract/schemas/expressions.ts";
import { itemsIn, writtenForm } from "../../../helpers/contract/written-form.ts";
import { otherBodyIn, withField } from "../../../helpers/trials/other-body.ts";
import { withoutParameter, writtenAlone, writtenQuery } from "../../../helpers/trials/written-parameter.ts";
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

test("an answer of any media type has no requirement about it", QUICK, () => {
  const requirementsOf = (...mediaTypes: string[]): string[] => {
    const responses = { 200: { status: 200, content: {}, headers: {}, mediaTypes } };
    const operation = { operationId: "list", service: "any", hazards: [], refusalHazards: [], responses };
    return answerRequirements(operation as unknown as Operation, "any.yaml", "documented").map(
      ({ id }) => id,
    );
  };
  expect(requirementsOf("application/json")).toEqual(["any.list.response.media-type"]);
  expect(requirementsOf("application/json", "*/*")).toEqual([]);
});

test("forms, texts and files are written in the first media type that can be", QUICK, () => {
  const form = otherBodyIn({
    "application/xml": {},
    "application/x-www-form-urlencoded": { type: "object" },
  });
  expect(form?.write({ name: "a b", tags: ["x", "y"], deep: { z: 1 } })).toMatchObject({
    body: "name=a+b&tags=x&tags=y&deep=%7B%22z%22%3A1%7D",
    contentType: "application/x-www-form-urlencoded",
  });
  const field = {
    name: "tags",
    in: "form",
    required: false,
    schema: {},
    level: "documented",
    requirements: {},
  } as const;
  const piped = otherBodyIn({ "application/x-www-form-urlencoded": {} }, {}, [
    { ...field, written: "pipes" },
  ]);
  const sent = piped?.write({ name: "a", tags: ["x", "y"] });
  expect(sent?.body).toBe("name=a&tags=x%7Cy");
  expect(withField(sent ?? { body: "" }, { name: "tags", written: "repeated" }, [], [1, 2]).body).toBe(
    "name=a&tags=1&tags=2",
  );
  expect(withField(sent ?? { body: "" }, { name: "name" }, [], undefined).body).toBe("tags=x%7Cy");
  const parts = otherBodyIn({ "multipart/form-data": { type: "object" } })?.write({ file: "text" });
  const [, boundary = ""] = /boundary=(.+)$/.exec(parts?.contentType ?? "") ?? [];
  expect(parts?.body).toBe(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"\r\n\r\ntext\r\n--${boundary}--\r\n`,
  );
  const json = otherBodyIn({ "multipart/form-data": { type: "object" } })?.write({ meta: { n: 1 } });
  expect(json?.body).toContain(`name="meta"\r\ncontent-type: application/json\r\n\r\n{"n":1}\r\n`);
  const file = { type: "object", properties: { file: { type: "string", format: "binary" } } };
  const referred = { type: "object", properties: { inner: { $ref: "#/components/schemas/Inner" } } };
  for (const [Inner, isWritten] of [
    [{ type: "string" }, true],
    [{ properties: { again: referred } }, true],
    [file, false],
    [{ type: "string", contentMediaType: "image/png" }, false],
  ] as const)
    expect(otherBodyIn({ "multipart/form-data": referred }, { Inner }) !== undefined).toBe(isWritten);
  const text = otherBodyIn({ "text/plain": {} });
  expect(text?.schema).toEqual({ type: "string" });
  expect(text?.write("text")).toEqual({ body: "text", contentType: "text/plain" });
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
  const alone = [
    ["pairs", { x: 1, k: "a" }, "x,1,k,a"],
    ["assignments", { x: 1, k: "a" }, "x=1,k=a"],
    ["label", "red", ".red"],
    ["label", [1, 2], ".1.2"],
    ["label-of-one", [1], ".1"],
    ["matrix", [1, 2], ";ids=1,2"],
    ["matrix-exploded", [1, 2], ";ids=1;ids=2"],
    ["matrix-exploded", { x: 1, k: "a" }, ";x=1;k=a"],
  ] as const;
  for (const [written, value, text] of alone)
    expect(writtenAlone({ name: "ids", written }, value)).toBe(text);
  for (const [written, text] of [
    ["label", ".1.2"],
    ["label-of-one", ".1.2"],
    ["label-of-one", ".1,2"],
    ["matrix", ";ids=1,2"],
    ["matrix-exploded", ";ids=1;ids=2"],
    ["pipes", "1|2"],
    ["commas", "1,2"],
  ] as const)
    expect(itemsIn(text, written)).toEqual(["1", "2"]);
  expect(writtenForm({ in: "path", style: "simple" }, "array")).toBe("commas");
  expect(writtenForm({ in: "path", style: "label" }, "array")).toBe("label-of-one");
  expect(writtenAlone({ name: "ids", written: "commas" }, [1, 2])).toBe("1,2");
  const query = { "ids[name]": "x", ids: "1", other: "2" };
  expect(withoutParameter(query, { name: "ids", written: "deep-object" })).toEqual({ other: "2" });
});

test("only regular expressions of ECMA-262 are read, with the flag u or without it", QUICK, () => {
  for (const pattern of ["^a$", "\\\\p{Alpha}", "\\p{L}", "^[\\w-.]+$", "\\-", "^\\d{2}]$", "{a}", "(?<=a)b"])
    expect(expressionOf(pattern), pattern).toBeInstanceOf(RegExp);
  for (const pattern of [
    "(?i)a",
    "a++",
    "\\Aa\\Z",
    "[[:alpha:]]",
    "[a-z&&[^b]]",
    "a{,5}",
    "(?>a)",
    "\\p{Punct}",
    "^\\p{Alpha}+$",
    "[]a]",
  ])
    expect(expressionOf(pattern), pattern).toBeUndefined();
});

test("what depends on a keyword that is left out is left out too", QUICK, async () => {
  const file = join(await temporary(), "openapi.json");
  const foreign = { type: "string", pattern: "(?i)a" };
  const schemas = {
    Foreign: foreign,
    One: { oneOf: [{ $ref: "#/components/schemas/Foreign" }, { type: "string", maxLength: 3 }] },
    None: { type: "string", not: foreign },
    Names: { type: "object", patternProperties: { "\\Aa": { type: "string" } }, additionalProperties: false },
  };
  const info = { title: "Left out", version: "1" };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, paths: {}, components: { schemas } }));
  const read = readProviderDocument(file).document.root.components as { schemas: Record<string, object> };
  expect(read.schemas.One).toMatchObject({ anyOf: [expect.anything(), expect.anything()] });
  const left = { One: "oneOf", None: "not", Names: "additionalProperties", Foreign: "pattern" };
  for (const [name, keyword] of Object.entries(left)) {
    expect(read.schemas[name]).not.toHaveProperty(keyword);
    expect(read.schemas[name]).toHaveProperty(["x-untried", keyword]);
  }
});

test("references within other files, encoded names and merge keys are read", QUICK, async () => {
  const folder = await temporary();
  mkdirSync(join(folder, "api"));
  mkdirSync(join(folder, "common parts"));
  const file = join(folder, "api", "openapi.yaml");
  writeFileSync(
    file,
    `openapi: 3.0.3
info: { title: Trees, version: "1" }
x-shared: &shared { type: object, required: [id] }
paths:
  /trees:
    get:
      responses:
        "200":
          description: ok
          content: { application/json: { schema: { $ref: "../common%20parts/trees.yaml#/schemas/Tree" } } }
components: { schemas: { Merged: { <<: *shared, minProperties: 1 } } }
`,
  );
  writeFileSync(
    join(folder, "common parts", "trees.yaml"),
    "schemas:\n  Name: { type: string }\n  Tree: { type: object, properties: { name: { $ref: '#/schemas/Name' }, inner: { $ref: '#/schemas/Tree' } } }\n",
  );
  expect(() => readProviderDocument(file)).toThrow(/leaves the folder of the document.*"root: DIR"/);
  const { root } = readProviderDocument(file, folder).document;
  expect(atPointer(root, "/components/schemas/Merged")).toEqual({
    type: "object",
    required: ["id"],
    minProperties: 1,
  });
  const tree = atPointer(root, "/paths/~1trees/get/responses/200/content/application~1json/schema");
  expect(tree).toMatchObject({
    properties: { name: { type: "string" }, inner: { $ref: expect.any(String) } },
  });
});
