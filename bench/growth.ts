/** Measures how a run grows with its contract, and how long the page of a large certificate takes to open. */
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import type { Certificate } from "../reports/certificate.ts";
import { readCertificate } from "../reports/certificate-file.ts";
import { renderHtml } from "../reports/html/page.ts";
import { type Measured, measured, measuredRun, ROOT } from "./commands.ts";
import { goalLine, timed } from "./tools.ts";

/** The numbers of operations. */
const SIZES = [10, 100, 1_000];

const OPERATIONS_OF_A_RESOURCE = 5;

/** Folders of a checkout that contain no source. */
const MADE = [".git", "node_modules", "dist", "test-results", "reports/out"];

export const benchGrowth = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), "assay-growth-"));
  try {
    const made = new Set(MADE.map((name) => join(ROOT, name)));
    await cp(ROOT, root, { recursive: true, filter: (source) => !made.has(source) });
    await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
    process.stdout.write("\nGenerated services\n\n");
    let smaller: Grown | undefined;
    for (const size of SIZES) smaller = show(await certified(root, size), smaller);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  await benchPage();
};

interface Grown extends Measured {
  readonly size: number;
  readonly exchanges: number;
}

const certified = async (root: string, size: number): Promise<Grown> => {
  const name = `grown-${size}`;
  const file = join(root, `${name}.json`);
  await writeFile(file, JSON.stringify(documentOf(size)));
  await measured(["run", "--silent", "new-service", "--", name, "--from", file], root);
  return { size, ...(await measuredRun(["--service", name], root)) };
};

/** Shows a run, and its growth since the smaller one: linear growth is at most as large as the contract's. */
const show = (grown: Grown, smaller: Grown | undefined): Grown => {
  const { size, exchanges, cpuSeconds, megabytes } = grown;
  const words = `${size.toLocaleString("en-US")} operations, ${exchanges.toLocaleString("en-US")} exchanges`;
  const lines = [
    goalLine(`${words}: CPU time`, cpuSeconds, { unit: "CPU-s" }),
    goalLine(`${words}: memory of the largest process`, megabytes, { unit: "MB" }),
  ];
  if (smaller !== undefined) {
    const most = size / smaller.size;
    const than = `${words}: more than with ${smaller.size}`;
    lines.push(
      goalLine(`${than}, CPU time`, cpuSeconds / smaller.cpuSeconds, { most, unit: "×" }),
      goalLine(`${than}, memory`, megabytes / smaller.megabytes, { most, unit: "×" }),
    );
  }
  process.stdout.write(`${lines.join("\n")}\n`);
  return grown;
};

/** Returns an OpenAPI document with resources that can be created, listed, read, changed and removed. */
const documentOf = (operations: number) => ({
  openapi: "3.1.0",
  info: { title: "Grown", version: "1.0.0" },
  paths: Object.fromEntries(
    Array.from({ length: operations / OPERATIONS_OF_A_RESOURCE }, (_, index) =>
      resource(`thing${index}`),
    ).flat(),
  ),
});

const resource = (name: string): [string, object][] => {
  const sent = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 40 },
      size: { type: "integer", minimum: 1, maximum: 100 },
      kind: { type: "string", enum: ["small", "large"] },
    },
  };
  const known = {
    ...sent,
    required: ["id", "name"],
    properties: { id: { type: "string" }, ...sent.properties },
  };
  const body = (schema: object) => ({ content: { "application/json": { schema } } });
  const requestBody = { required: true, ...body(sent) };
  const answers = (status: number, schema?: object) => ({
    [status]: { description: "done", ...(schema && body(schema)) },
    400: { description: "invalid" },
    404: { description: "unknown" },
  });
  const parameters = [{ name: `${name}Id`, in: "path", required: true, schema: { type: "string" } }];
  return [
    [
      `/${name}s`,
      {
        get: { operationId: `${name}List`, responses: answers(200, { type: "array", items: known }) },
        post: { operationId: `${name}Create`, requestBody, responses: answers(201, known) },
      },
    ],
    [
      `/${name}s/{${name}Id}`,
      {
        parameters,
        get: { operationId: `${name}Read`, responses: answers(200, known) },
        put: { operationId: `${name}Change`, requestBody, responses: answers(200, known) },
        delete: { operationId: `${name}Remove`, responses: answers(204) },
      },
    ],
  ];
};

const REQUIREMENTS = 10_000;
const FINDINGS = 2_000;
const PAGE_TIMEOUT_MS = 600_000;

/** Opens the page of a certificate with many requirements and findings in a browser. */
const benchPage = async (): Promise<void> => {
  const executablePath = spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout.trim();
  if (executablePath === "") {
    process.stdout.write("  The page of a large certificate was not opened: there is no chromium.\n");
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "assay-page-"));
  const browser = await chromium.launch({ executablePath });
  try {
    const path = join(folder, "certificate.html");
    await writeFile(path, renderHtml(await largeCertificate(folder)));
    const page = await browser.newPage();
    const address = pathToFileURL(path).href;
    const seconds = await timed(() => page.goto(address, { waitUntil: "load", timeout: PAGE_TIMEOUT_MS }));
    const words = `the page with ${REQUIREMENTS.toLocaleString("en-US")} requirements and ${FINDINGS.toLocaleString("en-US")} findings opens in`;
    process.stdout.write(`${goalLine(words, seconds, { most: 2, unit: "s" })}\n`);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns the certificate of a run, with its requirements repeated under other ids, and a finding for some of them. */
const largeCertificate = async (folder: string): Promise<Certificate> => {
  const flags = ["--service", "card-enrollment", "--depth", "quick", "--out", folder];
  await measured(["run", "--silent", "certify", "--", ...flags]);
  const certificate = readCertificate(folder);
  if (certificate === undefined) throw new Error(`The run wrote no certificate in ${folder}.`);
  const requirements = Array.from(
    { length: REQUIREMENTS },
    (_, index): Certificate["requirements"][number] => {
      const own = certificate.requirements.at(index % certificate.requirements.length);
      if (own === undefined) throw new Error("The certificate has no requirements.");
      return {
        ...own,
        id: `${own.id}-${index}`,
        ...(index < FINDINGS && { verdict: "failed" as const, findings: [`f-${index + 1}`] }),
      };
    },
  );
  return {
    ...certificate,
    outcome: "violations",
    summary: { ...certificate.summary, requirements: REQUIREMENTS, failed: FINDINGS },
    requirements,
    findings: requirements.slice(0, FINDINGS).map(({ id }, index) => findingOf(id, index)),
  };
};

const findingOf = (requirement: string, index: number): Certificate["findings"][number] => ({
  id: `f-${index + 1}`,
  requirement,
  fingerprint: `fingerprint-${index}`,
  operationId: "putCard",
  trial: `putCard/rule/${index}`,
  pointer: "/consumer/firstName",
  message: "consumer.firstName: one character too long was accepted",
  expected: "refused with 400",
  actual: "201",
  exchanges: [EXCHANGE, EXCHANGE],
  curl: "curl https://api.example.com/cards",
  replay: `npm run replay -- certificate.json f-${index + 1}`,
});

const EXCHANGE: Certificate["findings"][number]["exchanges"][number] = {
  id: "w0-1",
  operationId: "putCard",
  request: {
    method: "PUT",
    url: "https://api.example.com/cards",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ consumer: { firstName: "A".repeat(1_000) } }),
  },
  response: { status: 201, headers: { "content-type": "application/json" }, body: '{"id":"card-1"}' },
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 5,
};
