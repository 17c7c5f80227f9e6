/** The changes between two certificates, and which of them are regressions. */
import { expect, test } from "@playwright/test";
import { fingerprintOf } from "../../../helpers/accept/fingerprint.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import type { ChangeKind } from "../../../reports/certificate/changes.ts";
import { compareCertificates } from "../../../reports/certificate/comparison.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { accepts, certificateOf as certified, entry, failure, requirement } from "./reports-data.ts";

type State = "absent" | LedgerEntry["verdict"];

const entryOf = (state: State, message = "one"): LedgerEntry[] => {
  if (state === "absent") return [];
  if (state === "failed") return [entry("a", "failed", { failure: failure("{}", { message }) })];
  return [entry("a", state, state === "not-tried" || state === "blocked" ? { reason: "why" } : {})];
};

/** Creates a certificate in which `b` passes and `a` has this verdict, or is absent. */
const certificateOf = (state: State, message?: string, run: Partial<RunInfo> = {}): Certificate =>
  certified(
    [...(state === "absent" ? [] : [requirement("a")]), requirement("b")],
    [...entryOf(state, message), entry("b", "passed")],
    run,
  );

/** The change of `a`, by its verdict before (rows) and now (columns); an empty text means no change. */
const NOW: readonly State[] = ["absent", "passed", "failed", "advisory", "not-tried", "blocked"];
const MATRIX: Readonly<Record<State, readonly (ChangeKind | "")[]>> = {
  absent: ["", "added", "newly-failing", "added", "added", "newly-blocked"],
  passed: ["gone", "", "newly-failing", "newly-advisory", "no-longer-tried", "newly-blocked"],
  failed: ["gone", "fixed", "", "fixed", "no-longer-tried", "newly-blocked"],
  advisory: ["gone", "no-longer-advisory", "newly-failing", "", "no-longer-tried", "newly-blocked"],
  "not-tried": ["gone", "newly-tried", "newly-failing", "newly-tried", "", "newly-blocked"],
  blocked: ["gone", "newly-tried", "newly-failing", "newly-tried", "no-longer-blocked", ""],
};

for (const [before, kinds] of Object.entries(MATRIX) as [State, readonly (ChangeKind | "")[]][]) {
  for (const [index, kind] of kinds.entries()) {
    const now = NOW[index] as State;
    test(`${before}, now ${now}: ${kind || "no change"}`, () => {
      const { changes, regressions } = compareCertificates(certificateOf(before), certificateOf(now));
      expect(changes.map((change) => change.kind)).toEqual(kind === "" ? [] : [kind]);
      expect(regressions).toBe(kind === "newly-failing" ? 1 : 0);
    });
  }
}

test("a requirement that fails for another reason is a regression, and the old reason is stale", () => {
  const [before, now] = [certificateOf("failed", "one"), certificateOf("failed", "two")];
  const comparison = compareCertificates(before, now);
  expect(comparison.changes).toMatchObject([
    {
      kind: "failing-otherwise",
      regression: true,
      fingerprints: [fingerprintOf("card-enrollment.a", failure("{}", { message: "two" }))],
    },
  ]);
  expect(comparison.stale).toEqual([fingerprintOf("card-enrollment.a", failure("{}", { message: "one" }))]);
});

test("an accepted finding is not a regression", () => {
  const known = accepts(fingerprintOf("card-enrollment.a", failure("{}", { message: "one" })));
  const now = certificateOf("failed", "one", { accepted: { file: "accept.yaml", entries: [known] } });
  const comparison = compareCertificates(certificateOf("passed"), now);
  expect(comparison.changes).toMatchObject([{ kind: "newly-failing", regression: false }]);
  expect(comparison.regressions).toBe(0);
});

test("the baseline entry of a fixed requirement is stale, and the entry of an untried requirement is not", () => {
  const before = certificateOf("failed");
  const [fingerprint] = before.findings.map((finding) => finding.fingerprint);
  expect(compareCertificates(before, certificateOf("passed")).stale).toEqual([fingerprint]);
  expect(compareCertificates(before, certificateOf("not-tried")).stale).toEqual([]);
  expect(compareCertificates(before, certificateOf("failed")).stale).toEqual([]);
});

test("requirements that the run did not select did not change", () => {
  const selection = { requirements: ["card-enrollment.b"] };
  const now = certificateOf("passed", undefined, { selection });
  const comparison = compareCertificates(certificateOf("failed"), now);
  expect(comparison).toMatchObject({ changes: [], notCompared: 1, stale: [] });
  expect(comparison.differences).toEqual([`selection ${JSON.stringify(selection)}, was null`]);
});

test("requirements of services outside the run are not reported as removed", () => {
  const before = certificateOf("passed");
  const others = {
    ...before,
    requirements: before.requirements.map((one) => ({ ...one, service: "installments" })),
  };
  expect(compareCertificates(others as Certificate, { ...certificateOf("absent") }).changes).toEqual([]);
});

test("other differences between the runs are reported", () => {
  const before = certificateOf("passed");
  const [planned] = before.contracts;
  if (planned === undefined) throw new Error("There is no contract.");
  const differencesTo = (changes: Partial<Certificate>) =>
    compareCertificates({ ...before, ...changes }, before).differences;
  expect(differencesTo({})).toEqual([]);
  expect(differencesTo({ seed: 1, depth: "quick" })).toEqual(["depth standard, was quick", "seed 7, was 1"]);
  expect(differencesTo({ contracts: [{ ...planned, version: "0.9.0" }] })).toEqual([
    "contract of card-enrollment 1.0.0, was 0.9.0",
  ]);
  expect(differencesTo({ contracts: [{ ...planned, digest: "sha256-01" }] })).toEqual([
    "the contract of card-enrollment 1.0.0 was edited",
  ]);
  expect(differencesTo({ contracts: [] })).toEqual(["card-enrollment is not in the baseline"]);
});

/** The exit code of a run that is compared with a baseline. */
const EXITS: readonly {
  readonly before: State;
  readonly now: State;
  readonly plain: number;
  readonly asked: number;
}[] = [
  { before: "passed", now: "passed", plain: 0, asked: 0 },
  { before: "passed", now: "failed", plain: 1, asked: 1 },
  { before: "failed", now: "failed", plain: 1, asked: 0 },
  { before: "failed", now: "passed", plain: 0, asked: 0 },
  { before: "passed", now: "blocked", plain: 3, asked: 3 },
  { before: "blocked", now: "blocked", plain: 3, asked: 0 },
  { before: "passed", now: "not-tried", plain: 0, asked: 3 },
  { before: "not-tried", now: "not-tried", plain: 0, asked: 0 },
];

for (const { before, now, plain, asked } of EXITS) {
  test(`${before}, now ${now}, exits with ${plain}, and with ${asked} when only regressions count`, () => {
    const certificate = certificateOf(now);
    const compared = { ...certificate, comparison: compareCertificates(certificateOf(before), certificate) };
    expect(exitCodeOf(compared)).toBe(plain);
    expect(exitCodeOf(compared, "regression")).toBe(asked);
  });
}

test("a run whose comparison is missing does not count as one without regressions", () => {
  expect(exitCodeOf(certificateOf("passed"), "regression")).toBe(3);
});
