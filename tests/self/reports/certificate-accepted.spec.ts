/** Accepted findings: they are shown as violations, but do not affect the exit code. */
import { expect, test } from "@playwright/test";
import type { Acceptance } from "../../../helpers/accept/acceptance.ts";
import { fingerprintOf } from "../../../helpers/accept/fingerprint.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { accepts, certificateOf, entry, failure, requirement } from "./reports-data.ts";

const A = "card-enrollment.a";

const certify = (
  entries: readonly LedgerEntry[],
  accepted?: readonly Acceptance[],
  run: Partial<RunInfo> = {},
): Certificate =>
  certificateOf([requirement("a"), requirement("b")], entries, {
    ...run,
    ...(accepted && { accepted: { file: "accept.yaml", entries: accepted } }),
  });

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

const failsB = entry("b", "failed", { failure: failure("{}") });
const passesA = entry("a", "passed");
const blocked = (id: string) => entry(id, "blocked", { reason: "the target went away" });
const untried = ["a", "b"].map((id) => entry(id, "not-tried", { reason: "x" }));
const known = [accepts(FINGERPRINT)];
const expired = [accepts(FINGERPRINT, "2026-01-01")];
const gone = [accepts(GONE)];
const goneRequirement = [accepts("card-enrollment.z@000000000000")];
const otherService = [accepts("installments.z@000000000000")];
const onlyB = { selection: { requirements: ["card-enrollment.b"] } };
const shard = { shard: { index: 1, total: 2 } };

const RUNS: readonly (readonly [
  about: string,
  entries: readonly LedgerEntry[],
  code: number,
  accepted?: readonly Acceptance[],
  state?: string,
  run?: Partial<RunInfo>,
])[] = [
  ["something fails and something is blocked", [failsA], 1],
  ["nothing is tried", untried, 3],
  ["a violation is beside the accepted one", [failsA, failsAOtherwise, passesB], 1, known, "in-force"],
  ["another requirement fails", [failsA, failsB], 1, known, "in-force"],
  ["another requirement is blocked", [failsA, blocked("b")], 3, known, "in-force"],
  ["the entry has expired", [failsA, passesB], 1, expired, "expired"],
  ["the accepted requirement passes", [passesA, passesB], 1, gone, "stale"],
  ["the requirement fails in another way", [failsAOtherwise, passesB], 1, gone, "stale"],
  ["the requirement no longer exists", [passesB], 1, goneRequirement, "stale"],
  ["the service of the entry is not tested", [passesB], 3, otherService, "not-tried"],
  ["the requirement could not be tried", [blocked("a"), passesB], 3, gone, "not-tried"],
  ["the requirement was not selected", [passesB], 0, gone, "not-tried", onlyB],
  ["another shard may have the finding", [passesA, passesB], 0, gone, "not-tried", shard],
];

for (const [about, entries, code, accepted, state, run] of RUNS) {
  test(`a run in which ${about} exits with ${code}${state === undefined ? "" : `: ${state}`}`, () => {
    const certificate = certify(entries, accepted, run);
    expect([exitCodeOf(certificate), states(certificate)]).toEqual([code, state && [state]]);
    expect(certificate.findings.filter((one) => one.accepted)).toHaveLength(state === "in-force" ? 1 : 0);
  });
}

test("without an accept list the certificate does not mention one", () => {
  const certificate = certify([failsA]);
  expect(certificate.accepted).toBeUndefined();
  expect(certificate.summary).not.toHaveProperty("accepted");
});

test("a run without a certificate exits with 3", () => {
  expect(exitCodeOf(undefined)).toBe(3);
});
