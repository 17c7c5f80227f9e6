/** Documents of other styles: media types of JSON, bodies that are not JSON, and references that lead to nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { answerRequirements } from "../../../helpers/contract/operation-requirements.ts";
import { readProviderDocument } from "../../../helpers/contract/provider/provider-document.ts";
import { expressionOf } from "../../../helpers/contract/schemas/expressions.ts";
import { otherBodyIn } from "../../../helpers/trials/other-body.ts";
import { writtenAlone } from "../../../helpers/trials/written-parameter.ts";
import { temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

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

test("a body with a file is not written, and what has none is", QUICK, () => {
  const file = { type: "object", properties: { file: { type: "string", format: "binary" } } };
  const referred = { type: "object", properties: { inner: { $ref: "#/components/schemas/Inner" } } };
  for (const [Inner, isWritten] of [
    [{ type: "string" }, true],
    [{ properties: { again: referred } }, true],
    [file, false],
    [{ type: "string", contentMediaType: "image/png" }, false],
  ] as const)
    expect(otherBodyIn({ "multipart/form-data": referred }, { Inner }) !== undefined).toBe(isWritten);
  expect(
    otherBodyIn({ "application/xml": {}, "image/png": {}, "multipart/form-data": file }),
  ).toBeUndefined();
});

test("a list in one text, and an object, are written with the name in a style of matrices", QUICK, () => {
  expect(writtenAlone({ name: "ids", written: "matrix" }, [1, 2])).toBe(";ids=1,2");
  expect(writtenAlone({ name: "ids", written: "matrix-exploded" }, { x: 1, k: "a" })).toBe(";x=1;k=a");
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
