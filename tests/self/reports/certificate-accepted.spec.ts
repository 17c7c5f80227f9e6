/** Accepted findings: they are shown as violations, but do not affect the exit code. */
import { expect, test } from "@playwright/test";
import type { Acceptance } from "../../../helpers/accept/acceptance.ts";
import { fingerprintOf } from "../../../helpers/accept/fingerprint.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { contract, entry, facts, failure, requirement, runInfo, trialResult } from "./reports-data.ts";

const A = "card-enrollment.a";

const accepts = (fingerprint: string, expires = "2026-12-31"): Acceptance => ({
  fingerprint,
  owner: "Anna Moreau",
  reason: "fixed in the next release",
  expires,
});

const certify = (
  entries: readonly LedgerEntry[],
  accepted?: readonly Acceptance[],
  run: Partial<RunInfo> = {},
): Certificate =>
  buildCertificate(
    runInfo({ ...run, ...(accepted && { accepted: { file: "accept.yaml", entries: accepted } }) }),
    [contract([requirement("a"), requirement("b")])],
    entries.map((one) => trialResult([one])),
    facts(),
  );

const states = ({ accepted }: Certificate): (string | undefined)[] | undefined =>
  accepted?.entries.map(({ state }) => state);

const failsA = entry("a", "failed", { failure: failure("{}") });
const failsAOtherwise = entry("a", "failed", { failure: failure("{}", { message: "another" }) });
const passesB = entry("b", "passed");
const FINGERPRINT = fingerprintOf(A, failure("{}"));
const GONE = `${A}@000000000000`;

test("an accepted finding is still a violation, marked as accepted, and the run exits with 0", () => {
  const certificate = certify([failsA, passesB], [accepts(FINGERPRINT)]);
  expect(certificate.outcome).toBe("violations");
  expect(certificate.summary).toMatchObject({ failed: 1, accepted: 1 });
  expect(certificate.requirements[0]).toMatchObject({ verdict: "failed", accepted: true });
  expect(certificate.findings[0]).toMatchObject({
    fingerprint: FINGERPRINT,
    accepted: { owner: "Anna Moreau", reason: "fixed in the next release", expires: "2026-12-31" },
  });
  expect(states(certificate)).toEqual(["in-force"]);
  expect(exitCodeOf(certificate)).toBe(0);
});

test("a violation that is not accepted still fails the run", () => {
  const certificate = certify([failsA, failsAOtherwise, passesB], [accepts(FINGERPRINT)]);
  expect(certificate.requirements[0]?.accepted).toBeUndefined();
  expect(certificate.summary.accepted).toBe(0);
  expect(exitCodeOf(certificate)).toBe(1);
});

test("the run fails if only some of the failed requirements are accepted", () => {
  const failsB = entry("b", "failed", { failure: failure("{}") });
  const certificate = certify([failsA, failsB], [accepts(FINGERPRINT)]);
  expect(exitCodeOf(certificate)).toBe(1);
});

test("an entry that has expired accepts nothing", () => {
  const certificate = certify([failsA, passesB], [accepts(FINGERPRINT, "2026-01-01")]);
  expect(certificate.findings[0]?.accepted).toBeUndefined();
  expect(states(certificate)).toEqual(["expired"]);
  expect(exitCodeOf(certificate)).toBe(1);
});

test("a stale entry fails a run in which every requirement passes", () => {
  const certificate = certify([entry("a", "passed"), passesB], [accepts(GONE)]);
  expect(certificate.outcome).toBe("certified");
  expect(states(certificate)).toEqual(["stale"]);
  expect(exitCodeOf(certificate)).toBe(1);
});

const NOT_FOUND: readonly {
  readonly about: string;
  readonly fingerprint?: string;
  readonly entries?: readonly LedgerEntry[];
  readonly run?: Partial<RunInfo>;
  readonly state: string;
}[] = [
  { about: "a requirement that now fails in another way", entries: [failsAOtherwise], state: "stale" },
  {
    about: "a requirement that no longer exists",
    fingerprint: "card-enrollment.z@000000000000",
    state: "stale",
  },
  {
    about: "a service that is not tested",
    fingerprint: "installments.z@000000000000",
    state: "not-tried",
  },
  {
    about: "a requirement that could not be tried",
    entries: [entry("a", "blocked", { reason: "the target went away" })],
    state: "not-tried",
  },
  {
    about: "a requirement that was not selected",
    run: { selection: { requirements: ["card-enrollment.b"] } },
    state: "not-tried",
  },
  {
    about: "a finding that another shard may have",
    entries: [entry("a", "passed")],
    run: { shard: { index: 1, total: 2 } },
    state: "not-tried",
  },
];

for (const { about, fingerprint = GONE, entries = [], run = {}, state } of NOT_FOUND) {
  test(`an entry for ${about} is ${state}`, () => {
    const certificate = certify([...entries, passesB], [accepts(fingerprint)], run);
    expect(states(certificate)).toEqual([state]);
    if (state === "stale") expect(exitCodeOf(certificate)).toBe(1);
  });
}

test("an accepted finding does not hide a blocked requirement", () => {
  const blockedB = entry("b", "blocked", { reason: "the target went away" });
  expect(exitCodeOf(certify([failsA, blockedB], [accepts(FINGERPRINT)]))).toBe(3);
});

test("without an accept list the certificate does not mention one", () => {
  const certificate = certify([failsA]);
  expect(certificate.accepted).toBeUndefined();
  expect(certificate.summary).not.toHaveProperty("accepted");
});

const EXITS: readonly {
  readonly about: string;
  readonly entries: readonly LedgerEntry[];
  readonly code: number;
}[] = [
  { about: "all passes", entries: [entry("a", "passed"), passesB], code: 0 },
  { about: "something fails", entries: [failsA, passesB], code: 1 },
  { about: "something fails and something is blocked", entries: [failsA], code: 1 },
  { about: "something is blocked", entries: [passesB], code: 3 },
  {
    about: "nothing is tried",
    entries: [entry("a", "not-tried", { reason: "x" }), entry("b", "not-tried", { reason: "x" })],
    code: 3,
  },
];

for (const { about, entries, code } of EXITS) {
  test(`a run in which ${about} exits with ${code}`, () => {
    expect(exitCodeOf(certify(entries))).toBe(code);
  });
}

test("a run without a certificate exits with 3", () => {
  expect(exitCodeOf(undefined)).toBe(3);
});
