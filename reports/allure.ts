/** Generates the Allure report of a run from its results. */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../helpers/run/child-environment.ts";
import { SHORT_LIVED } from "../helpers/run/short-lived.ts";

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

const run = (args: readonly string[]): Promise<{ code: number | null; words: string }> => {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnvironment(),
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      words += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, words }));
  });
};
