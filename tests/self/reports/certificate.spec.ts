/** How a certificate follows from the ledger: the verdict of a requirement, the outcome of the run, and its findings. */
import { expect, test } from "@playwright/test";
import type { Requirement } from "../../../helpers/contract/contract.ts";
import { because, sentenceOf } from "../../../helpers/reasons/reason.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, RunFacts } from "../../../reports/certificate/certificate.ts";
import {
  certificateOf,
  contract,
  entry,
  facts,
  failure,
  requirement,
  runInfo,
  trialResult,
} from "./reports-data.ts";

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

const certify = (entries: readonly LedgerEntry[], run: Partial<RunInfo> = {}): Certificate =>
  certificateOf([requirement("a"), requirement("b")], entries, run);

test("the same failure of several trials is one finding with the smallest example", () => {
  const long = entry("a", "failed", { failure: failure('{"long":"example"}') });
  const short = entry("a", "failed", { failure: failure("{}") });
  const other = entry("a", "failed", { failure: failure("{}", { message: "another" }) });
  const { findings, requirements } = certify([long, short, long, other]);
  expect(findings.map(({ message, curl }) => [message, curl.includes("long")])).toEqual([
    ["31 characters are accepted", false],
    ["another", false],
  ]);
  expect(requirements[0]?.findings).toEqual(["f-1", "f-2"]);
});

test("the shortest of several sequences with the same violation is reported", () => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `step ${index}`, beside: false }));
  const long = entry("a", "failed", { failure: failure("{}", { sequence: steps(3) }) });
  const short = entry("a", "failed", { failure: failure('{"long":"example"}', { sequence: steps(2) }) });
  expect(certify([long, short]).findings.map(({ sequence }) => sequence?.length)).toEqual([2]);
});

test("the plainest example of a requirement comes first", () => {
  const sent = (message: string, rank: number) =>
    entry("a", "failed", { failure: failure("{}", { message, rank }) });
  const entries = [sent("a: 31 characters are accepted", 2), sent("b is accepted", 0)];
  const { findings } = certificateOf([requirement("a")], entries);
  expect(findings.map(({ id, message }) => [id, message])).toEqual([
    ["f-1", "b is accepted"],
    ["f-2", "a: 31 characters are accepted"],
  ]);
});

test("the order in which trials end does not change the certificate", () => {
  const entries = [
    entry("b", "failed", { failure: failure("{}", { pointer: "/z" }) }),
    entry("b", "failed", { failure: failure("{}", { pointer: "/a" }) }),
    entry("a", "failed", { failure: failure("[]") }),
    entry("a", "failed", { failure: failure("{}") }),
    entry("a", "blocked", { reason: "one" }),
    entry("b", "blocked", { reason: "two" }),
  ];
  expect(JSON.stringify(certify([...entries].reverse()))).toBe(JSON.stringify(certify(entries)));
});

test("the replay line names the target and the provider's document", () => {
  const { findings } = certify([entry("a", "failed", { failure: failure("{}") })], {
    target: { name: "my test", embedded: false, baseUrls: {} },
    contracts: [
      {
        service: "card-enrollment",
        version: "1.0.0",
        digest: "sha256-00",
        provider: { file: "provider.yaml", version: "2", digest: "sha256-01" },
        providerFile: "docs/provider.yaml",
      },
    ],
  });
  expect(findings[0]?.replay).toBe(
    "npm run certify -- --target 'my test' --service card-enrollment " +
      `--contract card-enrollment=docs/provider.yaml --requirement ${A} --seed 7 --depth standard`,
  );
});
