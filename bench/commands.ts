/** Runs commands as a user does, and measures their time, the CPU time of all their processes, and their memory. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { endOf } from "../helpers/run/child.ts";
import { readCertificate } from "../reports/folder/certificate-file.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Times are in seconds. */
export interface Measured {
  readonly seconds: number;
  /** Until the first output. */
  readonly firstOutput: number;
  readonly cpuSeconds: number;
  /** The largest memory of one process. */
  readonly megabytes: number;
}

export interface MeasuredRun extends Measured {
  /** Until the first verdict. */
  readonly firstVerdict: number;
  readonly exchanges: number;
}

/**
 * @param args the arguments of npm
 * @throws Error when the command fails, because its time is then meaningless
 */
export const measured = async (args: readonly string[]): Promise<Measured> => {
  const folder = temporaryFolder("bench");
  const file = join(folder, "cpu.jsonl");
  try {
    const started = performance.now();
    const since = (): number => (performance.now() - started) / 1000;
    const child = spawn("npm", args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...countingIn(file) },
    });
    let firstOutput: number | undefined;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        // npm itself may warn.
        if (!text.startsWith("npm ")) firstOutput ??= since();
      });
    }
    const { code, words } = await endOf(child);
    if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${words}`);
    return { seconds: since(), firstOutput: firstOutput ?? since(), ...usedIn(file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns environment variables with which each process notes in a file what it has used when it ends. */
const countingIn = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(ROOT, "bench", "cpu-time.cjs")}`,
  ASSAY_CPU_FILE: file,
});

/**
 * Returns what the processes that noted it in a file have used.
 *
 * @throws Error when no process noted it, because a killed process must not count as one that used nothing
 */
const usedIn = (file: string): Pick<Measured, "cpuSeconds" | "megabytes"> => {
  if (!existsSync(file)) throw new Error("No process noted its CPU time. It may have been killed.");
  const used = readFileSync(file, "utf8").trim().split("\n");
  const processes = used.map((line) => JSON.parse(line) as Pick<Measured, "cpuSeconds" | "megabytes">);
  return {
    cpuSeconds: processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    megabytes: Math.max(...processes.map(({ megabytes }) => megabytes)),
  };
};

/** Certifies the embedded sandbox. @throws Error when the run does not certify it */
export const measuredRun = async (flags: readonly string[]): Promise<MeasuredRun> => {
  const folder = temporaryFolder("bench");
  try {
    const [out, events] = [join(folder, "out"), join(folder, "events.jsonl")];
    const started = Date.now();
    const run = await measured([
      ...["run", "--silent", "certify", "--", ...flags],
      ...["--out", out, "--events", events],
    ]);
    const trials = readFileSync(events, "utf8")
      .split("\n")
      .filter((line) => line.includes('"trial-ended"'));
    const { at } = JSON.parse(trials[0] ?? "{}") as { readonly at: string };
    return {
      ...run,
      firstVerdict: (Date.parse(at) - started) / 1000,
      exchanges: readCertificate(out)?.summary.exchanges ?? 0,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
