/** `--document`: commands for any API, from its OpenAPI document, without folders in the project. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { artifactsOf } from "../../../tests/self/support/artifacts.ts";
import {
  certify,
  type Mock,
  outcomeOf,
  ROOT,
  run,
  shell,
  startMock,
} from "../../../tests/self/support/command.ts";
import { closeAll, web } from "../../../tests/self/support/loopback.ts";
import { atServer } from "../reading/servers.ts";
import { KEYS, toolLibrary } from "./documents/tool-library.ts";

const DOCUMENT = fileURLToPath(new URL("./documents/payments.yaml", import.meta.url));
const TOOLS = fileURLToPath(new URL("./documents/tool-library.yaml", import.meta.url));

/** Starts a sandbox of the document. */
const served = async (...more: string[]): Promise<Mock & { readonly base: string; readonly key: string }> => {
  const mock = await startMock(["--document", DOCUMENT, ...more]);
  return {
    ...mock,
    base: mock.baseUrls.payments ?? "",
    key: mock.credentials.PAYMENTS_BEARER ?? "",
  };
};

let right: ReturnType<typeof served> | undefined;
/** Returns the sandbox without faults that the tests of this file share. */
const servedRight = (): ReturnType<typeof served> => {
  right ??= served();
  return right;
};

test.afterEach(closeAll);
test.afterAll(async () => {
  await (await right)?.stop();
  right = undefined;
});

const [TOKEN, PASSWORD] = ["t0ken-of-the-documents", "p4ssword-of-ann"];

const HEADER = ["--header", "Authorization: $PAYMENTS_TOKEN"];

test("credentials for a log-in are sent to the server that is certified, if the document names its own server", () => {
  const root = {
    servers: [{ url: "https://api.example.com/v1/" }, { url: "https://{region}.example.com" }],
  };
  const base = "http://127.0.0.1:1/base";
  const sentTo = (address: string): string => atServer(root, address, base);
  expect(sentTo("https://api.example.com/v1/oauth/token")).toBe(`${base}/oauth/token`);
  expect(sentTo("https://api.example.com/oauth/token?tenant=1")).toBe(
    "http://127.0.0.1:1/oauth/token?tenant=1",
  );
  expect(sentTo("oauth/token")).toBe(`${base}/oauth/token`);
  expect(sentTo("https://login.example.test/token")).toBe("https://login.example.test/token");
});

test("a server is certified by its document, and nothing is written into the project", async () => {
  const mock = await servedRight();
  const key = ["--key", "bearer=$PAYMENTS_TOKEN"];
  const { code, certificate, out } = await certify(["--document", DOCUMENT, "--url", mock.base, ...key], {
    PAYMENTS_TOKEN: mock.key,
  });
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

test("a finding names the document, the place and the promise that was broken, and replay shows it again", async () => {
  const faults = [
    "postPayments.parameter.Idempotency-Key.max-length.not-enforced",
    "getHealth.response.state.enum.outside-enum",
  ];
  const mock = await served(...faults.flatMap((one) => ["--fault", `payments.${one}`]));
  const args = ["--document", DOCUMENT, "--url", mock.base, ...HEADER];
  const selection = ["--operation", "postPayments,getHealth", "--depth", "quick"];
  const keys = { PAYMENTS_TOKEN: mock.key };
  const { code, certificate, out, stdout } = await certify([...args, ...selection], keys);
  expect(code).toBe(1);
  const words = "a client error that is not about credentials, time or rate";
  const finding = certificate.findings.find(({ requirement }) => requirement.endsWith("Key.max-length"));
  expect(finding).toMatchObject({
    message: "Idempotency-Key: one character too long was accepted",
    also: [expect.stringMatching(/^Idempotency-Key: .* was accepted$/)],
    expected: `refused with ${words}`,
    promise: `A request is refused with ${words} unless its header parameter Idempotency-Key has at most 64 characters.`,
  });
  const body = "payments.getHealth.response.body";
  const whole = certificate.findings.find(({ requirement }) => requirement === body);
  expect(whole).toMatchObject({
    promise: "The body of a 200 response fits its schema.",
    actual: expect.stringMatching(/^"/),
  });
  expect(stdout).toMatch(/also breaks +payments\.getHealth\.response\.body/);
  expect(await readFile(join(out, "junit.xml"), "utf8")).toContain(
    `file="${relative(process.cwd(), DOCUMENT)}"`,
  );
  const [{ results }] = JSON.parse(await readFile(join(out, "certificate.sarif"), "utf8")).runs;
  const lines = (await readFile(DOCUMENT, "utf8")).split("\n");
  for (const { ruleId, locations } of results) {
    const { artifactLocation, region } = locations[0].physicalLocation;
    expect(artifactLocation).toEqual({ uri: relative(process.cwd(), DOCUMENT) });
    const found = lines[region.startLine - 1]?.slice(region.startColumn - 1);
    const states = /^enum: \[up, down\]|^type: object, required: \[state\]/;
    expect(found).toMatch(ruleId.endsWith("max-length") ? /^maxLength: 64/ : states);
  }
  expect(finding?.replay).toContain(
    `certify -- --document ${DOCUMENT} --url ${mock.base} --header 'Authorization: $PAYMENTS_TOKEN' --requirement `,
  );
  const [, next = ""] = /^next {2}(.*)$/m.exec(stdout) ?? [];
  const again = { code: 1, stdout: expect.stringContaining("The finding occurs again.") };
  expect(await outcomeOf(shell(next, keys))).toMatchObject(again);
  const file = join(out, "certificate.json");
  const bare = await run("replay", [file, finding?.id ?? ""], keys);
  await mock.stop();
  expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining("with --document") });
  const wanted = ["--certificate", file, "--verdict", "failed", "--format", "json"];
  const listed = await run("requirements", wanted);
  const failed = certificate.requirements.filter(({ verdict }) => verdict === "failed").map(({ id }) => id);
  expect(JSON.parse(listed.stdout)).toMatchObject(failed.map((id) => ({ id, verdict: "failed" })));
  const others = await run("requirements", ["--certificate", file, "--document", TOOLS]);
  expect(others).toMatchObject({ code: 2, stderr: expect.stringContaining("has no verdict") });
});

test("a document is read from an address, with its other files and its server", async () => {
  const mock = await servedRight();
  const text = await readFile(DOCUMENT, "utf8");
  const asked: string[] = [];
  const address = await web(({ url = "" }, response) => {
    asked.push(url);
    if (url === `/docs?token=${TOKEN}`) response.writeHead(302, { location: "/api/openapi.yaml" }).end();
    else if (url === "/api/openapi.yaml")
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
  const secret = `${address.replace("//", `//ann:${PASSWORD}@`)}/docs?token=`;
  const given = { PAYMENTS_TOKEN: mock.key, TOKEN };
  const ended = [];
  for (const token of [TOKEN, "$TOKEN"])
    ended.push(await certify(["--document", secret + token, ...HEADER, "--depth", "quick"], given));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  const [{ certificate, out } = { certificate: {} as never, out: "" }] = ended;
  expect(certificate.document?.slice(0, 2)).toEqual(["--document", `${address}/docs?token=$TOKEN`]);
  const showing = (await artifactsOf(out)).filter(({ text }) =>
    [TOKEN, PASSWORD].some((one) => text.includes(one)),
  );
  expect(showing.map(({ path }) => path)).toEqual([]);
  expect(certificate.target.baseUrls).toEqual({ api: mock.base });
  expect(new Set(asked)).toEqual(
    new Set([`/docs?token=${TOKEN}`, "/api/openapi.yaml", "/api/parts/schemas.yaml"]),
  );
});

test("an answer like an example that breaks its own schema is an advisory, not a failure", async () => {
  const mock = await servedRight();
  const document = test.info().outputPath("payments.yaml");
  const text = await readFile(DOCUMENT, "utf8");
  await writeFile(document, text.replace("{ enum: [up, down] }", "{ type: boolean, example: up }"));
  const args = ["--document", document, "--url", mock.base, "--operation", "getHealth", ...HEADER];
  const { certificate } = await certify([...args, "--depth", "quick"], { PAYMENTS_TOKEN: mock.key });
  expect(certificate.summary).toMatchObject({ failed: 0, advisory: 1 });
  expect(certificate.findings[0]?.message).toMatch(
    /^state must be boolean, but the document contradicts itself/,
  );
});

for (const [source, operation, keys] of [
  ["logIn", "getMe", ["user=$ANN", "password=$PASSWORD"]],
  ["machine", "getStatistics", ["client_id=$CLIENT", "client_secret=$SECRET"]],
] as const) {
  test(`a token comes from ${source}, is renewed when it is refused, and is never written`, async () => {
    const { url, requests, secrets } = await toolLibrary();
    const given = keys.flatMap((key) => ["--key", key]);
    const { code, certificate, out } = await certify(
      ["--document", TOOLS, "--url", url, `--token-from=${source}`, ...given, "--operation", operation],
      KEYS,
    );
    expect(code).toBe(0);
    const tried = certificate.requirements.filter(({ id }) => id.startsWith(`tool-library.${operation}.`));
    expect(tried.map(({ verdict }) => verdict)).toEqual(tried.map(() => "passed"));
    expect(requests.filter((one) => one.startsWith("POST ")).length).toBeGreaterThan(1);
    expect(secrets.length).toBeGreaterThan(2);
    const showing = (await artifactsOf(out)).filter(({ text }) => secrets.some((one) => text.includes(one)));
    expect(showing.map(({ path }) => path)).toEqual([]);
  });
}

const HOSTILE: readonly (readonly [what: string, path: string, message: RegExp])[] = [
  ["leads to another server", "/away", /is redirected to http:\/\/127\.0\.0\.2:1\/: give that address\.$/],
  ["leads to itself", "/loop", /is redirected again and again\.$/],
  ["has 0 bytes", "/empty.yaml", /^http:.*\/empty\.yaml:1:1: .*the input is empty/],
  ["is a page", "/page", /it is a page: give the address of the OpenAPI document itself\.$/],
  ["is Swagger 2.0", "/swagger.json", /OpenAPI 2\.0 is not supported.* convert it: npx swagger2openapi/s],
  ["has a server without a value", "/variable.json", /names no server with a complete address/],
];

for (const [what, path, message] of HOSTILE) {
  test(`one line explains: an address whose document ${what}`, async () => {
    const paths = { "/a": { get: { responses: { "200": { description: "" } } } } };
    const documents: Readonly<Record<string, unknown>> = {
      "/empty.yaml": "",
      "/page": "<!doctype html><p>API</p>",
      "/swagger.json": { swagger: "2.0", paths },
      "/variable.json": { openapi: "3.0.0", info: {}, servers: [{ url: "http://127.0.0.1/{base}" }], paths },
    };
    const address = await web(({ url = "" }, response) => {
      const location = url === "/away" ? "http://127.0.0.2:1/" : url === "/loop" ? url : undefined;
      if (location !== undefined) response.writeHead(302, { location });
      const text = documents[url] ?? "";
      response.end(typeof text === "string" ? text : JSON.stringify(text));
    });
    const { code, stderr } = await run("certify", ["--document", `${address}${path}`]);
    expect(code).toBe(2);
    expect(stderr.trim()).toMatch(message);
    expect(stderr).toMatch(/^(?:assay\.config\.yaml: .*\n)?.*\n$/);
  });
}

test("the advice about a gateway that refuses everything names options of the command", async () => {
  const url = await web((_, response) => response.writeHead(403).end());
  const { code, stdout } = await run("certify", ["--document", DOCUMENT, "--url", url, ...HEADER], {
    PAYMENTS_TOKEN: "unknown",
  });
  expect(code).toBe(2);
  expect(stdout).toContain(
    "refused with 403: correct --header 'Authorization: …'; if a gateway asks for another header or key, give it with --header",
  );
  expect(stdout).not.toMatch(/PAYMENTS_\w+_KEY/);
});

const GIVEN = ["--document", DOCUMENT, "--url", "http://127.0.0.1:9"];
const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [["--document"], /^error: option .--document <file\|url>. argument missing/],
  [["--document", "none.yaml", "--url", "http://127.0.0.1:9"], /none\.yaml.*there is no such file/],
  [["--document", DOCUMENT, "--url", "here"], /"here" is not an http or https URL/],
  [[...GIVEN, "--header", "Authorization: $NONE"], /^--header: there is no variable NONE/],
  [[...GIVEN, "--header", "no header"], /^--header: write it as 'Name: value'/],
  [[...GIVEN, "--id", "paymnt=1"], /^--id: there is no "paymnt"\. Did you mean payment\?/],
  [[...GIVEN, "--key", "baerer=x"], /^--key: there is no "baerer"\. Did you mean bearer\?/],
  [[...GIVEN, "--token-from=logIn"], /token-from: there is no log-in operation, .*, named "logIn"/],
];

for (const [args, message] of WRONG) {
  test(`one line explains: certify ${args.map((one) => (one === DOCUMENT ? "FILE" : one)).join(" ")}`, async () => {
    const { code, stderr } = await run("certify", args);
    expect(code).toBe(2);
    expect(stderr.trim()).toMatch(message);
    expect(stderr).toMatch(/^(?:assay\.config\.yaml: .*\n)?.*\n$/);
  });
}
