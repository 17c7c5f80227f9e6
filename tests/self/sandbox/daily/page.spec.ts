/** The page of the admin interface, in a real browser. */

import { type Browser, expect, type Page, test } from "@playwright/test";
import axe, { type AxeResults } from "axe-core";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { startBrowser } from "../../reports/browser.ts";
import { LONG } from "../../support/lanes.ts";
import { CHOSEN } from "./chosen-data.ts";
import { financialClient } from "./clients.ts";

test.describe.configure({ mode: "default" });

let browser: Browser;
let sandbox: TestSandbox;
let origin: string;

test.beforeAll(async () => {
  browser = await startBrowser();
  sandbox = await startSandbox({ data: CHOSEN });
  origin = new URL(sandbox.baseUrls.installments ?? "").origin;
});
test.afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
test.afterAll(async () => {
  await browser?.close();
  await sandbox?.stop();
});

interface View {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
}

const open = async ({
  width = 1280,
  colorScheme = "light",
}: View = {}): Promise<{
  readonly page: Page;
  readonly complaints: readonly string[];
}> => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => request.url().startsWith(origin) || complaints.push(request.url()));
  await page.goto(`${origin}/__sandbox`);
  await expect(page.locator("#now")).not.toHaveText("…");
  return { page, complaints };
};

const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

for (const width of [390, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    const lane = (width === 390) === (colorScheme === "light") ? {} : LONG;
    test(
      `the page has no overflow, no errors and no barriers at ${width} pixels, ${colorScheme}`,
      lane,
      async () => {
        await fetch(`${sandbox.baseUrls.installments}/plans/${"long-".repeat(60)}`);
        const { page, complaints } = await open({ width, colorScheme });
        await expect(page.locator("#requests tr").first()).toContainText("getPlan");
        expect(await page.evaluate(OVERFLOW)).toBe(0);
        await page.screenshot({
          path: test.info().outputPath(`page-${width}-${colorScheme}.png`),
          fullPage: true,
        });
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(complaints).toEqual([]);
      },
    );
  }
}

test("the clock moves, and the state is reset and restored", async () => {
  await sandbox.reset();
  const { page } = await open();
  const before = sandbox.clock.now().getTime();
  await page.getByRole("spinbutton", { name: "Forward" }).fill("2");
  await page.getByRole("button", { name: "Move the clock" }).click();
  await expect.poll(() => sandbox.clock.now().getTime() - before).toBeGreaterThanOrEqual(2 * 86_400_000);
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  await expect(page.getByRole("combobox", { name: "Snapshot" })).toHaveValue("s1");
  await page.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => sandbox.clock.now().getTime() - before).toBeLessThan(86_400_000);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect.poll(() => sandbox.clock.now().getTime() - before).toBeGreaterThanOrEqual(2 * 86_400_000);
});

test("a situation is arranged, and a wrong parameter is told", async () => {
  const { page } = await open();
  await page.getByRole("combobox", { name: "Situation" }).selectOption("internal-failure");
  await page.getByRole("button", { name: "Arrange" }).click();
  await expect(page.locator("#arranged dt")).toHaveText("CARD_ENROLLMENT_SRC_CLIENT_ID");
  await page.getByRole("textbox", { name: "Parameters" }).fill("{");
  await page.getByRole("button", { name: "Arrange" }).click();
  await expect(page.getByRole("alert")).toContainText("JSON");
});

test("an event is sent, and its delivery and the requests are shown as text", async () => {
  const { page } = await open();
  await fetch(`${sandbox.baseUrls.installments}/plans/<img src=x onerror=alert(1)>`);
  const client = await financialClient(sandbox);
  const created = await client("POST", "/notification-subscriptions/webhooks", {
    url: `${origin}/nowhere`,
    events: [{ name: "customer-deleted" }],
  });
  expect(created.status, JSON.stringify(created.json)).toBeLessThan(300);
  await page.getByRole("combobox", { name: "Event" }).selectOption("customer-deleted");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.locator("#sent")).toHaveText("1 delivery");
  await expect(page.locator("#deliveries tr").first()).toContainText("webhook");
  await expect(page.locator("#requests")).toContainText("onerror=alert(1)");
  expect(await page.evaluate("document.images.length")).toBe(0);
});

test("resources are found by id, and shown as text, as are requests with their answers", async () => {
  const client = await financialClient(sandbox);
  const username = "<img src=x onerror=alert(2)>";
  const created = await client("POST", "/aggregation/v2/customers/testing", { username });
  expect(created.status).toBe(201);
  const { id } = created.json as { readonly id: string };
  const { page, complaints } = await open();
  await page.getByRole("searchbox", { name: "Id" }).fill(id);
  await expect(page.locator("#resources tr")).toHaveCount(1);
  await page.getByRole("button", { name: id, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(username);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("combobox", { name: "List" }).selectOption("installments, merchants");
  await expect(page.locator("#found")).toHaveText("0");
  await page.locator("#requests tr").first().getByRole("button").click();
  await expect(dialog).toContainText("POST /financial-data/aggregation/v2/customers/testing");
  await expect(dialog).toContainText(`"username": "${username}"`);
  await expect(dialog).toContainText("201");
  await expect(dialog).toContainText(`"id": "${id}"`);
  expect(await page.evaluate("document.images.length")).toBe(0);
  expect(complaints).toEqual([]);
});
