/** The command `npm run diff`: invalid documents, exit codes, filters and output. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { run, temporary } from "../../../tests/self/support/command.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { readApiDocument } from "../document/read.ts";
import { ofContract, touchedOperations } from "../touched.ts";
import { asResponse, diffOf, documentFrom, filesOf, pairOf } from "./small-documents.ts";

const BROKEN: readonly (readonly [about: string, text: string, says: RegExp])[] = [
  ["no YAML", "a: [1", /broken\.yaml:1:\d+: .*Correct the syntax/s],
  ["no OpenAPI", "swagger: '2.0'\n", /broken\.yaml:1:1 \(top\): OpenAPI 2\.0 is not supported/],
  [
    "a reference to nothing",
    'openapi: 3.1.0\npaths:\n  /a:\n    get:\n      parameters:\n        - $ref: "#/components/parameters/None"\n',
    /broken\.yaml:6:11 \(\/paths\/~1a\/get\/parameters\/0\): \$ref "#\/components\/parameters\/None" names nothing in the document/,
  ],
  [
    "a limit that is not a number",
    "openapi: 3.1.0\npaths: {}\ncomponents:\n  schemas:\n    A:\n      type: string\n      maxLength: many\n",
    /broken\.yaml:7:7 \(\/components\/schemas\/A\/maxLength\): `maxLength` has to be a non-negative integer/,
  ],
];

for (const [about, text, says] of BROKEN) {
  test(`an invalid document is named with line and pointer: ${about}`, async () => {
    const path = join(await temporary(), "broken.yaml");
    await writeFile(path, text);
    expect(() => readApiDocument(path)).toThrow(says);
  });
}

const written = () =>
  filesOf(...pairOf([["a"], ["a", "b"]], (values) => documentFrom(asResponse({ enum: values }))));

test("the command prints the diff and exits by --fail-on", QUICK, async () => {
  const [base = "", revision = ""] = await written();
  const [plain, failing, back] = await Promise.all([
    run("diff", [base, revision, "--format", "json"]),
    run("diff", [base, revision, "--fail-on", "breaking"]),
    run("diff", [revision, base, "--fail-on", "breaking"]),
  ]);
  expect([plain.code, failing.code, back.code]).toEqual([0, 1, 0]);
  expect(JSON.parse(plain.stdout)).toMatchObject({ format: "diff/1", summary: { breaking: 1 } });
  expect(failing.stdout).toContain("✗ breaking  POST /things response 200: value added");
});

test("the command complains and exits with 2, and describes itself", async () => {
  const [base = "", revision = ""] = await written();
  const [missing, format, same, help] = await Promise.all([
    run("diff", [base, `${revision}.none`]),
    run("diff", [base, revision, "--format", "html"]),
    run("diff", [base, base, "--fail-on", "changed"]),
    run("diff", ["--help"]),
  ]);
  expect([missing.code, format.code, same.code, help.code]).toEqual([2, 2, 0, 0]);
  expect(missing.stderr).toContain("there is no such file");
  expect(help.stdout).toMatch(/^Usage: npm run diff -- .*<old> <new>/);
});

test("with a service, only changes that affect its contract are listed", async () => {
  const contract = await loadContract("card-enrollment");
  const [{ method, path, operationId } = { method: "", path: "", operationId: "" }] = contract.operations;
  const body = (maxLength: number) => ({
    requestBody: { content: { "application/json": { schema: { type: "string", maxLength } } } },
    responses: { "200": { description: "ok" } },
  });
  const pair = pairOf([9, 5], (maxLength) =>
    documentFrom({
      paths: {
        [`${contract.basePath}${path}`]: { [method.toLowerCase()]: body(maxLength) },
        "/elsewhere": { post: body(maxLength) },
      },
    }),
  );
  const all = diffOf(...pair);
  const left = ofContract(all, contract);
  expect([all.summary.breaking, left.summary.breaking]).toEqual([2, 1]);
  expect(touchedOperations(all, contract)).toEqual([operationId]);
});
