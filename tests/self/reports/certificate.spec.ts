/** The parts of a certificate other than its verdicts: format, findings, statuses and observations. */
import { expect, test } from "@playwright/test";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { certificateOf, entry, failure, requirement } from "./reports-data.ts";

const A = "card-enrollment.a";

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
