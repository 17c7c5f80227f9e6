/** The parts of a certificate other than its verdicts: format, findings, statuses and observations. */
import { expect, test } from "@playwright/test";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { contract, entry, facts, failure, requirement, runInfo, trialResult } from "./reports-data.ts";

const A = "card-enrollment.a";

const certify = (entries: readonly LedgerEntry[], run: Partial<RunInfo> = {}): Certificate =>
  buildCertificate(
    runInfo(run),
    [contract([requirement("a"), requirement("b")])],
    entries.map((one) => trialResult([one])),
    facts(),
  );

test("the format is exactly the documented one", () => {
  const certificate = certify([entry("a", "failed", { failure: failure("{}") })]);
  expect(Object.keys(certificate).slice(0, 13)).toEqual([
    "format",
    "target",
    "contracts",
    "seed",
    "depth",
    "startedAt",
    "durationMs",
    "outcome",
    "partial",
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
    ableToFail: 1,
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
      pointer: "/consumer/firstName",
      exchanges: failure("{}").exchanges,
      fingerprint: "card-enrollment.a@8dcbbdffadff",
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

test("the shortest of several sequences with the same violation is reported", () => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `step ${index}`, beside: false }));
  const long = entry("a", "failed", { failure: failure("{}", { sequence: steps(3) }) });
  const short = entry("a", "failed", { failure: failure('{"long":"example"}', { sequence: steps(2) }) });
  expect(certify([long, short]).findings.map(({ sequence }) => sequence?.length)).toEqual([2]);
});

test("an advisory has a finding too", () => {
  const { findings } = certify([entry("b", "advisory", { failure: failure("{}") })]);
  expect(findings).toHaveLength(1);
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

test("statuses are counted from exchanges, and documented statuses without exchanges count 0", () => {
  const row = { operationId: "putCard", documented: false };
  const results = [
    trialResult([], { operations: [{ ...row, status: 418, observed: 1 }] }),
    trialResult([], { operations: [{ ...row, status: 200, documented: true, observed: 2 }] }),
    trialResult([], { operations: [{ ...row, status: 200, documented: true, observed: 3 }] }),
    trialResult([], { operations: [{ ...row, status: 0, observed: 1 }] }),
    trialResult([], { service: "installments", operations: [{ ...row, status: 200, observed: 9 }] }),
  ];
  const certificate = buildCertificate(runInfo(), [contract([])], results, facts());
  expect(certificate.operations).toEqual([
    {
      service: "card-enrollment",
      operationId: "putCard",
      method: "POST",
      path: "/cards",
      section: "Cards",
      deprecated: false,
      exchanges: 7,
      statuses: [
        { status: 200, documented: true, observed: 5 },
        { status: 400, documented: true, observed: 0 },
        { status: 418, documented: false, observed: 1 },
      ],
    },
  ]);
});

test("observations are grouped by gap, each listed once", () => {
  const observe = (observed: string) => ({ subject: "unknown fields", operationId: "putCard", observed });
  const results = [
    trialResult([], { observations: [observe("refused"), observe("ignored")] }),
    trialResult([], { observations: [observe("ignored")] }),
  ];
  expect(buildCertificate(runInfo(), [contract([])], results, facts()).observations).toEqual([
    {
      service: "card-enrollment",
      subject: "unknown fields",
      gap: "Refused or ignored.",
      observed: ["ignored", "refused"],
    },
  ]);
});
