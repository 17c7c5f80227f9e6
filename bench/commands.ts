/** Runs commands as a user does, and measures their time, the CPU time of all their processes, and their memory. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCertificate } from "../reports/certificate-file.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

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
export const measured = async (args: readonly string[], root = ROOT): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const file = join(folder, "cpu.jsonl");
  try {
    const started = performance.now();
    const since = (): number => (performance.now() - started) / 1000;
    const child = spawn("npm", args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NODE_OPTIONS: `--require ${join(ROOT, "bench", "cpu-time.cjs")}`,
        ASSAY_CPU_FILE: file,
      },
    });
    let firstOutput: number | undefined;
    let words = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        words += text;
        // npm itself may warn.
        if (!text.startsWith("npm ")) firstOutput ??= since();
      });
    }
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${words}`);
    const used = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const processes = used.map((line) => JSON.parse(line) as Pick<Measured, "cpuSeconds" | "megabytes">);
    return {
      seconds: since(),
      firstOutput: firstOutput ?? since(),
      cpuSeconds: processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      megabytes: Math.max(...processes.map(({ megabytes }) => megabytes)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Certifies the embedded sandbox. @throws Error when the run does not certify it */
export const measuredRun = async (flags: readonly string[], root = ROOT): Promise<MeasuredRun> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  try {
    const [out, events] = [join(folder, "out"), join(folder, "events.jsonl")];
    const started = Date.now();
    const run = await measured(
      ["run", "--silent", "certify", "--", ...flags, "--out", out, "--events", events],
      root,
    );
    const first = readFileSync(events, "utf8")
      .split("\n")
      .find((line) => line.includes('"trial-ended"'));
    const { at } = JSON.parse(first ?? "{}") as { readonly at: string };
    return {
      ...run,
      firstVerdict: (Date.parse(at) - started) / 1000,
      exchanges: readCertificate(out)?.summary.exchanges ?? 0,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
