/** Broken, hostile and large documents: the diff refuses what a contract refuses, with the same message. */
import { expect, test } from "@playwright/test";
import { readProviderDocument } from "../../../helpers/contract/provider/provider-document.ts";
import { REF, readsDocuments, schemas, written } from "../../../tests/self/contract/hostile-documents.ts";
import { run } from "../../../tests/self/support/command.ts";
import { LONG } from "../../../tests/self/support/lanes.ts";
import { readApiDocument } from "../document/read.ts";

readsDocuments(readProviderDocument, (path) => {
  const document = readApiDocument(path);
  expect(document.operations).toHaveLength(1);
  return document;
});

test("the command refuses a document with the message of other commands, and without a stack", async () => {
  const path = await written("broken.yaml", schemas("A:", "  allOf:", `    - ${REF}`));
  const given = ["--service", "installments", "--contract", `installments=${path}`, "--plan"];
  const ended = await Promise.all([run("diff", [path, path]), run("certify", given)]);
  expect(ended.map(({ code }) => code)).toEqual([2, 2]);
  expect(ended[0]?.stderr).toBe(ended[1]?.stderr);
});

test("a document of 60 MB is read and compared", LONG, async () => {
  const property = { type: "string", maxLength: 5, description: "words ".repeat(50) };
  const schema = {
    type: "object",
    properties: Object.fromEntries([...Array(30).keys()].map((at) => [`p${at}`, property])),
  };
  const names = [...Array(5900).keys()].map((at) => `S${at}`);
  const answering = (name: string) => {
    const content = { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
    return { get: { responses: { "200": { description: "ok", content } } } };
  };
  const document = (first: object) => ({
    openapi: "3.0.3",
    info: { title: "Large", version: "1" },
    paths: Object.fromEntries(names.map((name) => [`/${name}`, answering(name)])),
    components: { schemas: { ...Object.fromEntries(names.map((name) => [name, schema])), S0: first } },
  });
  const [base = "", revision = ""] = [schema, { ...schema, required: ["p0"] }].map((first) =>
    JSON.stringify(document(first)),
  );
  expect(Buffer.byteLength(base)).toBeGreaterThan(59 * 2 ** 20);
  const files = await Promise.all([written("old.json", base), written("new.json", revision)]);
  const { code, stdout } = await run("diff", files);
  expect(code).toBe(0);
  expect(stdout).toContain("0 breaking, 0 undecided, 1 compatible");
});
