/** The test runner's UI mode, in a real browser: it lists the tests, and runs the one that is chosen. */
import { once } from "node:events";
import { expect, test } from "@playwright/test";
import { startBrowser } from "../reports/browser.ts";
import { startTool, temporary } from "../support/command.ts";
import { below, expectGone } from "../support/processes.ts";

test("a test that is chosen in UI mode passes and shows its steps", async () => {
  const browser = await startBrowser();
  const args = ["test", "--ui-host=127.0.0.1", "--ui-port=0", "--project=card-enrollment"];
  const runner = startTool("@playwright/test/cli.js", [...args, "--output", await temporary()]);
  try {
    const page = await browser.newPage();
    await page.goto(await addressFrom(runner.stdout));
    const filter = page.getByRole("searchbox", { name: "Filter (e.g. text, @tag)" });
    await filter.fill("a correlation id comes back");
    await page.getByTestId("test-tree").getByText("a correlation id comes back").hover();
    await page.getByRole("button", { name: "Run", exact: true }).last().click();
    await expect(page.getByTestId("status-line")).toContainText("1 passed", { timeout: 60_000 });
    await expect(page.getByText("POST /cards").first()).toBeVisible();
  } finally {
    const started = below(runner.pid ?? 0);
    await browser.close();
    runner.kill("SIGINT");
    await once(runner, "close");
    await expectGone(started);
  }
});

/** @returns the address that the test runner prints once it listens */
const addressFrom = async (output: NodeJS.ReadableStream): Promise<string> => {
  let text = "";
  for await (const chunk of output) {
    text += chunk;
    const [address] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`The test runner did not listen: ${text}`);
};
