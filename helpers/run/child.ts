/** Child processes of a command: their environment, options and output. */
import type { ChildProcess } from "node:child_process";
import { configuration } from "../target/names.ts";

/**
 * Returns the environment without the target's settings, because child processes get credentials with the run's plan.
 */
export const childEnvironment = (): NodeJS.ProcessEnv => {
  const configured = new Set(configuration().map(({ name }) => name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !configured.has(name)));
};

/**
 * Node options for processes that run only for seconds: V8 optimizes later than by default. Only the V8 of Node 20
 * has this option and benefits from it.
 */
export const SHORT_LIVED: readonly string[] = process.versions.v8.startsWith("11.")
  ? ["--interrupt-budget=300000"]
  : [];

/** Waits for the end of a process; returns its exit code and the output of its piped streams. */
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
