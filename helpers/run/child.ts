/** Processes that a command starts: their environment, their options, and what they say. */
import type { ChildProcess } from "node:child_process";
import { configuration } from "../target/names.ts";

/** The target's credentials are for the command alone: who needs them gets them with the plan of the run. */
export const childEnvironment = (): NodeJS.ProcessEnv => {
  const configured = new Set(configuration().map(({ name }) => name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !configured.has(name)));
};

/**
 * Options of Node for what lives for seconds, which is too short for much of what its engine would optimize by itself.
 * The V8 of Node 20 alone optimizes as early as that, and knows the option.
 */
export const SHORT_LIVED: readonly string[] = process.versions.v8.startsWith("11.")
  ? ["--interrupt-budget=300000"]
  : [];

/** How it ended, and what it wrote to the streams that we hear. */
export const endOf = (
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly words: string }> => {
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      words += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, words }));
  });
};
