/** The HTML page of a certificate, in a real browser. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, expect, type Page, test } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { certify, startMock } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { startBrowser } from "./browser.ts";
import { largeCertificate } from "./large-certificate.ts";

/** One browser serves all tests of this file. */
test.describe.configure({ mode: "default" });

const LARGE = largeCertificate({ requirements: 2000, findings: 200 });
const USUAL = largeCertificate({ requirements: 400, findings: 40 });
const SMALL = largeCertificate({ requirements: 60, findings: 6 });

let browser: Browser;
test.beforeAll(async () => {
  browser = await startBrowser();
});
test.afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
test.afterAll(() => browser?.close());

interface View {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly hash?: string;
}

interface Opened {
  readonly page: Page;
  /** The errors that the browser reported. */
  readonly complaints: string[];
}

const open = async (
  html: string,
  { width = 1280, colorScheme = "light", hash = "" }: View = {},
): Promise<Opened> => {
  const file = test.info().outputPath("certificate.html");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => request.url().startsWith("file:") || complaints.push(request.url()));
  await page.goto(`${pathToFileURL(file)}${hash}`);
  return { page, complaints };
};

const openUsual = async (view?: View): Promise<Page> => (await open(renderHtml(USUAL), view)).page;

/** Scripts that run in the page, as text, because this process has no `document`. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
const OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true";

/** Takes a screenshot and attaches it to the test, even when the test passes. */
const takePicture = async (page: Page, name: string): Promise<Buffer> => {
  const path = test.info().outputPath(name);
  const picture = await page.screenshot({ path });
  await test.info().attach(name, { path, contentType: "image/png" });
  return picture;
};

const requirementId = (index: number): string => USUAL.requirements[index]?.id ?? "";
const rowOf = (page: Page, id: string) => page.locator(`[id="requirement-${id}"]`);
const shown = (page: Page) => page.locator(".requirement:visible");

/** The views of the default lane: the extreme widths, and both colour schemes. */
const SAMPLE = ["360 light", "1600 dark"];

for (const width of [360, 390, 1024, 1600]) {
  for (const colorScheme of ["light", "dark"] as const) {
    const lane = SAMPLE.includes(`${width} ${colorScheme}`) ? {} : LONG;
    test(`the page has no overflow and no errors at ${width} pixels, ${colorScheme}`, lane, async () => {
      const { page, complaints } = await open(renderHtml(USUAL), { width, colorScheme });
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      await takePicture(page, `outcome-${width}-${colorScheme}.png`);
      for (const section of ["findings", "map", "requirements", "not-tried", "observations"]) {
        await page.evaluate(`location.hash = "${section}"`);
        await takePicture(page, `${section}-${width}-${colorScheme}.png`);
      }
      await page.evaluate(OPEN_ALL);
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      expect(complaints).toEqual([]);
    });
  }
}

test("filtering works without errors with two thousand requirements and two hundred findings", async () => {
  const { page, complaints } = await open(renderHtml(LARGE), {
    width: 360,
    hash: "#verdict=failed&q=field99",
  });
  await expect(page.locator("#results")).toHaveText("2 of 2,000 requirements");
  await expect(page.locator(".finding")).toHaveCount(200);
  await page.locator("#q").fill("");
  await expect(page.locator("#results")).toHaveText("200 of 2,000 requirements");
  expect(await page.evaluate(OVERFLOW)).toBe(0);
  expect(complaints).toEqual([]);
});

test("the story of a late finding appears when it is opened, by a link or in print, and harms nothing", async () => {
  const last = LARGE.findings.at(-1);
  const { page, complaints } = await open(renderHtml(LARGE), { hash: `#finding-${last?.id}` });
  const story = page.locator(`#finding-${last?.id} .story`);
  await expect(story.locator(".promise")).toBeVisible();
  await expect(story.getByText("onerror").first()).toBeVisible();
  await expect(story.getByRole("button", { name: "Copy curl" })).toBeVisible();
  const alone = await open(renderHtml({ ...LARGE, findings: last ? [last] : [] }));
  expect(await story.innerHTML()).toBe(await alone.page.locator(".story").innerHTML());
  expect(await page.locator(".story .promise").count()).toBeLessThan(LARGE.findings.length);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await expect(page.locator(".story .promise")).toHaveCount(LARGE.findings.length);
  expect(await page.evaluate("window.harmed")).toBeUndefined();
  expect(complaints).toEqual([]);
});

test("filters by verdict, service and words appear in the URL", async () => {
  const page = await openUsual();
  const count = page.getByRole("status");
  await expect(count).toHaveText("400 requirements");
  await page.getByRole("checkbox", { name: /^failed/ }).check();
  await expect(count).toHaveText("40 of 400 requirements");
  await expect(shown(page)).toHaveCount(40);
  await page.getByRole("combobox", { name: "Service" }).selectOption("installments");
  const failed = USUAL.requirements.filter(({ verdict }) => verdict === "failed");
  const ours = failed.filter(({ service }) => service === "installments");
  await expect(shown(page)).toHaveCount(ours.length);
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("FIELD1 refused");
  const words = ours.filter(({ id }) => id.includes("field1"));
  await expect(shown(page)).toHaveCount(words.length);
  await expect(count).toHaveText(`${words.length} of 400 requirements`);
  expect(new URL(page.url()).hash).toBe("#q=FIELD1+refused&service=installments&verdict=failed");

  const again = await openUsual({ hash: new URL(page.url()).hash });
  await expect(shown(again)).toHaveCount(words.length);
  await expect(again.getByRole("searchbox", { name: "Search" })).toHaveValue("FIELD1 refused");

  await page.getByRole("searchbox", { name: "Search" }).fill("no such words");
  await expect(page.getByText("No requirement matches.")).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).last().click();
  await expect(count).toHaveText("400 requirements");
  expect(new URL(page.url()).hash).toBe("");
});

test("a segment of the outcome links to its requirements", async () => {
  const page = await openUsual();
  await page.getByRole("link", { name: /blocked requirements/ }).click();
  await expect(shown(page)).toHaveCount(USUAL.summary.blocked);
  await expect(page.getByRole("heading", { name: "Requirements" })).toBeInViewport();
});

test("a link to a requirement shows it, even if it was collapsed", async () => {
  const [first, second] = [requirementId(234), requirementId(300)];
  const page = await openUsual({ hash: `#requirement-${first}` });
  await expect(rowOf(page, first)).toBeInViewport();
  await expect(rowOf(page, first)).toBeFocused();
  await page.getByRole("checkbox", { name: /^failed/ }).check();
  await expect(rowOf(page, second)).toBeHidden();
  await page.evaluate(`location.hash = "requirement-${second}"`);
  await expect(rowOf(page, second)).toBeInViewport();
  await expect(rowOf(page, second)).toHaveClass(/reached/);
  await expect(rowOf(page, first)).not.toHaveClass(/reached/);
});

test("a finding highlights the difference, and the map links to it", async () => {
  const page = await openUsual();
  const cell = page.locator('a.cell[href="#finding-f-30"]');
  await expect(cell).toHaveAttribute("title", /^200 failed/);
  // Long services are folded.
  await page.locator("#map .fold", { has: cell }).locator("> summary").click();
  await cell.click();
  const finding = page.locator("#finding-f-30");
  await expect(finding).toBeInViewport();
  await expect(finding.getByRole("group", { name: "Body sent" }).first().locator("mark")).toHaveText(
    `"${"x".repeat(31)}"`,
  );
  await expect(finding.getByRole("group", { name: "Body received" }).first().locator("mark")).toHaveCount(0);
  await finding.getByRole("link", { name: /max-length/ }).click();
  await expect(page.locator(".requirement.reached")).toBeInViewport();
});

test("a command is copied", async () => {
  const page = await openUsual();
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied = text; } } })",
  );
  await page.getByRole("button", { name: "Copy replay" }).first().click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate("copied")).toBe(USUAL.findings[0]?.replay);
});

test("the page can be used with only the keyboard", async () => {
  const page = await openUsual();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the certificate" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  const second = page.locator("#finding-f-2 summary").first();
  await second.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#finding-f-2").getByText("Received", { exact: true }).first()).toBeVisible();
});

test("the page remembers the chosen colours", async () => {
  const page = await openUsual();
  const scheme = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme");
  await page.getByRole("button", { name: "dark" }).click();
  expect(await scheme()).toBe("dark");
  await page.reload();
  expect(await scheme()).toBe("dark");
  await expect(page.getByRole("button", { name: "dark" })).toHaveAttribute("aria-pressed", "true");
});

const pagesOf = (pdf: Buffer): number => pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;

test("those who sign get two pages: the outcome with a place for a signature, and a summary", async () => {
  const { page } = await open(renderHtml(USUAL));
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("Signature")).toBeVisible();
  await expect(page.locator("#digest li").first()).toContainText("f-1");
  await expect(page.getByText("… and 28 more")).toBeVisible();
  for (const format of ["A4", "Letter"]) expect(pagesOf(await page.pdf({ format }))).toBe(2);
});

test("in print of everything every section is open, there are no buttons, and there is a place for a signature", async () => {
  const { page } = await open(renderHtml(SMALL), { colorScheme: "dark", width: 800 });
  await page.evaluate("print = () => {}");
  await page.getByRole("button", { name: "Print everything" }).click();
  await page.getByRole("checkbox", { name: /^failed/ }).check();
  await page.emulateMedia({ media: "print" });
  await expect(shown(page)).toHaveCount(60);
  await expect(page.locator(".finding .exchange:visible")).toHaveCount(12);
  await expect(page.locator("button:visible, input:visible, nav:visible")).toHaveCount(0);
  await expect(page.getByText("Signature")).toBeVisible();
  const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(paper).toBe("rgb(255, 255, 255)");
  const pdf = await page.pdf({ format: "A4", path: test.info().outputPath("certificate.pdf") });
  expect(pagesOf(pdf)).toBeGreaterThan(6);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations, ${colorScheme}`, async () => {
    const { page } = await open(renderHtml(SMALL), { colorScheme });
    await page.evaluate(OPEN_ALL);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
}

const VIOLATED = "card-enrollment.request.consumer.firstName.max-length";
const SERVICE = ["--service", "card-enrollment"];
/** The README's picture. `npm test -- certificate-html -g picture --update-snapshots` replaces it. */
const PICTURE = fileURLToPath(new URL("../../../.github/certificate.png", import.meta.url));

test("a run writes the page next to the certificate; the README shows its picture", async () => {
  const { credentials, stop } = await startMock([...SERVICE, "--fault", `${VIOLATED}.off-by-one`]);
  try {
    const isNew = ["all", "changed"].includes(test.info().config.updateSnapshots);
    // Only the picture shows all requirements.
    const selection = isNew ? [] : ["--requirement", VIOLATED];
    const { out, certificate } = await certify(
      ["--target", "acceptance", ...SERVICE, "--depth", "quick", ...selection],
      credentials,
    );
    const html = await readFile(join(out, "certificate.html"), "utf8");
    expect(html).toBe(renderHtml(certificate));
    const { page, complaints } = await open(html, { width: 1200 });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Violations found/);
    await expect(page.locator("#finding-f-1 mark").first()).toHaveText(/^"[a-zA-Z]{31}"$/);
    await page.setViewportSize({ width: 1200, height: 1130 });
    const picture = await takePicture(page, "certificate.png");
    if (isNew) await writeFile(PICTURE, picture);
    expect(complaints).toEqual([]);
  } finally {
    await stop();
  }
});
