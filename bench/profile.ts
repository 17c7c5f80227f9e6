/**
 * Profiles a run of all services: the CPU time of each process, by folder of the code. A profile counts the time until
 * a function ends, also while another process has its core. So its shares divide the CPU time that the system measured,
 * which includes the threads that compile code and collect garbage.
 */
import { spawn } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { groupBy } from "../helpers/contract/memoize.ts";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { sourceOf } from "../helpers/trials/source-maps.ts";
import { LAUNCHER } from "./recording.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A profile of V8. Times of samples are in microseconds. */
interface Profile {
  readonly pid: number;
  /** The CPU time of the whole process. */
  readonly cpuSeconds: number;
  /** Zero for the main thread of a process. */
  readonly threadId: number;
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Lines and columns count from 0. */
interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Seconds by folder. */
type Costs = Map<string, number>;

/** @throws when the run does not certify the sandbox, because its profile is then meaningless */
export const benchProfile = async (): Promise<void> => {
  const folder = temporaryFolder("profile");
  try {
    await certified(folder);
    const byProcess = new Map<string, Costs>();
    for (const profiles of (await profilesIn(folder)).values()) {
      for (const [name, costs] of costsOfProcess(profiles))
        byProcess.set(name, added(byProcess.get(name), costs));
    }
    process.stdout.write(
      "Profiling takes CPU time too, so compare shares, and take totals from the other benchmarks.\n\n",
    );
    for (const [name, costs] of [...byProcess].sort(([, a], [, b]) => sum(b) - sum(a)))
      process.stdout.write(block(name, costs));
    const all = sum(new Map([...byProcess].map(([name, costs]) => [name, sum(costs)])));
    process.stdout.write(`  ${"all processes".padEnd(34)}${all.toFixed(1).padStart(8)} CPU-s\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns the profiles of the threads of each process. */
const profilesIn = async (folder: string): Promise<ReadonlyMap<number, readonly Profile[]>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".cpuprofile"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return groupBy(
    texts.map((text) => JSON.parse(text) as Profile),
    ({ pid }) => pid,
  );
};

/** Returns the costs of the threads of one process, by the name of the process or kind of thread. */
const costsOfProcess = (profiles: readonly Profile[]): Map<string, Costs> => {
  const sampled = profiles.map((profile) => [processOf(profile), costsOf(profile)] as const);
  const all = sampled.reduce((total, [, costs]) => total + sum(costs), 0);
  const factor = (profiles[0]?.cpuSeconds ?? 0) / Math.max(all, Number.EPSILON);
  const result = new Map<string, Costs>();
  for (const [name, costs] of sampled) {
    const scaled = new Map([...costs].map(([place, seconds]) => [place, seconds * factor]));
    result.set(name, added(result.get(name), scaled));
  }
  return result;
};

const added = (before: Costs | undefined, costs: Costs): Costs => {
  const total = new Map(before);
  for (const [place, seconds] of costs) total.set(place, (total.get(place) ?? 0) + seconds);
  return total;
};

const certified = async (folder: string): Promise<void> => {
  const environment = {
    ...process.env,
    NODE_OPTIONS: `--require ${join(ROOT, "bench", "profiler.cjs")}`,
    ASSAY_PROFILE_FOLDER: folder,
  };
  const run = spawn(process.execPath, [LAUNCHER, "certify", "--out", join(folder, "out")], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: environment,
  });
  const code = await new Promise((resolve) => run.once("close", resolve));
  if (code !== 0) throw new Error(`The profiled run ended with ${code}; run npm run certify to see why.`);
};

const sum = (costs: Costs): number => [...costs.values()].reduce((total, seconds) => total + seconds, 0);

/** The processes of a run, by a file that only this process loads. */
const PROCESSES: readonly (readonly [name: string, file: RegExp])[] = [
  ["workers", /\/helpers\/run\/worker-session\.ts/],
  ["the test runner", /\/reports\/folder\/reporter\.ts/],
  ["the command, with the sandbox", /\/bin\/certify\.ts/],
];

const processOf = ({ nodes, threadId }: Profile): string => {
  if (threadId > 0) return "loaders of TypeScript and other threads";
  const files = new Set(nodes.map(({ callFrame }) => fileOf(callFrame)));
  const known = PROCESSES.find(([, file]) => [...files].some((path) => file.test(path)));
  return known?.[0] ?? "other processes";
};

const costsOf = ({ nodes, samples, timeDeltas }: Profile): Costs => {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const costs = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const place = places.get(id);
    if (place === undefined) continue;
    costs.set(place, (costs.get(place) ?? 0) + (timeDeltas[index] ?? 0) / 1e6);
  }
  return costs;
};

/** Returns the folder or package of a function; `undefined` while the process waits. */
const placeOf = (frame: CallFrame): string | undefined => {
  const { functionName, url } = frame;
  if (functionName === "(idle)") return undefined;
  const path = fileOf(frame);
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (name !== undefined) return name === ".cache" ? "compiled code" : name;
  if (path.startsWith(ROOT)) return path.slice(ROOT.length).split("/").slice(0, -1).slice(0, 2).join("/");
  // Functions without a file are part of the engine: `(garbage collector)`, `(program)`, native functions.
  return url === "" ? functionName.replace(/^(?!\().*/, "native functions") : "Node.js";
};

/** Returns the source file of a function, also of compiled code. */
const fileOf = ({ url, lineNumber, columnNumber }: CallFrame): string => {
  const file = url.startsWith("file://") ? fileURLToPath(url.replace(/\?.*$/, "")) : url;
  return sourceOf({ file, line: lineNumber + 1, column: columnNumber + 1 })?.file ?? file;
};

/** Smaller shares are added up. */
const LEAST_SHARE = 0.02;

const block = (name: string, costs: Costs): string => {
  const all = sum(costs);
  const rows = [...costs].sort(([, a], [, b]) => b - a);
  const shown = rows.filter(([, seconds]) => seconds >= all * LEAST_SHARE);
  const rest = all - shown.reduce((total, [, seconds]) => total + seconds, 0);
  const row = (what: string, seconds: number): string =>
    `  ${what.padEnd(34)}${seconds.toFixed(1).padStart(8)} CPU-s\n`;
  return [
    `${name}: ${all.toFixed(1)} CPU-s\n`,
    ...shown.map(([place, seconds]) => row(place, seconds)),
    ...(rest > 0 ? [row("all others", rest)] : []),
    "\n",
  ].join("");
};
