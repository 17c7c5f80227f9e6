/** Generates the Allure report of a run from its results. */
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SHORT_LIVED } from "../helpers/run/short-lived.ts";

/**
 * Groups trials by service, section and requirement. Runs Allure's own command line, as its package offers no other way in.
 * @throws Error when Allure gives up; its last words are in the message
 */
export const generateAllureReport = async (resultsDir: string, reportDir: string): Promise<void> => {
  const cli = fileURLToPath(new URL("../cli.js", import.meta.resolve("allure")));
  // What an earlier report left would show up in this one.
  await rm(reportDir, { recursive: true, force: true });
  const { code, words } = await run([
    ...SHORT_LIVED,
    cli,
    "awesome",
    resultsDir,
    ...["--output", reportDir, "--report-name", "Certificate", "--group-by", "epic,feature,story"],
  ]);
  if (code === 0) return;
  const last = words.trim().split("\n").slice(-5).join("\n");
  throw new Error(
    `Allure made no report of ${resultsDir} (exit code ${code}). The certificate is not affected.\n${last}`,
  );
};

const run = (args: readonly string[]): Promise<{ code: number | null; words: string }> => {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
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
