/** The test runner without `npm run certify`: `npx playwright test`, also in UI mode, for users who know only Playwright. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { JSONReport, JSONReportSuite, JSONReportTestStep } from "@playwright/test/reporter";
import { startBrowser } from "../reports/browser.ts";
import { ROOT, runTool, startMock, startTool, temporary } from "../support/command.ts";

const RUNNER = "@playwright/test/cli.js";
const FIELDS = "card-enrollment\\.request\\.consumer\\.(first|last)Name\\b";
const REQUIREMENT = "card-enrollment.request.consumer.firstName.max-length";

/** Starts the test runner in the checkout, with its results in a separate folder. */
const runTests = async (
  args: readonly string[],
  output: string,
  environment: Record<string, string> = {},
) => {
  const all = ["test", "--reporter=json", "--output", output, ...args];
  const { code, stdout, stderr } = await runTool(RUNNER, all, ROOT, environment);
  expect(stdout, stderr).toMatch(/^\{/);
  const report = JSON.parse(stdout) as JSONReport;
  return { code, text: stdout, tests: testsIn(report.suites) };
};

const testsIn = (suites: readonly JSONReportSuite[]): Test[] =>
  suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.flatMap((spec) =>
      spec.tests.map(({ status, results }) => {
        const [result] = results;
        return {
          ...spec,
          status,
          error: result?.error?.message ?? "",
          steps: (result?.steps ?? []).map(({ title }: JSONReportTestStep) => title),
        };
      }),
    ),
    ...testsIn(inner),
  ]);

interface Test {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly tags: readonly string[];
  readonly status: string;
  readonly error: string;
  readonly steps: readonly string[];
}

test("each test is listed at its scenario, or at the spec file of its service", async () => {
  const { tests } = await runTests(["--list"], await temporary());
  expect(tests.length).toBeGreaterThan(900);
  const places = [...new Set(tests.map(({ file, line }) => `${file}:${line}`))];
  expect(places.filter((place) => !/\.(scenarios|model|spec)\.ts:\d+$/.test(place))).toEqual([]);
  const generated = places.filter((place) => /\.spec\.ts:/.test(place));
  expect(generated).toHaveLength(3);
  for (const place of places) {
    const [file = "", line] = place.split(":");
    const text = (await readFile(join(ROOT, "tests", file), "utf8")).split("\n")[Number(line) - 1];
    expect(text, place).toMatch(/\w[(<]/);
  }
});

test("tests are found by service, section, operation and requirement", async () => {
  const asked = `@${REQUIREMENT}$|@GetReportById\\b`;
  const { tests } = await runTests(["--list", "-g", asked], await temporary());
  const [ofRequirement, ofOperation] = [true, false].map((isAsked) =>
    tests.map(({ tags }) => tags).filter((tags) => tags.includes(REQUIREMENT) === isAsked),
  );
  expect(ofRequirement).toEqual([["card-enrollment", "Consumer", "putCard", REQUIREMENT]]);
  expect(ofOperation?.length).toBeGreaterThan(3);
  expect(ofOperation?.filter((tags) => !tags.includes("GetReportById"))).toEqual([]);
});

test("without settings, the target is the embedded sandbox", async () => {
  const args = ["--project=card-enrollment", "-g", `@${REQUIREMENT}$`];
  const { code, tests } = await runTests(args, await temporary());
  expect([code, tests.map(({ status }) => status)]).toEqual([0, ["expected"]]);
});

test("a violation is a failed test with its steps and exchanges, which --last-failed repeats", async () => {
  const output = await temporary();
  const { credentials, stop } = await startMock([
    "--service",
    "card-enrollment",
    "--fault",
    `${REQUIREMENT}.off-by-one`,
  ]);
  try {
    const whole = await runTests(["-g", `@${FIELDS}`], output, credentials);
    const failed = whole.tests.filter(({ status }) => status === "unexpected");
    expect([whole.code, failed.map(({ tags }) => tags.at(-1))]).toEqual([1, [REQUIREMENT]]);
    expect(whole.tests.length).toBeGreaterThan(3);
    const [{ error, steps } = { error: "", steps: [] }] = failed;
    expect(error).toContain(`${REQUIREMENT}: `);
    expect(error).toContain("curl");
    // An accepted near-miss needs no control.
    for (const step of ["arrange ", "probe: POST /cards", `check ${REQUIREMENT}`]) {
      expect(
        steps.some((title) => title.startsWith(step)),
        step,
      ).toBe(true);
    }
    expect(whole.text).not.toContain(credentials.CARD_ENROLLMENT_API_KEY);

    const again = await runTests(["--last-failed"], output, credentials);
    expect(again.tests.map(({ title, status }) => [title, status])).toEqual([
      [failed[0]?.title, "unexpected"],
    ]);
  } finally {
    await stop();
  }
});

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
  const child = startTool(RUNNER, args, {}, { leads: true });
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
