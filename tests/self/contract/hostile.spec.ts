/** Broken or hostile documents: each is refused in one line that names the place, by every command that reads it. */
import { expect, test } from "@playwright/test";
import { readProviderDocument } from "../../../helpers/contract/provider/provider-document.ts";
import { run } from "../support/command.ts";
import { REF, readsDocuments, schemas, written } from "./hostile-documents.ts";

readsDocuments(readProviderDocument);

test("every command refuses a document with the same message, and without a stack", async () => {
  const path = await written("broken.yaml", schemas("A:", "  allOf:", `    - ${REF}`));
  const given = ["--service", "installments", "--contract", `installments=${path}`];
  const ended = await Promise.all([
    run("certify", given),
    run("certify", [...given, "--plan"]),
    run("mock", given),
    run("mutation", given),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  expect(new Set(ended.map(({ stderr }) => stderr)).size).toBe(1);
  expect(ended[0]?.stderr.trim().split("\n")).toHaveLength(1);
});
