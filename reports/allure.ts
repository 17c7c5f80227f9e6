/** Files trials in the Allure report of a run, and generates the report from its results. */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestCase } from "@playwright/test/reporter";
import { childEnvironment, endOf, SHORT_LIVED } from "../helpers/run/child.ts";
import type { TrialFact } from "./certificate.ts";

/**
 * Groups trials by service, section and requirement. Runs Allure's own command line, as its package offers no other way in.
 * @throws Error when Allure gives up; its last words are in the message
 */
export const generateAllureReport = async (resultsDir: string, reportDir: string): Promise<void> => {
  const cli = fileURLToPath(new URL("../cli.js", import.meta.resolve("allure")));
  const scratch = await mkdtemp(join(tmpdir(), "assay-allure-"));
  // In a folder of its own, since it would take what else is there for a part of the report.
  const fresh = join(scratch, "report");
  const options = ["--output", fresh, "--report-name", "Certificate", "--group-by", "epic,feature,story"];
  try {
    const { code, words } = await run([...SHORT_LIVED, cli, "awesome", resultsDir, ...options]);
    const last = words.trim().split("\n").slice(-5).join("\n");
    if (code !== 0) throw new Error(`exit code ${code}\n${last}`);
    await cp(fresh, reportDir, { recursive: true, force: false, errorOnExist: true });
  } catch (error) {
    throw new Error(
      `Allure made no report of ${resultsDir}. The certificate is not affected. ${(error as Error).message}`,
    );
  } finally {
    await rm(scratch, { recursive: true });
  }
};

const run = (args: readonly string[]): ReturnType<typeof endOf> =>
  endOf(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env: childEnvironment() }));

type Annotation = TestCase["annotations"][number];

/** Service, section and requirements, beside those that a trial has, of which a requirement's is a story. */
export const allureAnnotations = (
  test: Pick<TestCase, "titlePath">,
  { requirements }: TrialFact,
): Annotation[] => {
  const [, service = "", , section = ""] = test.titlePath();
  return [
    { type: "allure.label.epic", description: service },
    { type: "allure.label.feature", description: section },
    { type: "description", description: requirements.map(linkTo).join("\n") },
  ];
};

/** In the description, since the report makes no link of an address that is relative to it anywhere else. */
const linkTo = (requirement: string): string =>
  `- [${requirement}](../certificate.html#requirement-${requirement})`;
