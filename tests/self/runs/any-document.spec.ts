/** `--document`: commands for any API, from its OpenAPI document, without folders in the project. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { artifactsOf } from "../support/artifacts.ts";
import { certify, type Mock, ROOT, run, startMock } from "../support/command.ts";
import { closeAll, web } from "../support/loopback.ts";

const DOCUMENT = fileURLToPath(new URL("./any-service/payments.yaml", import.meta.url));
const FAULT = "payments.postPayments.success.failing";

/** Starts a sandbox of the document. */
const served = async (...more: string[]): Promise<Mock & { readonly base: string; readonly key: string }> => {
  const mock = await startMock(["--document", DOCUMENT, ...more]);
  return {
    ...mock,
    base: mock.baseUrls.payments ?? "",
    key: mock.credentials.PAYMENTS_BEARER ?? "",
  };
};

test.afterEach(closeAll);

const HEADER = ["--header", "Authorization: $PAYMENTS_TOKEN"];

test("a server is certified by its document, and nothing is written into the project", async () => {
  const mock = await served();
  const { code, certificate, out } = await certify(["--document", DOCUMENT, "--url", mock.base, ...HEADER], {
    PAYMENTS_TOKEN: mock.key,
  });
  await mock.stop();
  expect(code).toBe(0);
  expect(certificate).toMatchObject({
    target: { name: "payments", embedded: false, baseUrls: { payments: mock.base } },
    depth: "standard",
    outcome: "certified",
    summary: { failed: 0, blocked: 0 },
  });
  expect(certificate.summary.passed).toBeGreaterThan(10);
  const showing = (await artifactsOf(out)).filter(({ text }) => text.includes(mock.key));
  expect(showing.map(({ path }) => path)).toEqual([]);
  expect(
    ["schemas", "mocks", "tests"].filter((folder) => existsSync(join(ROOT, folder, "payments"))),
  ).toEqual([]);
});

test("a finding names the document in its command, and replay shows it again", async () => {
  const mock = await served("--fault", FAULT);
  const args = ["--document", DOCUMENT, "--url", mock.base, ...HEADER];
  const { code, certificate, out } = await certify([...args, "--operation", "postPayments"], {
    PAYMENTS_TOKEN: mock.key,
  });
  expect(code).toBe(1);
  const [finding] = certificate.findings;
  expect(finding?.replay).toContain(
    `certify -- --document ${DOCUMENT} --url ${mock.base} --header "Authorization: $PAYMENTS_TOKEN" --requirement `,
  );
  const replayed = await run("replay", [join(out, "certificate.json"), finding?.id ?? "", ...args], {
    PAYMENTS_TOKEN: mock.key,
  });
  await mock.stop();
  expect(replayed).toMatchObject({ code: 1, stdout: expect.stringContaining("The finding occurs again.") });
});

test("a document is read from an address, with its other files and its server", async () => {
  const mock = await served();
  const text = await readFile(DOCUMENT, "utf8");
  const asked: string[] = [];
  const address = await web(({ url = "" }, response) => {
    asked.push(url);
    if (url === "/api/openapi.yaml")
      response.end(
        text
          .replace(/^servers:.*\n(?: .*\n|- .*\n)*/m, "")
          .replace(
            /^paths:/m,
            `servers:\n  - url: "{base}"\n    variables:\n      base: { default: "${mock.base}" }\npaths:`,
          )
          .replaceAll("#/components/schemas/", "parts/schemas.yaml#/components/schemas/"),
      );
    else if (url === "/api/parts/schemas.yaml") response.end(text);
    else response.writeHead(404).end();
  });
  const { code, certificate } = await certify(
    ["--document", `${address}/api/openapi.yaml`, ...HEADER, "--depth", "quick"],
    { PAYMENTS_TOKEN: mock.key },
  );
  await mock.stop();
  expect(code).toBe(0);
  expect(certificate.target.baseUrls).toEqual({ api: mock.base });
  expect(new Set(asked)).toEqual(new Set(["/api/openapi.yaml", "/api/parts/schemas.yaml"]));
});

test("an answer like an example that breaks its own schema is an advisory, not a failure", async () => {
  const mock = await served();
  const document = test.info().outputPath("payments.yaml");
  const text = await readFile(DOCUMENT, "utf8");
  await writeFile(document, text.replace("{ enum: [up, down] }", "{ type: boolean, example: up }"));
  const args = ["--document", document, "--url", mock.base, "--operation", "getHealth", ...HEADER];
  const { certificate } = await certify([...args, "--depth", "quick"], { PAYMENTS_TOKEN: mock.key });
  await mock.stop();
  expect(certificate.summary).toMatchObject({ failed: 0, advisory: 1 });
  expect(certificate.findings[0]?.message).toMatch(
    /^state must be boolean, but the document contradicts itself/,
  );
});

const ITEMS = `
openapi: 3.1.0
info: { title: Items, version: 1.0.0 }
paths:
  /items/{itemId}:
    get:
      operationId: getItem
      parameters: [{ name: itemId, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: The item., content: { application/json: { schema: { type: object } } } }
        "400": { description: No identifier. }
        "404": { description: Unknown. }
`;

for (const [what, longer, verdict] of [
  ["answers 404 to a longer one", 404, "passed"],
  ["refuses a longer one otherwise", 400, "not-tried"],
  ["accepts a longer one too", 200, "failed"],
] as const) {
  test(`a server that knows every short identifier, and ${what}`, async () => {
    const document = test.info().outputPath("items.yaml");
    await writeFile(document, ITEMS);
    const url = await web((request, response) => {
      const isShort = /^\/items\/\d$/.test(request.url ?? "");
      const status = isShort ? 200 : longer;
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    const id = "items.getItem.unknown-itemId";
    const args = ["--document", document, "--url", url, "--id", "item=5", "--requirement", id];
    const { certificate } = await certify(args);
    expect(certificate.requirements.find((one) => one.id === id)?.verdict).toBe(verdict);
  });
}

const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [["--document"], /^error: option .--document <file\|url>. argument missing/],
  [["--document", "none.yaml", "--url", "http://127.0.0.1:9"], /none\.yaml.*there is no such file/],
  [["--document", DOCUMENT, "--url", "here"], /"here" is not an http or https URL/],
  [
    ["--document", DOCUMENT, "--url", "http://127.0.0.1:9", "--header", "Authorization: $NONE"],
    /^--header: there is no variable NONE/,
  ],
  [
    ["--document", DOCUMENT, "--url", "http://127.0.0.1:9", "--header", "no header"],
    /^--header: write it as 'Name: value'/,
  ],
  [
    ["--document", DOCUMENT, "--url", "http://127.0.0.1:9", "--id", "paymnt=1"],
    /^--id paymnt: no path of the document needs|^--id: there is no "paymnt"/,
  ],
];

for (const [args, message] of WRONG) {
  test(`one line explains: certify ${args.map((one) => (one === DOCUMENT ? "FILE" : one)).join(" ")}`, async () => {
    const { code, stderr } = await run("certify", args);
    expect(code).toBe(2);
    expect(stderr.trim()).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
}
