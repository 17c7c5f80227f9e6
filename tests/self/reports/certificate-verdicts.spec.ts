/** How the verdict of a requirement and the outcome of the run follow from the ledger. */
import { expect, test } from "@playwright/test";
import type { Requirement } from "../../../helpers/contract/contract.ts";
import { because, sentenceOf } from "../../../helpers/reasons/reason.ts";
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
  readonly is: readonly [verdict: string, outcome: string, reason?: string];
}

const A = "card-enrollment.a";
const trial = (state: RunFacts["trials"][number]["state"], reason?: string): Partial<RunFacts> => ({
  trials: [
    {
      trial: "t",
      requirements: [A],
      state,
      ...(reason === undefined ? {} : { reason: because("ended-early", reason) }),
    },
  ],
});
const passed = [entry("a", "passed")];
const needs = entry("a", "not-tried", { reason: "needs customer" });
const gone = entry("a", "blocked", { reason: "the target went away" });
const shard = { index: 1, total: 2 };
const setUrl = because("no-base-url", "CARD_ENROLLMENT_BASE_URL");

const CASES: readonly Case[] = [
  { name: "a pass", entries: passed, is: ["passed", "certified"] },
  { name: "a pass is stronger than not tried", entries: [needs, ...passed], is: ["passed", "certified"] },
  {
    name: "blocked is stronger than a pass",
    entries: [gone, ...passed],
    is: ["blocked", "incomplete", "the target went away"],
  },
  {
    name: "advisory is stronger than blocked",
    entries: [entry("a", "advisory"), gone],
    is: ["advisory", "certified"],
  },
  {
    name: "failed is stronger than all others",
    entries: [entry("a", "failed"), entry("a", "advisory"), gone, ...passed],
    is: ["failed", "violations"],
  },
  {
    name: "the most frequent reason is reported",
    entries: [entry("a", "not-tried", { reason: "a rare one" }), needs, needs],
    is: ["not-tried", "incomplete", "needs customer"],
  },
  { name: "no trial", is: ["blocked", "incomplete", "no trial tries it"] },
  {
    name: "a trial without a verdict on the requirement",
    facts: trial("finished"),
    is: ["blocked", "incomplete", "its trial gave no verdict"],
  },
  {
    name: "a trial that did not finish takes precedence over a pass of another",
    entries: passed,
    facts: trial("planned"),
    is: ["blocked", "incomplete", "its trial did not finish"],
  },
  {
    name: "a trial that crashed reports the reason",
    facts: trial("broken", "boom"),
    is: ["blocked", "incomplete", "its trial ended early: boom"],
  },
  {
    name: "a broken trial does not hide a failure",
    entries: [entry("a", "failed")],
    facts: trial("broken", "boom"),
    is: ["failed", "violations"],
  },
  {
    name: "a requirement that obliges the caller",
    requirement: { subject: "client" },
    is: ["not-tried", "incomplete", "obliges the caller"],
  },
  {
    name: "a requirement that obliges the listener",
    requirement: { subject: "listener" },
    is: ["not-tried", "incomplete", "obliges the listener"],
  },
  {
    name: "a requirement that is not observable",
    requirement: { observable: "not-observable" },
    is: ["not-tried", "incomplete", "not observable"],
  },
  {
    name: "a service without base URL",
    run: { untested: { "card-enrollment": setUrl } },
    is: ["not-tried", "incomplete", sentenceOf(setUrl)],
  },
  {
    name: "another requirement selected, even if a trial judges this one",
    run: { selection: { requirements: ["card-enrollment.b"] } },
    entries: [entry("a", "failed", { failure: failure("{}") })],
    is: ["not-tried", "incomplete", "not selected"],
  },
  {
    name: "another operation selected",
    run: { selection: { operations: ["getCard"] } },
    is: ["not-tried", "incomplete", "not selected"],
  },
  {
    name: "the operation and the requirement selected",
    run: { selection: { operations: ["putCard"], requirements: [A] } },
    entries: passed,
    is: ["passed", "certified"],
  },
  {
    name: "a trial in another shard",
    run: { shard },
    is: ["not-tried", "incomplete", "tried in another shard"],
  },
  {
    name: "a trial without a verdict in this shard",
    run: { shard },
    facts: trial("finished"),
    is: ["blocked", "incomplete", "its trial gave no verdict"],
  },
  {
    name: "a problem of the run",
    entries: passed,
    facts: { problems: ["A file could not be read."] },
    is: ["passed", "incomplete"],
  },
  {
    name: "a run that stopped after a failure",
    entries: [entry("a", "failed")],
    facts: { brokenOff: true },
    is: ["failed", "incomplete"],
  },
];

for (const one of CASES) {
  const [verdict, outcome, reason = null] = one.is;
  test(`${one.name}: ${verdict}, ${outcome}`, () => {
    const certificate = buildCertificate(
      runInfo(one.run),
      [contract([requirement("a", one.requirement)])],
      (one.entries ?? []).map((each) => trialResult([each])),
      facts(one.facts),
    );
    expect(certificate.requirements[0]).toMatchObject({ id: A, verdict, reason });
    expect(certificate.outcome).toBe(outcome);
    if (reason === "not selected") expect(certificate.findings).toEqual([]);
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
