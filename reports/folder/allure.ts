/** Labels trials for Allure, and generates the Allure report from the results of a run: one file, which opens from disk. */
import { spawn } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestCase } from "@playwright/test/reporter";
import { temporaryFolder } from "../../helpers/contract/process-end.ts";
import { childEnvironment, endOf, SHORT_LIVED } from "../../helpers/run/child.ts";
import type { TrialFact } from "../certificate/certificate.ts";
import { serviceOf } from "../certificate/trial-facts.ts";

/**
 * Generates the report, grouped by service, section and operation. Allure offers only a command line for this.
 * @throws Error when Allure fails; the message contains the end of its output
 */
export const generateAllureReport = async (resultsDir: string, reportDir: string): Promise<void> => {
  const cli = fileURLToPath(new URL("../cli.js", import.meta.resolve("allure")));
  const scratch = temporaryFolder("allure");
  // Allure needs an empty folder: it treats other files there as part of the report.
  const fresh = join(scratch, "report");
  const groups = ["--group-by", "parentSuite,suite,subSuite"];
  const options = ["--single-file", "--output", fresh, "--report-name", "Certificate", ...groups];
  try {
    const { code, words } = await run([...SHORT_LIVED, cli, "awesome", resultsDir, ...options]);
    const last = words.trim().split("\n").slice(-5).join("\n");
    if (code !== 0) throw new Error(`exit code ${code}\n${last}`);
    await cp(fresh, reportDir, { recursive: true, force: false, errorOnExist: true });
  } catch (error) {
    throw new Error(
      `Allure could not generate a report from ${resultsDir}. The certificate is not affected. ${(error as Error).message}`,
    );
  } finally {
    await rm(scratch, { recursive: true });
  }
};

const run = (args: readonly string[]): ReturnType<typeof endOf> =>
  endOf(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env: childEnvironment() }));

/** Returns Allure labels for the service and section. The trial labels its own requirements and operations. */
export const allureAnnotations = (
  test: Pick<TestCase, "annotations" | "titlePath">,
  { requirements }: TrialFact,
): TestCase["annotations"] => {
  const [, , , ...titles] = test.titlePath();
  const service = serviceOf(test);
  // A run with a budget has groups without a title around the sections.
  const section = titles.slice(0, -1).find((title) => title !== "") ?? "";
  return [
    { type: "allure.label.suite", description: section },
    { type: "allure.label.epic", description: service },
    { type: "allure.label.feature", description: section },
    { type: "description", description: requirements.map(linkTo).join("\n") },
  ];
};

/** Links to a requirement of the certificate. Allure supports relative links in the description only. */
const linkTo = (requirement: string): string =>
  `- [${requirement}](../certificate.html#requirement-${requirement})`;
