/** Starts the product's commands as a user does: a process of their own, and no configuration but what is given. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate.ts";
import { readCertificate } from "../../../reports/certificate-file.ts";

export type Command = "certify" | "mutation" | "merge" | "verify" | "mock" | "requirements" | "diff";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export const start = (command: Command, args: readonly string[], environment: Record<string, string> = {}) =>
  spawn(process.execPath, ["--import", "tsx", `bin/${command}.ts`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: "1", ...environment },
  });

export const run = (
  command: Command,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> => {
  const child = start(command, args, environment);
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...texts }));
  });
};

export interface Certified extends Ended {
  readonly out: string;
  readonly certificate: Certificate;
}

/** @throws when the run leaves no certificate */
export const certify = async (
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Certified> => {
  const out = await temporary();
  const ended = await run("certify", ["--out", out, ...args], environment);
  const certificate = readCertificate(out);
  if (certificate === undefined) throw new Error(`No certificate. ${ended.stdout}${ended.stderr}`);
  return { ...ended, out, certificate };
};

/** A directory of its own for what a command writes, kept with the results of the test. */
export const temporary = async (): Promise<string> => {
  const parent = test.info().outputPath();
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "out-"));
};
