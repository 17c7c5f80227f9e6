/**
 * Every rendering of one certificate and one matrix with something in each of their parts, against the files in
 * `renderings/`. `npm test -- reports/renderings --update-snapshots` writes them again.
 */
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "@playwright/test";
import { fingerprintOf } from "../../../helpers/accept/fingerprint.ts";
import { linesIn } from "../../../helpers/contract/documents/line-of.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, TrialFact } from "../../../reports/certificate/certificate.ts";
import { compareCertificates } from "../../../reports/certificate/comparison.ts";
import { buildMatrix, type Matrix, type MatrixRow } from "../../../reports/certificate/matrix.ts";
import { printable } from "../../../reports/print.ts";
import { renderAnnotations } from "../../../reports/render/annotations.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { renderTrials } from "../../../reports/render/junit.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
import { renderMatrix } from "../../../reports/render/matrix-terminal.ts";
import { renderSarif } from "../../../reports/render/sarif.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
import { counted } from "../../../reports/text.ts";
import { expectKept } from "./kept-renderings.ts";
import {
  accepts,
  contract,
  entry,
  facts,
  failure,
  requirement,
  runInfo,
  trialResult,
} from "./reports-data.ts";

const IDS = "abcdefghij".split("");
const own = contract([
  ...IDS.map((id) => requirement(id, id === "i" ? { level: "assumed" } : {})),
  requirement("k", { subject: "client" }),
  requirement("l", { observable: "not-observable" }),
]);
const REGISTER = {
  ...own,
  operations: own.operations.map((one) => ({ ...one, leaves: "enrolled card" })),
  requirements: own.requirements.map((one) => (one.id.endsWith(".b") ? { ...one, level: "provider" } : one)),
} as typeof own;
const ABSENT = { ...contract([requirement("z", { service: "installments" })]), service: "installments" };

const exchange = failure("{}").exchanges[0];
const sequence = [
  { title: "create the customer", beside: false, exchange },
  { title: "create it again", beside: true, exchange },
  { title: "a day passes", beside: false, act: { kind: "pass", seconds: 86_400 } },
] as never;

const HOSTILE =
  '</details><img src=x onerror=alert(1)> | **x** `y` @somebody #1 https://evil.test "q" & \u0000';

/** The verdicts of each trial. */
const TRIALS: Readonly<Record<string, TrialResult["entries"]>> = {
  passes: [entry("a", "passed")],
  fails: [
    entry("b", "failed", {
      failure: failure("{}", {
        ...{ message: HOSTILE, actual: `x\n::error::${HOSTILE}`, curl: "curl '```'" },
        ...{ pointer: "/0", promise: "It fits C." },
      }),
    }),
    entry("b", "failed", { failure: failure('{"a":1}', { message: "another", curl: "" }) }),
  ],
  "fails as accepted": [entry("c", "failed", { failure: failure("{}") })],
  "fails in a sequence": [entry("d", "failed", { failure: failure("{}", { sequence }) })],
  "is blocked": [
    entry("e", "blocked", {
      reason: because("not-returned", "putCard", "a card", 503),
    }),
    entry("f", "blocked", { reason: "the target went away" }),
  ],
  "needs settings": [
    entry("g", "not-tried", {
      reason: because("lacks-permission", "putCard was not sent; ALLOW_DESTRUCTIVE allows it"),
    }),
    entry("h", "not-tried", { reason: because("lacks-clock", "a day has to pass") }),
  ],
  deviates: [entry("i", "advisory", { failure: failure("[7]", { message: "other name" }) })],
};
const RESULTS = Object.entries(TRIALS).map(([trial, entries]) =>
  trialResult(entries, {
    trial,
    operations: [
      { operationId: "putCard", status: 200, documented: true, observed: 1200 },
      { operationId: "putCard", status: 418, documented: false, observed: 1 },
      // No answer came.
      { operationId: "putCard", status: 0, documented: false, observed: 1 },
    ],
    observations: [{ subject: "unknown fields", operationId: "putCard", observed: `ignored by ${trial}` }],
  }),
);
const FACTS: TrialFact[] = [
  ...Object.entries(TRIALS).map(
    ([trial, entries]): TrialFact => ({
      trial,
      requirements: [...new Set(entries.map((one) => one.requirement))],
      state: "finished",
    }),
  ),
  {
    trial: "breaks",
    requirements: ["card-enrollment.j"],
    state: "broken",
    reason: because("ended-early", "boom"),
  },
];

const DRIFT = {
  ...{ observation: null, service: "card-enrollment", operations: ["putCard", "b", "c", "d"] },
  ...{ words: "an unknown key was answered 401, is now answered 403", before: ["401"], now: ["403"] },
  curl: "curl -i http://127.0.0.1:1/x/cards",
};

const certificate = (): Certificate => {
  const { baseUrls } = runInfo().target;
  const provider = { file: "new.yaml", version: "1.42.0", digest: "sha256-00" };
  const contracts = [REGISTER, ABSENT].map(({ service }) => ({
    ...{ version: "1.0.0", digest: "sha256-00", provider, service },
  }));
  const run = runInfo({
    target: { name: "mine", embedded: false, baseUrls },
    contracts,
    shard: { index: 1, total: 2 },
    accepted: {
      file: "accept.yaml",
      entries: [
        accepts(fingerprintOf("card-enrollment.c", failure("{}"))),
        accepts(fingerprintOf("card-enrollment.d", failure("{}")), "2026-01-01"),
      ],
    },
  });
  const built = buildCertificate(run, [REGISTER, ABSENT], RESULTS, facts({ trials: FACTS }));
  const known = { ...built.findings[0], fingerprint: "card-enrollment.a@000000000000" };
  const baseline = {
    ...built,
    seed: 8,
    findings: [{ ...known, requirement: "card-enrollment.a" }],
    requirements: built.requirements.map((one) => ({ ...one, verdict: "passed" })),
  } as Certificate;
  return {
    ...built,
    // The scores change with each matrix run.
    mutation: {
      faults: 3990,
      killed: 3989,
      byName: 3950,
      score: 99.97,
      scoreByName: 98.99,
      digest: "sha256-ab",
    },
    innocence: null,
    selection: { operations: ["putCard", "b", "c", "d", "e", "f", "g"] },
    comparison: { ...compareCertificates(baseline, built), drift: [DRIFT] },
  };
};

const CASES = FACTS.map((fact, index) => ({
  test: {
    title: `${fact.trial} [${fact.trial}]`,
    annotations: [{ type: "allure.label.parentSuite", description: "card-enrollment" }],
    titlePath: () => ["", "", "card-enrollment/x.spec.ts", "Errors, 4.1", fact.trial],
  },
  fact,
  trialResult: RESULTS[index],
  durationMs: 1234,
}));

/** The page without the style and the scripts, which tests in a browser show. */
const pageOf = (whole: Certificate): string =>
  renderHtml(whole)
    .replaceAll(/<(style|script[^>]*)>.*?<\/(style|script)>/gs, "")
    .replace(/<meta http-equiv[^>]*>/, "");

const RENDERINGS: Readonly<Record<string, (whole: Certificate) => string>> = {
  "certificate.json.txt": (whole) => `${JSON.stringify(whole, null, 1)}\n`,
  "terminal-colored.txt": (whole) => printable(renderSummary(whole, { color: true, path: "c.json" })),
  "certificate.md": renderMarkdown,
  "certificate.html": pageOf,
  "junit.xml": (whole) => renderTrials(runInfo(), whole, CASES),
  "annotations.txt": (whole) => printable(renderAnnotations(whole)),
  "certificate.sarif": (whole) =>
    renderSarif(whole, () => ({ file: "openapi.yaml", isOurs: true, lineOf: CARDS })),
};

const CARDS = linesIn("paths:\n  /cards:\n    post: {}\n", { paths: { "/cards": { post: {} } } });

/** A row of each status, and a pass that no fault proves. */
const matrix = (): Matrix => {
  const row = (status: MatrixRow["status"], violates: string | null = null): MatrixRow => ({
    ...{ kind: violates === null ? "difference" : "fault", service: "installments", subject: `is ${status}` },
    ...{ violates, status, seconds: 1, reason: "needs a plan", trials: 4, unjudged: 1 },
    evidence: [{ requirement: "installments.a", verdict: "failed", trial: "t", reason: "other name" }],
  });
  const found = (["by-name", "by-another", "survived", "unshown"] as const).map((one) =>
    row(one, "installments.b"),
  );
  const right = ["acquitted", "convicted", "not-shown", "without-effect", "settled"] as const;
  const rows = [...found, ...right.map((one) => row(one))];
  const catalogue = { digest: "sha256-00", classes: 1, passed: ["installments.a"] };
  const run = { startedAt: "2026-01-02T03:04:05.000Z", durationMs: 5000, cpuMs: 4000 };
  return buildMatrix(run, rows, new Map([["installments", catalogue]]));
};

const MATRIX_RENDERINGS: Readonly<Record<string, (whole: Matrix) => string>> = {
  "matrix.txt": (whole) => printable(renderMatrix(whole, { color: true, path: "mutation.json" })),
  "matrix-plain.txt": (whole) =>
    printable(renderMatrix(whole, { color: false, path: "m.json" }, "without an admin interface")),
};

const KEPT = new URL("./renderings/", import.meta.url);

for (const [name, render] of Object.entries(RENDERINGS))
  test(`the rendering ${name}`, () => expectKept(new URL(name, KEPT), render(certificate())));
for (const [name, render] of Object.entries(MATRIX_RENDERINGS))
  test(`the rendering ${name}`, () => expectKept(new URL(name, KEPT), render(matrix())));

test("without colours, the terminal shows the same text", () => {
  const [colored = "", plain] = [true, false].map((color) =>
    printable(renderSummary(certificate(), { color, path: "c.json" })),
  );
  expect(plain).toBe(stripVTControlCharacters(colored));
});

test("the sentence that is signed: only what passed is satisfied", () => {
  const { summary, ...whole } = certificate();
  const counts = { passed: 7, failed: 0, advisory: 0, blocked: 0, notTried: 0 };
  const said = (changes: object) =>
    renderMarkdown({ ...whole, summary: { ...summary, ...counts, ...changes } });
  const tried = (amount: number): string => `${amount} requirements that were tried`;
  expect(said({})).toContain(`mine satisfies all ${tried(7)}.`);
  const some = `mine satisfies 7 of the ${tried(8)}, and deviates from 1 assumption.`;
  expect(said({ advisory: 1 })).toContain(some);
  expect(said({ advisory: 1, unseenChanges: 1 })).toContain(`${some} 1 change had no visible effect.`);
  expect(said({ failed: 1 })).toContain(`mine violates 1 and satisfies 7 of the ${tried(8)}.`);
});

test("an amount has the regular plural of its noun", () => {
  const nouns = ["run", "business", "pay switch", "category", "survey"];
  expect(nouns.map((noun) => counted(2, noun))).toEqual([
    "2 runs",
    "2 businesses",
    "2 pay switches",
    "2 categories",
    "2 surveys",
  ]);
});
