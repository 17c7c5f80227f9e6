/** `npm run proxy` from outside: how it ends, what it writes, and its page. */
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { startBrowser } from "../../../tests/self/reports/browser.ts";
import { run, start, temporary } from "../../../tests/self/support/command.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";

interface Ready {
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly clock: string;
  readonly page: string;
}

/** A client as a program: it asks for a list and for offers, and ends with this exit code. */
const program = (body: string, exitCode: number): string => `
const { INSTALLMENTS_BASE_URL: base, INSTALLMENTS_AUTHORIZATION: authorization } = process.env;
const headers = { authorization, "content-type": "application/json" };
const asked = ${body};
if (asked === undefined) await fetch(base + "/plans/none", { headers });
else {
  await fetch(base + "/merchants/participations", { headers });
  await fetch(base + "/offers", { method: "POST", headers, body: JSON.stringify(asked) });
}
process.exit(${exitCode});`;

const PURCHASE = `{ useCase: "DURING_PURCHASE", consumer: { panListId: "1", primaryAccountNumber: "5555341244441115" },
  merchant: { merchantLegalName: "Harbour Lamps Trading", countryCode: "USA", acquirerICA: "001234" },
  transaction: { amount: 250.25, currency: "USD" } }`;

const clientFile = async (out: string, body: string, exitCode = 0): Promise<string> => {
  const file = join(out, "..", `client-${exitCode}-${body.length}.mjs`);
  await mkdir(out, { recursive: true });
  await writeFile(file, program(body, exitCode));
  return file;
};

const certificateIn = async (out: string): Promise<Certificate> =>
  JSON.parse(await readFile(join(out, "certificate.json"), "utf8")) as Certificate;

test(
  "a right client in a command: exit code 0, certificate, renderings, log and archive",
  QUICK,
  async () => {
    const out = join(await temporary(), "results");
    const file = await clientFile(out, PURCHASE);
    const command = ["--", process.execPath, file];
    const ended = await run("proxy", ["--service", "installments", "--har", "--out", out, ...command]);
    expect(ended.code).toBe(0);
    const ready = JSON.parse(ended.stdout.split("\n")[0] ?? "") as Ready;
    expect(ready.baseUrls.installments).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/installments/);
    const certificate = await certificateIn(out);
    expect(certificate).toMatchObject({
      half: "caller",
      outcome: "certified",
      target: { name: "sandbox", embedded: true },
    });
    expect(certificate.mutation?.score).toBe(100);
    const files = (await readdir(out)).map((name) => name.replace(/\d{8}T\d+Z/, "TIME")).sort();
    expect(files).toEqual(
      expect.arrayContaining([
        ...["html", "json", "md"].map((ending) => `certificate.${ending}`),
        ...["junit.xml", "traffic-TIME.har", "traffic-TIME.ndjson"],
      ]),
    );
    expect(ended.stdout).toContain("traffic: client 1 with 2 exchanges");
  },
);

test("a wrong client in a command: exit code 1, and its requirement in JUnit", async () => {
  const out = join(await temporary(), "results");
  const file = await clientFile(out, "{}");
  const ended = await run("proxy", ["--service", "installments", "--out", out, "--", process.execPath, file]);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("✗ installments.offers.request-carries-consumer-merchant-transaction");
  const junit = await readFile(join(out, "junit.xml"), "utf8");
  expect(junit).toMatch(/name="installments\.offers\.request-carries[^>]*>[\s\S]*?<failure/);
  const { findings } = await certificateIn(out);
  expect(findings[0]?.replay).toMatch(/^npm run judge -- .*traffic-/);
  const log = findings[0]?.replay.split(" ").at(-1) ?? "";
  const baseline = join(out, "certificate.json");
  const compared = ["--baseline", baseline, "--fail-on", "regression"];
  const again = await run("judge", [log, "--out", `${out}-again`, ...compared]);
  expect(again.code).toBe(0);
  const other = ["--listener", "http://127.0.0.1:9/", "--kind", "webhook", "--baseline", baseline];
  expect((await run("certify", [...other, "--out", `${out}-other`])).stderr).toContain("judges the caller");
});

/** What the client does, its exit code, the exit code of the recording, a line that says why, and options. */
const ENDS: readonly (readonly [string, string, number, number, string, ...string[]])[] = [
  [
    "a client that an exercise ends, and another one when it is run again,",
    "undefined",
    7,
    3,
    "exercise installments.unavailable: not survived",
    "--exercise",
    "installments.rate-limited,installments.unavailable",
  ],
  ["a right client that fails", PURCHASE, 7, 3, "The command failed: it ended with exit code 7."],
  ["a wrong client that fails", "{}", 7, 1, "The command failed: it ended with exit code 7."],
  ["a client that only gets refusals", "undefined", 0, 3, "of installments accepted no valid call: "],
];

for (const [what, body, exitCode, code, line, ...options] of ENDS) {
  test(`${what} is not certified`, async () => {
    const out = join(await temporary(), "results");
    const file = await clientFile(out, body, exitCode);
    const args = [...options, "--service", "installments", "--out", out, "--", process.execPath, file];
    const ended = await run("proxy", args);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toContain(line);
    expect((await certificateIn(out)).outcome).toBe(code === 1 ? "violations" : "incomplete");
  });
}

test("without any request the recording is incomplete, and a wrong flag is refused", async () => {
  const out = join(await temporary(), "results");
  expect((await run("proxy", ["--service", "installments", "--out", out, "--until", "idle=1s"])).code).toBe(
    3,
  );
  const unknown = await run("proxy", ["--out", `${out}-b`, "--exercise", "unheard-of"]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("there is no exercise");
  expect((await run("proxy", ["--until", "60"])).code).toBe(2);
});

test("Ctrl-C ends the recording with its certificate; the page shows findings and exercises meanwhile", async () => {
  const out = join(await temporary(), "results");
  const exercise = ["--exercise", "installments.rate-limited"];
  const child = start("proxy", ["--service", "installments", ...exercise, "--out", out]);
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const { page, baseUrls, credentials } = JSON.parse(line.split("\n")[0] ?? "") as Ready;
  const ended = once(child, "close") as Promise<[number]>;
  let printed = "";
  child.stdout.on("data", (text: string) => {
    printed += text;
  });
  try {
    const browser = await startBrowser();
    const shown = await browser.newPage();
    await shown.goto(page);
    await expect(shown.locator("#exercises")).toContainText("waiting");
    const headers = { authorization: credentials.INSTALLMENTS_AUTHORIZATION ?? "" };
    const answer = await fetch(`${baseUrls.installments}/merchants/participations`, { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "5"]);
    await fetch(`${baseUrls.installments}/nothing`, { headers });
    await expect(shown.locator("#exercises")).toContainText("seen");
    await expect(shown.locator("#findings")).toContainText("documented-operations");
    await expect(shown.locator("#exchanges")).toHaveText("2");
    const certificate = shown.frameLocator("#certificate");
    await expect(certificate.locator("#advisories")).toContainText("documented-operations");
    await browser.close();
  } finally {
    child.kill("SIGINT");
  }
  const [code] = await ended;
  // The client did not send its refused request again, so nothing that it sent was accepted.
  expect(code).toBe(3);
  expect(printed).toContain("exercise installments.rate-limited: survived");
  expect((await certificateIn(out)).half).toBe("caller");
});

test("an archive that a browser recorded of a page that calls the sandbox is judged", async () => {
  const folder = await temporary();
  const child = start("mock", ["--port", "0"]);
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const { baseUrls, credentials } = JSON.parse(line) as Ready;
  const har = join(folder, "page.har");
  const browser = await startBrowser();
  try {
    const context = await browser.newContext({ recordHar: { path: har }, bypassCSP: true });
    const page = await context.newPage();
    // A page of the sandbox's own origin may call it.
    await page.goto(new URL("/page", baseUrls["financial-data"]).href);
    await page.evaluate(
      async ({ base, key }) => {
        const headers = { "x-openapi-clientid": key, "content-type": "application/json" };
        await fetch(`${base}/cards`, { method: "POST", headers, body: JSON.stringify({ serviceId: "a b" }) });
      },
      { base: baseUrls["card-enrollment"] ?? "", key: credentials.CARD_ENROLLMENT_API_KEY ?? "" },
    );
    await context.close();
  } finally {
    await browser.close();
    child.kill("SIGTERM");
  }
  const out = join(folder, "results");
  const ended = await run("judge", [har, "--out", out]);
  expect(ended.code).toBe(1);
  const { requirements } = await certificateIn(out);
  const verdictOf = (id: string) => requirements.find((requirement) => requirement.id === id)?.verdict;
  expect(verdictOf("card-enrollment.call.server-to-server")).toBe("advisory");
  expect(verdictOf("card-enrollment.request.serviceId.pattern")).toBe("failed");
  expect(verdictOf("card-enrollment.header.x-openapi-clientid.string")).toBe("passed");
  expect(await readFile(join(out, "certificate.json"), "utf8")).not.toContain(
    credentials.CARD_ENROLLMENT_API_KEY,
  );
});
