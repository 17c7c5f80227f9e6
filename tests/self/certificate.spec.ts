/** The rules by which a ledger adds up to a certificate. */
import { expect, test } from "@playwright/test";
import type { Requirement } from "../../helpers/contract/contract.ts";
import type { LedgerEntry } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import { buildCertificate, type Certificate, type RunFacts } from "../../reports/certificate.ts";
import { contract, entry, facts, failure, page, requirement, runInfo } from "./reports-data.ts";

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
    name: "failed is stronger than all",
    entries: [entry("a", "failed"), entry("a", "advisory"), gone, ...passed],
    verdict: "failed",
    reason: null,
    outcome: "violations",
  },
  {
    name: "the most frequent reason is told",
    entries: [entry("a", "not-tried", { reason: "a rare one" }), needs, needs],
    verdict: "not-tried",
    reason: "needs customer",
    outcome: "incomplete",
  },
  { name: "no trial", verdict: "blocked", reason: "no trial tries it", outcome: "incomplete" },
  {
    name: "a trial without a verdict on it",
    facts: trial("finished"),
    verdict: "blocked",
    reason: "its trial gave no verdict",
    outcome: "incomplete",
  },
  {
    name: "a trial that did not finish outweighs a pass of another",
    entries: passed,
    facts: trial("planned"),
    verdict: "blocked",
    reason: "its trial did not finish",
    outcome: "incomplete",
  },
  {
    name: "a trial that broke off says why",
    facts: trial("broken", "its trial broke off: boom"),
    verdict: "blocked",
    reason: "its trial broke off: boom",
    outcome: "incomplete",
  },
  {
    name: "a broken trial does not hide a failure",
    entries: [entry("a", "failed")],
    facts: trial("broken", "its trial broke off: boom"),
    verdict: "failed",
    reason: null,
    outcome: "violations",
  },
  {
    name: "what obliges the caller",
    requirement: { subject: "client" },
    verdict: "not-tried",
    reason: "obliges the caller",
    outcome: "incomplete",
  },
  {
    name: "what obliges the listener",
    requirement: { subject: "listener" },
    verdict: "not-tried",
    reason: "obliges the listener",
    outcome: "incomplete",
  },
  {
    name: "what nobody can see",
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
    name: "another requirement selected, even if a trial says something of it",
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
    name: "selected by both",
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
];

for (const one of CASES) {
  test(`${one.name}: ${one.verdict}, ${one.outcome}`, () => {
    const certificate = buildCertificate(
      runInfo(one.run),
      [contract([requirement("a", one.requirement)])],
      (one.entries ?? []).map((each) => page([each])),
      facts(one.facts),
    );
    expect(certificate.requirements[0]).toMatchObject({ id: A, verdict: one.verdict, reason: one.reason });
    expect(certificate.outcome).toBe(one.outcome);
    if (one.reason === "not selected") expect(certificate.findings).toEqual([]);
  });
}

const certify = (entries: readonly LedgerEntry[], run: Partial<RunInfo> = {}): Certificate =>
  buildCertificate(
    runInfo(run),
    [contract([requirement("a"), requirement("b")])],
    entries.map((one) => page([one])),
    facts(),
  );

test("an empty run is incomplete", () => {
  expect(buildCertificate(runInfo(), [contract([])], [], facts()).outcome).toBe("incomplete");
});

test("the format is kept to the letter", () => {
  const certificate = certify([entry("a", "failed", { failure: failure("{}") })]);
  expect(Object.keys(certificate).slice(0, 12)).toEqual([
    "format",
    "target",
    "contracts",
    "seed",
    "depth",
    "startedAt",
    "durationMs",
    "outcome",
    "summary",
    "operations",
    "requirements",
    "findings",
  ]);
  expect(certificate.summary).toEqual({
    requirements: 2,
    passed: 0,
    failed: 1,
    advisory: 0,
    notTried: 0,
    blocked: 1,
    exchanges: 1,
  });
  expect(certificate.requirements[0]).toEqual({
    id: A,
    service: "card-enrollment",
    level: "documented",
    statement: "The statement of a.",
    source: "card-enrollment.md, Limits",
    verdict: "failed",
    reason: null,
    exchanges: 1,
    findings: ["f-1"],
  });
  expect(certificate.findings).toEqual([
    {
      id: "f-1",
      requirement: A,
      operationId: "putCard",
      message: "31 characters are accepted",
      expected: "400",
      actual: "200",
      curl: "curl -d '{}' http://127.0.0.1:1/x/cards",
      replay: `npm run certify -- --service card-enrollment --requirement ${A} --seed 7 --depth standard`,
    },
  ]);
});

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

test("an advisory has a finding too", () => {
  const { findings } = certify([entry("b", "advisory", { failure: failure("{}") })]);
  expect(findings).toHaveLength(1);
});

test("the order in which trials end changes nothing", () => {
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

test("statuses are counted from exchanges, documented ones at least as 0", () => {
  const row = { operationId: "putCard", documented: false };
  const pages = [
    page([], { operations: [{ ...row, status: 418, observed: 1 }] }),
    page([], { operations: [{ ...row, status: 200, documented: true, observed: 2 }] }),
    page([], { operations: [{ ...row, status: 200, documented: true, observed: 3 }] }),
    page([], { operations: [{ ...row, status: 0, observed: 1 }] }),
    page([], { service: "installments", operations: [{ ...row, status: 200, observed: 9 }] }),
  ];
  const certificate = buildCertificate(runInfo(), [contract([])], pages, facts());
  expect(certificate.operations).toEqual([
    {
      service: "card-enrollment",
      operationId: "putCard",
      method: "POST",
      path: "/cards",
      exchanges: 7,
      statuses: [
        { status: 200, documented: true, observed: 5 },
        { status: 400, documented: true, observed: 0 },
        { status: 418, documented: false, observed: 1 },
      ],
    },
  ]);
});

test("observations are told gap by gap, each once", () => {
  const observe = (observed: string) => ({ subject: "unknown fields", operationId: "putCard", observed });
  const pages = [
    page([], { observations: [observe("refused"), observe("ignored")] }),
    page([], { observations: [observe("ignored")] }),
  ];
  expect(buildCertificate(runInfo(), [contract([])], pages, facts()).observations).toEqual([
    {
      service: "card-enrollment",
      subject: "unknown fields",
      gap: "Refused or ignored.",
      observed: ["ignored", "refused"],
    },
  ]);
});

test("a verdict on what no contract states is a problem of the run", () => {
  const certificate = certify([entry("a", "passed"), entry("b", "passed"), entry("typo", "passed")]);
  expect(certificate.problems).toEqual([
    "Trial trial judged card-enrollment.typo, which no contract of this run states.",
  ]);
  expect(certificate.outcome).toBe("incomplete");
});
