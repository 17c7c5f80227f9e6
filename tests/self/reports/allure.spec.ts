/** The Allure report of a run: suites by service, section and operation, requests as steps, links to requirements. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { allureReportDir, allureResultsDir } from "../../../reports/folder/reporters.ts";
import { certify, startMock } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { startBrowser } from "./browser.ts";

const SERVICE = "financial-data";
const REQUIREMENT = `${SERVICE}.GetInstitutions.success`;

interface Result {
  readonly description: string;
  readonly steps: readonly { readonly name: string; readonly attachments: readonly unknown[] }[];
  readonly labels: readonly { readonly name: string; readonly value: string }[];
}

test("a run of one requirement tries only that; its trial appears under its service, section and operation, and its requirements link to the certificate", async () => {
  const selection = ["--service", SERVICE, "--requirement", REQUIREMENT, "--depth", "quick"];
  const { code, certificate, out, stdout } = await certify(["--allure", ...selection]);
  expect([code, certificate.outcome]).toEqual([0, "certified"]);
  const passed = certificate.requirements.filter(({ verdict }) => verdict === "passed");
  expect(passed.map(({ id }) => id)).toEqual([REQUIREMENT]);
  expect(stdout.trimEnd().split("\n").at(-2)).toBe(join(out, "certificate.json"));
  expect(await readFile(join(out, "junit.xml"), "utf8")).toContain(`value="${REQUIREMENT}"`);
  const folder = allureResultsDir(out);
  const names = (await readdir(folder)).filter((name) => name.endsWith("-result.json"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const results = texts.map((text) => JSON.parse(text) as Result);
  const valuesOf = ({ labels }: Result, label: string) =>
    labels.filter(({ name }) => name === label).map(({ value }) => value);
  // The product's own tests also have folders named after services, but they are not trials of a run.
  for (const result of results) expect(valuesOf(result, "epic")).toEqual([SERVICE]);
  const [result] = results.filter((one) => valuesOf(one, "story").includes(REQUIREMENT));
  expect(result && valuesOf(result, "feature")).toEqual(["Institutions"]);
  expect(result?.description).toContain(`- [${REQUIREMENT}](../certificate.html#requirement-${REQUIREMENT})`);
  const suites = ["parentSuite", "suite", "subSuite"].map((label) => result && valuesOf(result, label));
  expect(suites).toEqual([[SERVICE], ["Institutions"], ["GetInstitutions"]]);
  const steps = result?.steps.map(({ name }) => name) ?? [];
  expect(steps).toContain("GET /institution/v2/institutions → 200");
  expect(steps).toContain(`check ${REQUIREMENT}`);
  // A report of several files does not open from disk.
  const files = await readdir(allureReportDir(out));
  expect(files.sort()).toEqual(["index.html", "summary.json", "test-results.json"]);
});

test("the report opens from disk, and shows a violation with its exchanges", LONG, async () => {
  const fault = "card-enrollment.request.consumer.firstName.max-length.off-by-one";
  const { credentials, stop } = await startMock(["--service", "card-enrollment", "--fault", fault]);
  const selection = ["--requirement", "card-enrollment.request.consumer.firstName.max-length"];
  const { out } = await certify(["--target", "mine", "--allure", ...selection], credentials).finally(stop);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${pathToFileURL(join(allureReportDir(out), "index.html"))}`);
    // The suites of a failed trial are open.
    for (const suite of ["card-enrollment", "putCard"])
      await expect(page.getByText(suite, { exact: true }).first()).toBeVisible();
    await page.getByText("max-length]").first().click();
    await expect(page.getByText(/POST \/cards → 200/).first()).toBeVisible();
    await page.getByText("violation card-enrollment.request.consumer.firstName").first().click();
    await expect(page.getByText("200", { exact: true }).first()).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});
