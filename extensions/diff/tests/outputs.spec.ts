/** The outputs of a diff for build servers and code hosts, and documents in git. */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { linesIn } from "../../../helpers/contract/documents/line-of.ts";
import { run, temporary } from "../../../tests/self/support/command.ts";
import { renderDiffMarkdown } from "../rendering/markdown.ts";
import { renderDiffText } from "../rendering/terminal.ts";
import {
  asRequest,
  asResponse,
  diffOf,
  documentFrom,
  filesOf,
  operation,
  pairOf,
} from "./small-documents.ts";

const schema = (maxLength: number, more: object = {}) => ({
  type: "object",
  properties: { name: { type: "string", maxLength }, ...more },
});
const OLD = documentFrom(asRequest(schema(9, { other: { type: "string" } })));

test("each entry has the line of the nearest part that the document has", () => {
  const document = documentFrom(
    operation(
      { parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }] },
      { components: { schemas: { Page: schema(5, { list: { type: "array", items: schema(3) } }) } } },
    ),
  );
  const { text } = document.source;
  const lines = text.split("\n").map((line) => line.trim());
  const lineOf = linesIn(text, document.root);
  const textAt = (owner: string, part: string, pointer: string, keyword?: string) =>
    lines[lineOf({ owner, part, pointer, ...(keyword && { keyword }) }).line - 1]?.split(":")[0];
  expect(textAt("schema Page", "", "/list/*/name")).toBe('"name"');
  expect(textAt("schema Page (was List)", "", "/none")).toBe('"properties"');
  expect(textAt("schema Page", "", "/pages/*/list/*/name", "maxLength")).toBe('"maxLength"');
  expect(textAt("POST /things", "query limit", "", "type")).toBe('"type"');
  expect(textAt("POST /things", "query limit", "")).toBe('"schema"');
  expect(textAt("POST /things", "response 200", "")).toBe('"200"');
  expect(textAt("DELETE /things", "", "")).toBe('"/things"');
  expect(textAt("the document", "", "")).toBe("{");
});

test("Markdown shows a long message in full, in a fence that the message cannot close", () => {
  const long = `|${"`".repeat(4)}${"x".repeat(600)}`;
  const diff = diffOf(
    ...pairOf([["a"], ["a", long]], (values) => documentFrom(asResponse({ enum: values }))),
  );
  const body = JSON.stringify(diff.entries[0]?.judged[0]?.witness?.message.body);
  expect(body.length).toBeGreaterThan(600);
  const markdown = renderDiffMarkdown(diff);
  expect(markdown).toContain(`  ${body}\n`);
  expect(markdown).toMatch(/value added: .*\\\|/);
  const fence = /^ {2}(`+)http$/m.exec(markdown)?.[1] ?? "";
  expect(body).not.toContain(fence);
  expect(renderDiffText(diff, { color: false })).not.toContain(body);
});

test("the command fails for undecided entries when it is asked to", async () => {
  const files = await filesOf(OLD, documentFrom(asRequest(schema(9))));
  const failing = (failOn: string) => run("diff", [...files, "--fail-on", failOn, "--format", "github"]);
  const ended = await Promise.all(["breaking", "undecided", "changed"].map(failing));
  expect(ended.map(({ code }) => code)).toEqual([0, 1, 1]);
});

test("a document in git is read with the files that it refers to", async () => {
  const folder = resolve(await temporary());
  await mkdir(join(folder, "api"));
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Small", version: "1" },
    ...asResponse({ $ref: "name.json#/Name" }),
  });
  const write = (maxLength: number) =>
    writeFile(join(folder, "api/name.json"), JSON.stringify({ Name: { type: "string", maxLength } }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: folder });
  git("init", "--quiet");
  await Promise.all([writeFile(join(folder, "api/openapi.json"), document), write(5)]);
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
  await write(9);
  const diff = (old: string) =>
    run("diff", [old, join(folder, "api/openapi.json")], { GIT_DIR: join(folder, ".git") });
  const [found, missing, wrong] = await Promise.all(
    ["git:HEAD:api/openapi.json", "git:HEAD:none.json", "git:none"].map(diff),
  );
  expect(found?.stdout).toContain("maximum length widened from 5 to 9");
  expect([found?.code, missing?.code, wrong?.code]).toEqual([0, 2, 2]);
  expect(missing?.stderr).toMatch(/^git:HEAD:none\.json:1: git: path 'none\.json' does not exist in 'HEAD'/);
  expect(wrong?.stderr).toMatch(/^git:none:1: it is not of the form git:REVISION:path/);
});
