/** How the verdict of a requirement and the outcome of the run follow from the ledger. */
import { expect, test } from "@playwright/test";
import type { Requirement } from "../../../helpers/contract/contract.ts";
import { because, sentenceOf } from "../../../helpers/reasons/reason.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { RunFacts } from "../../../reports/certificate/certificate.ts";
import { contract, entry, facts, failure, requirement, runInfo, trialResult } from "./reports-data.ts";

interface Parts {
  readonly requirement?: Partial<Requirement>;
  readonly run?: Partial<RunInfo>;
  readonly entries?: readonly LedgerEntry[];
  readonly facts?: Partial<RunFacts>;
}

const A = "card-enrollment.a";
const trial = (state: RunFacts["trials"][number]["state"], reason?: string): Partial<RunFacts> => {
  const cause = reason === undefined ? {} : { reason: because("ended-early", reason) };
  return { trials: [{ trial: "t", requirements: [A], state, ...cause }] };
};
const passed = [entry("a", "passed")];
const needs = entry("a", "not-tried", { reason: "needs customer" });
const gone = entry("a", "blocked", { reason: "the target went away" });
const shard = { index: 1, total: 2 };
const setUrl = because("no-base-url", "CARD_ENROLLMENT_BASE_URL");

const failed = entry("a", "failed");
const violated = [entry("a", "failed", { failure: failure("{}") })];
const boom = trial("broken", "boom");
const ofB = { requirements: ["card-enrollment.b"] };
const rare = entry("a", "not-tried", { reason: "a rare one" });

/** What a run had, with the verdict of its requirement, its outcome, and the reason of the requirement. */
const CASES: readonly (readonly [
  name: string,
  is: readonly [verdict: string, outcome: string, reason?: string],
  parts: Parts,
])[] = [
  ["a pass", ["passed", "certified"], { entries: passed }],
  ["a pass is stronger than not tried", ["passed", "certified"], { entries: [needs, ...passed] }],
  [
    "blocked is stronger than a pass",
    ["blocked", "incomplete", "the target went away"],
    { entries: [gone, ...passed] },
  ],
  [
    "advisory is stronger than blocked",
    ["advisory", "certified"],
    { entries: [entry("a", "advisory"), gone] },
  ],
  [
    "failed is stronger than all others",
    ["failed", "violations"],
    { entries: [failed, entry("a", "advisory"), gone, ...passed] },
  ],
  [
    "the most frequent reason is reported",
    ["not-tried", "incomplete", "needs customer"],
    { entries: [rare, needs, needs] },
  ],
  ["no trial", ["blocked", "incomplete", "no trial tries it"], {}],
  [
    "a trial without a verdict on the requirement",
    ["blocked", "incomplete", "its trial gave no verdict"],
    { facts: trial("finished") },
  ],
  [
    "a trial that did not finish takes precedence over a pass of another",
    ["blocked", "incomplete", "its trial did not finish"],
    { entries: passed, facts: trial("planned") },
  ],
  [
    "a trial that crashed reports the reason",
    ["blocked", "incomplete", "its trial ended early: boom"],
    { facts: boom },
  ],
  ["a broken trial does not hide a failure", ["failed", "violations"], { entries: [failed], facts: boom }],
  [
    "a caller is obliged",
    ["not-tried", "incomplete", "obliges the caller"],
    { requirement: { subject: "client" } },
  ],
  [
    "a listener is obliged",
    ["not-tried", "incomplete", "obliges the listener"],
    { requirement: { subject: "listener" } },
  ],
  [
    "nothing shows it",
    ["not-tried", "incomplete", "not observable"],
    { requirement: { observable: "not-observable" } },
  ],
  [
    "a service without base URL",
    ["not-tried", "incomplete", sentenceOf(setUrl)],
    { run: { untested: { "card-enrollment": setUrl } } },
  ],
  [
    "another requirement selected, even if a trial judges this one",
    ["not-tried", "incomplete", "not selected"],
    { run: { selection: ofB }, entries: violated },
  ],
  [
    "another operation selected",
    ["not-tried", "incomplete", "not selected"],
    { run: { selection: { operations: ["getCard"] } } },
  ],
  [
    "the operation and the requirement selected",
    ["passed", "certified"],
    { run: { selection: { operations: ["putCard"], requirements: [A] } }, entries: passed },
  ],
  ["a trial in another shard", ["not-tried", "incomplete", "tried in another shard"], { run: { shard } }],
  [
    "a trial without a verdict in this shard",
    ["blocked", "incomplete", "its trial gave no verdict"],
    { run: { shard }, facts: trial("finished") },
  ],
  ["a problem of the run", ["passed", "incomplete"], { entries: passed, facts: { problems: ["It ended."] } }],
  [
    "a run that stopped after a failure",
    ["failed", "incomplete"],
    { entries: [failed], facts: { brokenOff: true } },
  ],
];

for (const [name, [verdict, outcome, reason = null], parts] of CASES) {
  test(`${name}: ${verdict}, ${outcome}`, () => {
    const certificate = buildCertificate(
      runInfo(parts.run),
      [contract([requirement("a", parts.requirement)])],
      (parts.entries ?? []).map((one) => trialResult([one])),
      facts(parts.facts),
    );
    expect(certificate.requirements[0]).toMatchObject({ id: A, verdict, reason });
    expect(certificate.outcome).toBe(outcome);
    if (reason === "not selected") expect(certificate.findings).toEqual([]);
  });
}

test("a change that no read shows is counted if its requirement is assumed", () => {
  const relations = [{ kind: "given", requirement: "a", operations: ["putCard"] }] as const;
  const own = { ...contract([requirement("a", { level: "assumed" })]), relations };
  const results = [trialResult([entry("a", "advisory", { failure: failure("{}") })])];
  const { summary } = buildCertificate(runInfo(), [own], results, facts());
  expect(summary).toMatchObject({ advisory: 1, unseenChanges: 1 });
});

test("a verdict on an unknown requirement is a problem of the run", () => {
  const results = [trialResult([entry("a", "passed"), entry("typo", "passed")])];
  const { problems, outcome } = buildCertificate(runInfo(), [contract([requirement("a")])], results, facts());
  expect(problems).toEqual([
    "Trial trial judged card-enrollment.typo, which no contract of this run contains.",
  ]);
  expect(outcome).toBe("incomplete");
});
