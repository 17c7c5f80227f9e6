/** Playwright's UI mode, in a real browser. */
import { once } from "node:events";
import { expect, test } from "@playwright/test";
import { startBrowser } from "../reports/browser.ts";
import { startTool, temporary } from "../support/command.ts";

const REQUIREMENT = "card-enrollment.request.consumer.firstName.max-length";

/** Starts UI mode on a free port of this machine. */
const startUiMode = async (output: string) => {
  const args = [
    "test",
    "--ui-host=127.0.0.1",
    "--ui-port=0",
    "--project=card-enrollment",
    "--output",
    output,
  ];
  const child = startTool("@playwright/test/cli.js", args, {}, { leads: true });
  const closed = once(child, "close");
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name);
  };
  // A failing test does not stop the test runner: the exit of this process does.
  const kill = (): void => signal("SIGKILL");
  process.once("exit", kill);
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    // The pipe is read to its end: a process whose output nobody reads does not exit.
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.stderr.resume();
    child.once("close", (code) => reject(new Error(`UI mode ended with ${code}: ${text}`)));
  });
  const stop = async (): Promise<void> => {
    signal("SIGINT");
    await closed;
    process.off("exit", kill);
  };
  return { address, stop };
};

test("UI mode runs one test and shows its steps", async () => {
  const browser = await startBrowser();
  const { address, stop } = await startUiMode(await temporary());
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByPlaceholder("Filter (e.g. text, @tag)").fill(`@${REQUIREMENT}`);
    const tree = page.getByTestId("test-tree");
    const line = tree.getByRole("treeitem").filter({ hasText: "firstName" }).last();
    await line.click();
    await line.press("Enter");
    await expect(page.getByTestId("status-line")).toContainText("1 passed");
    const actions = page.getByTestId("actions-tree");
    await expect(actions).toContainText("probe: POST /cards");
    await expect(actions).toContainText(`check ${REQUIREMENT}`);
  } finally {
    await browser.close();
    await stop();
  }
});
