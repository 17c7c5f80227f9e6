/** Starts the product's commands as a user does: each in its own process, with only the given configuration. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import net from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";
import type { BuildOptions } from "esbuild";
import { temporaryFolder } from "../../../helpers/contract/process-end.ts";
import manifest from "../../../package.json" with { type: "json" };
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";

interface Compiler {
  /** Returns the folder with the compiled code of the product. */
  compiledFolder(): Promise<string | undefined>;
  /** Returns options for code that finds the product, with its compiled code in a folder. */
  inCheckout(folder: string | undefined): BuildOptions;
  /** Returns the file of a command; `undefined` if neither the core nor an extension that is here has it. */
  pathOf(command: string): string | undefined;
}

export const compiler: Compiler = createRequire(import.meta.url)("../../../bin/compiled.cjs");

export type Command = Exclude<keyof typeof manifest.scripts, "prepack">;
export const COMMANDS = Object.keys(manifest.scripts).filter(compiler.pathOf) as Command[];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Starts a command without npm, which would keep signals from it.
 * @param root the root of the checkout that holds the command
 * @param leads whether the command leads its own process group, as in a terminal
 */
export const start = (
  command: Command,
  args: readonly string[],
  environment: Record<string, string> = {},
  { root = ROOT, leads = false }: Where = {},
) => {
  const [, script = "", ...first] = manifest.scripts[command].split(" ");
  const keys = command === "diff" ? [] : args.filter((arg) => KEY.test(arg));
  const given = [join(root, script), ...first, ...args.filter((arg) => !keys.includes(arg))];
  return startNode(given, environment, { root: keys.length > 0 ? folderWith(keys) : root, leads });
};

/** What only `assay.config.yaml` gives: here it stands among the arguments, as `--sign=FILE`. */
const KEY = /^--(accept|allure|effect|issuer|root|sign|token-from)(?:=(.+))?$/s;

const folderWith = (keys: readonly string[]): string => {
  const folder = temporaryFolder("keys");
  const line = (_: string, name: string, value?: string) => `${name}: ${JSON.stringify(value ?? true)}\n`;
  writeFileSync(join(folder, "assay.config.yaml"), keys.map((key) => key.replace(KEY, line)).join(""));
  return folder;
};

interface Where {
  readonly root?: string;
  readonly leads?: boolean;
}

const startNode = (
  args: readonly string[],
  environment: Record<string, string>,
  { root = ROOT, leads = false }: Where = {},
) =>
  spawn(process.execPath, args, {
    cwd: root,
    detached: leads,
    env: { ...usual(), ...environment },
  });

/** An external target gets few requests per second by default. */
const usual = () => ({ ...homeOnly(), NO_COLOR: "1", MAX_REQUESTS_PER_SECOND: "100000" });

const homeOnly = () => ({ PATH: process.env.PATH, HOME: process.env.HOME });

export const run = (
  command: Command,
  args: readonly string[],
  environment: Record<string, string> = {},
  root = ROOT,
): Promise<Ended> => outcomeOf(start(command, args, environment, { root }));

/** Runs a line in a shell, in the root of the checkout. */
export const shell = (line: string, environment: Record<string, string> = {}) =>
  spawn("sh", ["-c", line], { cwd: ROOT, env: { ...usual(), ...environment } });

/** Runs a command in another folder, where it finds its `.env` files, with this environment only. */
export const runIn = (
  cwd: string,
  command: Command,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> => {
  const env = { ...homeOnly(), ...environment };
  return outcomeOf(spawn(process.execPath, [join(ROOT, "bin", "start.cjs"), command, ...args], { cwd, env }));
};

/** Runs a tool of `node_modules`. @param script from there */
export const runTool = (
  script: string,
  args: readonly string[],
  root: string,
  environment: Record<string, string> = {},
): Promise<Ended> => outcomeOf(startTool(script, args, environment, { root }));

/** Starts a tool of `node_modules`. @param script from there */
export const startTool = (
  script: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  where: Where = {},
) => startNode([join("node_modules", script), ...args], environment, where);

/** Returns what a process printed, when it has ended. */
export const outcomeOf = (
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
): Promise<Ended> => {
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

export interface Mock {
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly credentials: Record<string, string>;
  readonly faults: readonly string[];
  /** Returns the output on stderr so far. */
  complaint(): string;
  /** @returns the exit code */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

/** Starts a sandbox and waits until it is ready. @throws when it ends earlier */
export const startMock = async (args: readonly string[], root = ROOT): Promise<Mock> => {
  const child = start("mock", args, {}, { root });
  const ended = once(child, "close") as Promise<[number | null]>;
  // A failing test does not stop the sandbox: the exit of this process does.
  const kill = () => child.kill();
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const [line] = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), ended]);
  if (typeof line !== "string") throw new Error(`The sandbox ended with ${line}. ${complaint}`);
  return {
    ...JSON.parse(line),
    complaint: () => complaint,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
  };
};

export interface Certified extends Ended {
  readonly out: string;
  readonly certificate: Certificate;
}

/** Runs `certify` and reads its certificate. @throws when the run writes none */
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

/** Creates a directory for the output of a command, stored with the results of the test. */
export const temporary = async (): Promise<string> => {
  const parent = test.info().outputPath();
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "out-"));
};

/** Returns a port of this machine on which nothing listens. */
export const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};
