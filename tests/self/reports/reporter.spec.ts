/** The reporter in a separate test runner process: live, killed, sharded and merged. */
import type { ChildProcess } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { endOf } from "../../../helpers/run/child.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { run } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";
import { entry, failure, runInfo, trialResult } from "./reports-data.ts";
import { startSuite, writeSuite } from "./suite.ts";

const HANGS = "a trial that never ends";

/** A spec with one test per trial, annotated, with its results attached, as in the product. */
const specOf = (trials: readonly TrialResult[]): string => `
import { test } from "@playwright/test";
for (const page of ${JSON.stringify(trials)}) {
  const annotation = [
    { type: "allure.label.trial", description: page.trial },
    ...page.entries.map((entry) => ({ type: "allure.label.story", description: entry.requirement })),
  ];
  test(page.trial, { annotation }, async ({}, testInfo) => {
    testInfo.setTimeout(0);
    if (page.trial === "${HANGS}") await new Promise(() => {});
    await testInfo.attach("ledger", { contentType: "application/json", body: JSON.stringify(page) });
  });
}
`;

const CONFIG = `
import { reportersOf } from "./reports/folder/reporters.ts";
const run = JSON.parse(process.env.RUN);
export default {
  testDir: ".", fullyParallel: true, workers: 1, metadata: { assay: run },
  outputDir: run.out + "/tests",
  reporter: reportersOf({ out: run.out, of: run.shard ? "shard" : "run", allure: true }),
  shard: run.shard ? { current: run.shard.index, total: run.shard.total } : null,
};
`;

interface Suite {
  /** Starts a run that writes to the folder `name` of the suite. */
  start(
    name: string,
    changes?: Partial<RunInfo>,
  ): { child: ChildProcess; out: string; ended: Promise<unknown> };
  run(name: string, changes?: Partial<RunInfo>): Promise<Certificate>;
}

const suiteOf = async (trials: readonly TrialResult[], contract: Contract): Promise<Suite> => {
  const folder = await writeSuite(specOf(trials), CONFIG);
  const { version, digest } = contract;
  const start: Suite["start"] = (name, changes) => {
    const out = join(folder, name);
    const contracts = [{ service: contract.service, version, digest, provider: null }];
    const info = runInfo({ out, contracts, startedAt: new Date().toISOString(), ...changes });
    const child = startSuite(folder, { RUN: JSON.stringify(info) });
    return { child, out, ended: endOf(child) };
  };
  return {
    start,
    async run(name, changes) {
      const { out, ended } = start(name, changes);
      await ended;
      return certificateIn(out);
    },
  };
};

const merge = async (...args: readonly string[]): Promise<{ code: number | null; said: string }> => {
  const { code, stdout, stderr } = await run("merge", args);
  return { code, said: stdout + stderr };
};

const certificateIn = async (out: string): Promise<Certificate> =>
  JSON.parse(await readFile(join(out, "certificate.json"), "utf8")) as Certificate;

/** Returns the certificate as text, without the times. */
const timeless = (certificate: Certificate): string =>
  JSON.stringify({ ...certificate, startedAt: "", durationMs: 0 }, null, 1);

/** Returns one passing trial for every service requirement that a run must judge. */
const passingTrials = (contract: Contract): TrialResult[] =>
  Array.from({ length: 6 }, (_, at) => {
    const ids = contract.requirements
      .filter(({ subject, observable }) => subject === "service" && observable !== "not-observable")
      .map(({ id }) => id.replace("card-enrollment.", ""))
      .filter((_id, index) => index % 6 === at);
    return trialResult(
      ids.map((id) => entry(id, "passed")),
      { trial: `trial-${at}` },
    );
  });

const failing = (trial: TrialResult): TrialResult => {
  const [first, ...others] = trial.entries;
  if (!first) throw new Error("The trial has no entries.");
  const failed = { ...first, verdict: "failed" as const, failure: failure("{}") };
  return { ...trial, entries: [failed, ...others] };
};

let contract: Contract;
test.beforeAll(async () => {
  contract = await loadContract("card-enrollment");
});

test("a run that is killed leaves a readable certificate that is incomplete", async () => {
  const trials = passingTrials(contract);
  const last = trials.at(-1) as TrialResult;
  const suite = await suiteOf([...trials.slice(0, -1), { ...last, trial: HANGS }], contract);
  const { child, out, ended } = suite.start("out");
  const passed = async (): Promise<number> =>
    (await certificateIn(out).catch(() => undefined))?.summary.passed ?? 0;
  await expect.poll(passed).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await ended;
  const certificate = await certificateIn(out);
  expect(certificate.outcome).toBe("incomplete");
  const id = last.entries[0]?.requirement;
  expect(certificate.requirements.find((one) => one.id === id)).toMatchObject({
    verdict: "blocked",
    reason: "its trial did not finish",
  });
});

test("a run without trials is incomplete", async () => {
  const suite = await suiteOf([], contract);
  const { outcome, problems } = await suite.run("out");
  expect([outcome, problems.length]).toEqual(["incomplete", 1]);
});

test("merged shards give the certificate of the unsharded run", async () => {
  const [first, ...others] = passingTrials(contract);
  const suite = await suiteOf([failing(first as TrialResult), ...others], contract);
  const whole = await suite.run("whole");
  const one = await suite.run("one", { shard: { index: 1, total: 2 } });
  const two = await suite.run("two", { shard: { index: 2, total: 2 } });
  const reasons = (certificate: Certificate) => certificate.requirements.map(({ reason }) => reason);
  for (const shard of [one, two]) expect(reasons(shard)).toContain("tried in another shard");
  expect([whole.problems, whole.requirements.length]).toEqual([[], contract.requirements.length]);
  expect(whole.summary.passed).toBeGreaterThan(100);

  const folder = test.info().outputPath("suite");
  const dir = (name: string): string => join(folder, name);
  const merged = await merge(dir("two"), dir("one"), "--out", dir("merged"));
  expect(merged.code, merged.said).toBe(1);
  const certificate = await certificateIn(dir("merged"));
  expect(timeless(certificate)).toBe(timeless(whole));
  expect(certificate.outcome).toBe("violations");
  await readFile(join(dir("merged"), "junit.xml"));
  await readFile(join(dir("merged"), "allure-report", "index.html"));

  const refusals: [string[], string][] = [
    [[dir("one")], "Shards are missing: 2/2."],
    [[dir("one"), dir("one")], "Shard 1/2 is given more than once"],
    [[dir("whole")], "a run without --shard"],
    [[dir("nowhere")], "There is no certificate.json in"],
    [[], "missing required argument"],
  ];
  const intoShard = await merge(dir("one"), dir("two"), "--out", dir("two"));
  expect(intoShard).toMatchObject({ code: 2, said: expect.stringContaining("holds a shard") });
  for (const [dirs, message] of refusals) {
    const refused = await merge(...dirs, "--out", dir("refused"));
    expect(refused.said).toContain(message);
    expect(refused.code).toBe(2);
  }
});

test("shards of different runs and shards that did not finish are refused", QUICK, async () => {
  const suite = await suiteOf(passingTrials(contract), contract);
  await suite.run("one", { shard: { index: 1, total: 2 } });
  const dir = (name: string): string => join(test.info().outputPath("suite"), name);
  await cp(dir("one"), dir("two"), { recursive: true });
  const two = { ...(await certificateIn(dir("one"))), shard: { index: 2, total: 2 } };
  await writeFile(join(dir("two"), "certificate.json"), JSON.stringify({ ...two, seed: 8 }));
  const different = await merge(dir("one"), dir("two"), "--out", dir("merged"));
  expect(different).toMatchObject({ code: 2, said: expect.stringContaining("their seed differ (7, 8)") });

  await writeFile(join(dir("two"), "certificate.json"), JSON.stringify(two));
  await rm(join(dir("two"), "blob"), { recursive: true });
  const unfinished = await merge(dir("one"), dir("two"), "--out", dir("merged"));
  expect(unfinished).toMatchObject({
    code: 2,
    said: expect.stringContaining("shard 2/2 did not finish"),
  });
});
