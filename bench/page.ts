/** Opens the page of a certificate with many requirements and findings in a browser. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import type { Certificate } from "../reports/certificate.ts";
import { readCertificate } from "../reports/certificate-file.ts";
import { renderHtml } from "../reports/html/page.ts";
import { measured } from "./commands.ts";
import { inRounds, showRounds, timed } from "./tools.ts";

const REQUIREMENTS = 10_000;
const FINDINGS = 2_000;
const PAGE_TIMEOUT_MS = 600_000;

export const benchPage = async (rounds: number): Promise<void> => {
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
    const address = pathToFileURL(path).href;
    const seconds = await inRounds(rounds, async () => {
      const page = await browser.newPage();
      return timed(() => page.goto(address, { waitUntil: "load", timeout: PAGE_TIMEOUT_MS }));
    });
    const words = `the page with ${REQUIREMENTS.toLocaleString("en-US")} requirements and ${FINDINGS.toLocaleString("en-US")} findings opens in`;
    showRounds(words, seconds, { most: 2, unit: "s" });
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
