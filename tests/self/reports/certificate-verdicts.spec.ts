/** How the verdict of a requirement and the outcome of the run follow from the ledger. */
import { expect, test } from "@playwright/test";
import type { Requirement } from "../../../helpers/contract/contract.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { RunFacts } from "../../../reports/certificate/certificate.ts";
import { contract, entry, facts, failure, requirement, runInfo, trialResult } from "./reports-data.ts";

interface Case {
  readonly name: string;
  readonly requirement?: Partial<Requirement>;
  readonly run?: Partial<RunInfo>;
  readonly entries?: readonly LedgerEntry[];
  readonly facts?: Partial<RunFacts>;
  readonly verdict: string;
  readonly reason: string | null;
  readonly outcome: string;
}

const A = "card-enrollment.a";
const trial = (state: RunFacts["trials"][number]["state"], reason?: string): Partial<RunFacts> => ({
  trials: [{ trial: "t", requirements: [A], state, ...(reason === undefined ? {} : { reason }) }],
});
const passed = [entry("a", "passed")];
const needs = entry("a", "not-tried", { reason: "needs customer" });
const gone = entry("a", "blocked", { reason: "the target went away" });
const shard = { index: 1, total: 2 };
const setUrl = "no base URL: set CARD_ENROLLMENT_BASE_URL";

const CASES: readonly Case[] = [
  { name: "a pass", entries: passed, verdict: "passed", reason: null, outcome: "certified" },
  {
    name: "a pass is stronger than not tried",
    entries: [needs, ...passed],
    verdict: "passed",
    reason: null,
    outcome: "certified",
  },
  {
    name: "blocked is stronger than a pass",
    entries: [gone, ...passed],
    verdict: "blocked",
    reason: "the target went away",
    outcome: "incomplete",
  },
  {
    name: "advisory is stronger than blocked",
    entries: [entry("a", "advisory"), gone],
    verdict: "advisory",
    reason: null,
    outcome: "certified",
  },
  {
    name: "failed is stronger than all others",
    entries: [entry("a", "failed"), entry("a", "advisory"), gone, ...passed],
    verdict: "failed",
    reason: null,
    outcome: "violations",
  },
  {
    name: "the most frequent reason is reported",
    entries: [entry("a", "not-tried", { reason: "a rare one" }), needs, needs],
    verdict: "not-tried",
    reason: "needs customer",
    outcome: "incomplete",
  },
  { name: "no trial", verdict: "blocked", reason: "no trial tries it", outcome: "incomplete" },
  {
    name: "a trial without a verdict on the requirement",
    facts: trial("finished"),
    verdict: "blocked",
    reason: "its trial gave no verdict",
    outcome: "incomplete",
  },
  {
    name: "a trial that did not finish takes precedence over a pass of another",
    entries: passed,
    facts: trial("planned"),
    verdict: "blocked",
    reason: "its trial did not finish",
    outcome: "incomplete",
  },
  {
    name: "a trial that crashed reports the reason",
    facts: trial("broken", "its trial ended early: boom"),
    verdict: "blocked",
    reason: "its trial ended early: boom",
    outcome: "incomplete",
  },
  {
    name: "a broken trial does not hide a failure",
    entries: [entry("a", "failed")],
    facts: trial("broken", "its trial ended early: boom"),
    verdict: "failed",
    reason: null,
    outcome: "violations",
  },
  {
    name: "a requirement that obliges the caller",
    requirement: { subject: "client" },
    verdict: "not-tried",
    reason: "obliges the caller",
    outcome: "incomplete",
  },
  {
    name: "a requirement that obliges the listener",
    requirement: { subject: "listener" },
    verdict: "not-tried",
    reason: "obliges the listener",
    outcome: "incomplete",
  },
  {
    name: "a requirement that is not observable",
    requirement: { observable: "not-observable" },
    verdict: "not-tried",
    reason: "not observable",
    outcome: "incomplete",
  },
  {
    name: "a service without base URL",
    run: { untested: { "card-enrollment": setUrl } },
    verdict: "not-tried",
    reason: setUrl,
    outcome: "incomplete",
  },
  {
    name: "another requirement selected, even if a trial judges this one",
    run: { selection: { requirements: ["card-enrollment.b"] } },
    entries: [entry("a", "failed", { failure: failure("{}") })],
    verdict: "not-tried",
    reason: "not selected",
    outcome: "incomplete",
  },
  {
    name: "another operation selected",
    run: { selection: { operations: ["getCard"] } },
    verdict: "not-tried",
    reason: "not selected",
    outcome: "incomplete",
  },
  {
    name: "the operation and the requirement selected",
    run: { selection: { operations: ["putCard"], requirements: [A] } },
    entries: passed,
    verdict: "passed",
    reason: null,
    outcome: "certified",
  },
  {
    name: "a trial in another shard",
    run: { shard },
    verdict: "not-tried",
    reason: "tried in another shard",
    outcome: "incomplete",
  },
  {
    name: "a trial without a verdict in this shard",
    run: { shard },
    facts: trial("finished"),
    verdict: "blocked",
    reason: "its trial gave no verdict",
    outcome: "incomplete",
  },
  {
    name: "a problem of the run",
    entries: passed,
    facts: { problems: ["A file could not be read."] },
    verdict: "passed",
    reason: null,
    outcome: "incomplete",
  },
  {
    name: "a run that stopped after a failure",
    entries: [entry("a", "failed")],
    facts: { brokenOff: true },
    verdict: "failed",
    reason: null,
    outcome: "incomplete",
  },
];

for (const one of CASES) {
  test(`${one.name}: ${one.verdict}, ${one.outcome}`, () => {
    const certificate = buildCertificate(
      runInfo(one.run),
      [contract([requirement("a", one.requirement)])],
      (one.entries ?? []).map((each) => trialResult([each])),
      facts(one.facts),
    );
    expect(certificate.requirements[0]).toMatchObject({ id: A, verdict: one.verdict, reason: one.reason });
    expect(certificate.outcome).toBe(one.outcome);
    if (one.reason === "not selected") expect(certificate.findings).toEqual([]);
  });
}

test("an empty run is incomplete", () => {
  expect(buildCertificate(runInfo(), [contract([])], [], facts()).outcome).toBe("incomplete");
});

test("a verdict on an unknown requirement is a problem of the run", () => {
  const certificate = buildCertificate(
    runInfo(),
    [contract([requirement("a")])],
    [trialResult([entry("a", "passed"), entry("typo", "passed")])],
    facts(),
  );
  expect(certificate.problems).toEqual([
    "Trial trial judged card-enrollment.typo, which no contract of this run contains.",
  ]);
  expect(certificate.outcome).toBe("incomplete");
});
