/**
 * Measures what a run costs at least: the test runner with tests that do nothing, a client that only sends the same
 * requests, and the answers of the sandbox. The rest is the work of the suite: it generates, judges and writes.
 */
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { services } from "../helpers/contract/services.ts";
import { countingIn, measuredProcess, measuredRun, ROOT, usedIn } from "./commands.ts";
import { type BenchFiles, benchFiles } from "./files.ts";
import { LANES, lanesOf, on, recordRun, replayed, type StandingSandbox, standUp } from "./recording.ts";
import { inRounds, showRounds } from "./tools.ts";

/** Environment without the test runner's loader of TypeScript, as in a run. */
const NO_LOADER = { PW_DISABLE_TS_ESM: "1" };

export const benchFloor = async (rounds: number): Promise<void> => {
  process.stdout.write("\nWhat a run of everything costs at least\n\n");
  await using files = await benchFiles();
  const recorded = await on(await standUp(services(), files.key), (sandbox) =>
    recordRun(sandbox, services()),
  );
  const measurements = await inRounds(rounds, async () => {
    const run = await measuredRun([]);
    return { run, parts: { ...(await traffic(files, recorded)), runner: await emptyRun(run.trials) } };
  });
  const show = (words: string, of: (one: (typeof measurements)[number]) => number, unit = "CPU-s"): void =>
    showRounds(words, measurements.map(of), { unit });
  const { trials = 0 } = measurements[0]?.run ?? {};
  show("a run of everything", ({ run }) => run.cpuSeconds);
  show(
    `the test runner, with ${trials.toLocaleString("en-US")} tests that do nothing`,
    ({ parts }) => parts.runner,
  );
  show("a client that only sends the same requests, without its start", ({ parts }) => parts.client);
  show("the answers of the sandbox, without its start", ({ parts }) => parts.answers);
  show(
    "the share of these three",
    ({ run, parts }) => (100 * (parts.runner + parts.client + parts.answers)) / run.cpuSeconds,
    "%",
  );
  show("the answers with the same status as in the run", ({ parts }) => parts.same, "%");
};

/**
 * Returns the CPU time of a client that replays the run, and of the sandbox that answers it, without their starts. And
 * the percentage of the responses with the same status as in the run: a sandbox that refuses everything is cheap.
 */
const traffic = async (
  files: BenchFiles,
  { requests }: Awaited<ReturnType<typeof recordRun>>,
): Promise<{ readonly client: number; readonly answers: number; readonly same: number }> => {
  const idle = await counted(files, async () => undefined);
  const { value, sandbox } = await counted(files, ({ origin }) => replayed(files, origin, lanesOf(requests)));
  return {
    client: value.cpuSeconds,
    answers: sandbox - idle.sandbox,
    same: (100 * value.same) / requests.length,
  };
};

/** Uses a fresh sandbox, and counts the CPU time of its process. */
const counted = async <Value>(
  files: BenchFiles,
  use: (sandbox: StandingSandbox) => Promise<Value>,
): Promise<{ readonly value: Value; readonly sandbox: number }> => {
  const folder = temporaryFolder("bench");
  try {
    const file = join(folder, "cpu.jsonl");
    const value = await on(await standUp(services(), files.key, countingIn(file)), use);
    return { value, sandbox: usedIn(file).cpuSeconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns the CPU time of a test runner that is configured as in a run, and whose tests do nothing. */
const emptyRun = async (tests: number): Promise<number> => {
  // From this folder, the tests find the packages of the product.
  const folder = temporaryFolder("bench", join(ROOT, "node_modules", ".cache", "assay"));
  try {
    const config = join(folder, "playwright.config.mjs");
    await writeFile(
      config,
      `export default { fullyParallel: true, workers: ${LANES}, reporter: "./silent.mjs", outputDir: "out" };\n`,
    );
    await writeFile(
      join(folder, "silent.mjs"),
      "export default class { printsToStdio() { return true; } }\n",
    );
    await writeFile(join(folder, "empty.spec.mjs"), emptyTests(tests));
    const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
    const { cpuSeconds } = await measuredProcess(
      process.execPath,
      [cli, "test", "--config", config],
      ROOT,
      NO_LOADER,
    );
    return cpuSeconds;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** About as many as the trials in a group of a run. A worker gets a group at once. */
const TESTS_IN_GROUP = 24;

/**
 * Like the tests of a run, these have no fixtures for traces of browsers. The test runner formats a stack trace for each
 * step, and looks for its sources. Compiled code makes this cheaper.
 */
const emptyTests = (tests: number): string => `import { _baseTest as test } from "@playwright/test";
Error.prepareStackTrace = (error, frames) => [error, ...frames].join("\\n    at ");
for (let first = 0; first < ${tests}; first += ${TESTS_IN_GROUP}) {
  test.describe(String(first), () => {
    test.describe.configure({ mode: "default" });
    for (let index = first; index < Math.min(first + ${TESTS_IN_GROUP}, ${tests}); index += 1)
      test(String(index), () => {});
  });
}
`;
