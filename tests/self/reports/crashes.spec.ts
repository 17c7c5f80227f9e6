/** A run in which the suite itself failed is never certified; the stack trace is in a file next to the certificate. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createAllowance } from "../../../helpers/exchange/allowance.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import { endOf } from "../../../helpers/run/child.ts";
import { runEnvironment } from "../../../helpers/run/this-run.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { crashFile } from "../../../helpers/trials/crash.ts";
import { trackCreatedResources } from "../../../helpers/trials/created-resources.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, TrialFact } from "../../../reports/certificate/certificate.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { openCoordinator } from "../../../runner/coordinator.ts";
import { ROOT, run } from "../support/command.ts";
import { onSandbox } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "./reports-data.ts";
import { startSuite, writeSuite } from "./suite.ts";

const TRACE = /\n {4}at /;

/** Expects a certificate that names the file of the stack trace and contains none of its text. */
const expectFit = (certificate: Certificate): void => {
  const text = JSON.stringify(certificate, null, 1);
  expect(text).not.toContain(ROOT);
  expect(text).not.toMatch(/\\n {4}at |node:internal|file:\/\//);
};

test("a trial that throws blocks its requirements, and its results have a stack trace without secrets", async () => {
  const own = await loadContract("card-enrollment");
  const key = "a-key-that-nobody-may-read";
  const [tried] = own.requirements;
  const trial: Trial = {
    id: "crashes/here",
    service: own.service,
    title: "",
    section: "",
    operations: [],
    requirements: [tried?.id ?? ""],
    hazards: [],
    run: async ({ target }) => {
      throw new TypeError(`it holds ${target.values.CARD_ENROLLMENT_UNVALIDATED_API_KEY}`);
    },
    observe: () => undefined,
  };
  const values = { CARD_ENROLLMENT_UNVALIDATED_API_KEY: key };
  const result = await onSandbox({ contract: own, values }, (session) => session.run(trial));
  expect(result.crash).toMatch(TRACE);
  expect(result.crash).toContain("TypeError: it holds ‹CARD_ENROLLMENT_UNVALIDATED_API_KEY›");
  expect(result.crash).not.toContain(key);
  const file = crashFile(own.service, trial.id);
  expect(result.entries).toMatchObject([{ verdict: "blocked", reason: because("crashed", file) }]);
});

const A = "card-enrollment.a";
const LATER = "card-enrollment.later";
const judged = {
  ...contract([requirement("a"), requirement("later")]),
  requirementSet: { version: "1.0.0", digest: "sha256-11", requirements: 1, later: [LATER], gone: [] },
};
const fact = (state: TrialFact["state"], requirements: readonly string[], reason = "it died") =>
  facts({ trials: [{ trial: "t", requirements, state, reason: because("ended-early", reason) }] });

/** The crashes; a passing trial of the frozen requirement set runs with each of them. */
const CRASHES = [
  { about: "a crash in a trial of a later requirement", facts: fact("broken", [LATER]), names: LATER },
  { about: "a crash in a trial without requirements", facts: fact("broken", []), names: "it died" },
  { about: "a trial of a later requirement that never started", facts: fact("planned", [LATER]) },
];

for (const { about, facts: known, names } of CRASHES) {
  test(`${about} leaves the run incomplete`, () => {
    const certificate = buildCertificate(runInfo(), [judged], [trialResult([entry("a", "passed")])], known);
    expect([certificate.outcome, exitCodeOf(certificate)]).toEqual(["incomplete", 3]);
    expect(certificate.requirements.find(({ id }) => id === A)?.verdict).toBe("passed");
    expect(certificate.problems).toEqual(names === undefined ? [] : [expect.stringContaining(names)]);
  });
}

test("a violation is still reported next to a crash", () => {
  const result = [trialResult([entry("a", "failed")])];
  const certificate = buildCertificate(runInfo(), [judged], result, fact("broken", [LATER]));
  expect([certificate.outcome, exitCodeOf(certificate)]).toEqual(["violations", 1]);
});

/** The requirements that the trials below try, in the same order. */
const TRIED = [
  "card-enrollment.auth.whole-interface",
  "card-enrollment.auth.401-on-failed-check",
  "card-enrollment.auth.api-key-in-header",
];

/** A spec with trials that crash in every possible way, declared like the trials of a service. */
const SPEC = `
import { declareTests, plannedContract } from "./fixtures/engine/tests.ts";
const service = "card-enrollment";
const contract = await plannedContract(service);
const trial = (id, requirements, run) => ({
  id, service, title: id, section: id, operations: [], requirements, hazards: [], run, observe() {},
});
const [throws, rejects, exits] = ${JSON.stringify(TRIED)};
const later = () => new Promise((resolve) => setTimeout(resolve, 1000));
declareTests(contract, [
  trial("well", [], async () => {}),
  trial("throws", [throws], async ({ target }) => { throw new TypeError(target.values.CARD_ENROLLMENT_API_KEY); }),
  trial("throws/of-none", [], async () => { throw "no error at all"; }),
  trial("rejects", [rejects], async ({ target }) => {
    Promise.reject(new RangeError(target.values.CARD_ENROLLMENT_API_KEY));
    await later();
  }),
  trial("exits", [exits], async () => { process.exit(7); }),
]);
`;

const CONFIG = `
import { runPlan } from "./helpers/run/this-run.ts";
import { reportersOf } from "./reports/folder/reporters.ts";
const { info, scratch } = await runPlan();
const { out, shard } = info;
export default {
  testDir: ".", fullyParallel: true, workers: 1, metadata: { assay: info }, outputDir: scratch,
  projects: [{ name: "card-enrollment" }],
  reporter: reportersOf({ out, of: shard ? "shard" : "run" }),
};
`;

const KEY = "a-key-of-somebody";

/** Runs the trials in the folder. @returns the folder with the results */
const runCrashing = async (folder: string, name: string, shard: RunInfo["shard"]): Promise<string> => {
  const out = join(folder, name);
  await mkdir(out);
  const { service, version, digest } = await loadContract("card-enrollment");
  const values = { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:9", CARD_ENROLLMENT_API_KEY: KEY };
  const target = targetOf("external", values, false);
  const contracts = [{ service, version, digest, provider: null }];
  const info = runInfo({ out, contracts, shard, startedAt: new Date().toISOString() });
  const allowance = createAllowance(target.permissions);
  const plan = () => ({ info, target, workers: 1, order: [], scratch: join(folder, "scratch") });
  const coordinator = await openCoordinator({ plan, allowance, made: trackCreatedResources() });
  await endOf(startSuite(folder, runEnvironment(coordinator.address)));
  coordinator.close();
  return out;
};

const expectCrashes = (out: string): void => {
  const certificate = readCertificate(out) as Certificate;
  expect(certificate.outcome).toBe("incomplete");
  expectFit(certificate);
  const { problems, requirements } = certificate;
  expect(problems.map((problem) => /^Trial (\S+)/.exec(problem)?.[1])).toEqual([
    "exits",
    "rejects",
    "throws",
    "throws/of-none",
  ]);
  for (const id of TRIED) {
    expect(requirements.find((one) => one.id === id)?.verdict).toBe("blocked");
    expect(problems.filter((problem) => problem.includes(`(${id})`))).toHaveLength(1);
  }
  for (const trial of ["rejects", "throws", "throws/of-none"]) {
    const file = crashFile("card-enrollment", trial);
    expect(problems.filter((problem) => problem.endsWith(`${file}.`))).toHaveLength(1);
    const trace = readFileSync(join(out, file), "utf8");
    expect(trace).toMatch(trial === "throws/of-none" ? /no error at all/ : TRACE);
    expect(trace).not.toContain(KEY);
  }
  expect(existsSync(join(out, crashFile("card-enrollment", "well")))).toBe(false);
};

test("for every kind of crash, the certificate names the trial and its file", async () => {
  const folder = await writeSuite(SPEC, CONFIG);
  expectCrashes(await runCrashing(folder, "whole", null));
});

test(
  "for every kind of crash, the certificate of merged shards names the trial and its file",
  LONG,
  async () => {
    const folder = await writeSuite(SPEC, CONFIG);
    const shards = [
      await runCrashing(folder, "one", { index: 1, total: 2 }),
      await runCrashing(folder, "two", { index: 2, total: 2 }),
    ];
    const out = join(folder, "merged");
    const { code, stderr } = await run("merge", [...shards, "--out", out]);
    expect([code, stderr]).toEqual([3, ""]);
    expectCrashes(out);
  },
);
