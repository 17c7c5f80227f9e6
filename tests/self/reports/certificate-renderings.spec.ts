/** The renderings for build servers: the Markdown summary, the badge, and JUnit. */
import { expect, test } from "@playwright/test";
import { fingerprintOf } from "../../../helpers/accept/fingerprint.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, TrialFact } from "../../../reports/certificate/certificate.ts";
import { printable } from "../../../reports/print.ts";
import { renderAnnotations } from "../../../reports/render/annotations.ts";
import { renderBadge } from "../../../reports/render/badge.ts";
import { junitCase, renderJunit } from "../../../reports/render/junit.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
import { contract, entry, facts, failure, requirement, runInfo, trialResult } from "./reports-data.ts";

const HOSTILE =
  '</details><img src=x onerror=alert(1)> | **x** `y` @somebody #1 https://evil.test "q" \u0000';

const certificateWith = (message: string, changes: Partial<Certificate> = {}): Certificate => ({
  ...buildCertificate(
    runInfo(),
    [contract([requirement("a"), requirement("b"), requirement("c", { subject: "client" })])],
    [
      trialResult([
        entry("a", "failed", { failure: failure("{}", { message, actual: message, curl: "curl '```'" }) }),
        entry("b", "passed"),
      ]),
    ],
    facts(),
  ),
  ...changes,
});

test("the Markdown summary shows counts, findings and reasons", () => {
  const summary = renderMarkdown(certificateWith("31 characters are accepted"));
  expect(summary).toContain("## sandbox: violations\n");
  expect(summary).toContain("| card-enrollment | 1.0.0 | 1 | 1 | 0 | 0 | 1 |");
  expect(summary).toContain(
    "<details><summary>f-1 card-enrollment.a (failed): 31 characters are accepted</summary>",
  );
  expect(summary).toContain("- promised: The statement of a. \\(card-enrollment.md, Limits\\)");
  expect(summary).toContain("--requirement card-enrollment.a --seed 7");
  expect(summary).toContain(
    "### Not tried\n\n- 1: Test your own program. These requirements are about the program that calls the service, or that receives its messages.\n",
  );
  const [fingerprint = ""] = /card-enrollment\.a@[\da-f]{12}/.exec(summary) ?? [];
  expect(fingerprint).toBe(fingerprintOf("card-enrollment.a", failure("{}")));
});

test("a server's text is escaped in the Markdown summary", () => {
  const summary = renderMarkdown(certificateWith(HOSTILE));
  expect(summary).not.toContain("<img");
  expect(summary.match(/<\/details>/g)).toHaveLength(1);
  expect(summary).toContain("\\| \\*\\*x\\*\\* \\`y\\` &#64;somebody \\#1 https&#58;//evil.test");
  expect(summary).toContain("````\ncurl '```'\nnpm run");
});

test("a long list of findings and a long text are truncated", () => {
  const [finding] = certificateWith("x").findings;
  if (finding === undefined) throw new Error("There is no finding.");
  const long = { ...finding, curl: "c".repeat(9_000), actual: "a".repeat(9_000) };
  const findings = Array.from({ length: 25 }, () => long);
  const summary = renderMarkdown(certificateWith("x", { findings }));
  expect(summary).toContain("… and 5 more in the certificate");
  expect(summary.length).toBeLessThan(150_000);
});

test("the badge shows outcome and counts, and has a title for screen readers", () => {
  const badge = renderBadge(certificateWith("x"));
  expect(badge).toContain('role="img" aria-labelledby="title"');
  expect(badge).toContain(
    '<title id="title">sandbox: violations, tried 2 of 3 (67 %), 1 failed on 2026-01-02</title>',
  );
  expect(badge).toContain(">violations, 1 failed, tried 2 of 3 (67 %)</text>");
});

test("a name in the badge is escaped", () => {
  const target = { name: '"/><script>&\u0001', embedded: false, baseUrls: {} };
  const badge = renderBadge(certificateWith("x", { target }));
  expect(badge).toContain("&quot;/&gt;&lt;script&gt;&amp;\\u0001: violations");
});

const trial: TrialFact = { trial: "rule/a", requirements: ["card-enrollment.a"], state: "finished" };
const named = {
  title: "a is refused [rule/a]",
  annotations: [{ type: "allure.label.parentSuite", description: "card-enrollment" }],
  titlePath: () => ["", "", "card-enrollment/x.spec.ts", "Errors, 4.1", "a is refused [rule/a]"],
};
const accepted = fingerprintOf("card-enrollment.a", failure("{}"));

const xmlOf = (entries: readonly LedgerEntry[], fact = trial): string =>
  renderJunit("assay", [
    {
      name: "card-enrollment",
      timestamp: "2026-01-02T03:04:05.000Z",
      cases: [
        junitCase(
          { test: named, fact, trialResult: trialResult(entries), durationMs: 1234 },
          (fingerprint) => (fingerprint === accepted ? "known (Anna)" : undefined),
          (id) => `The statement of ${id}.`,
        ),
      ],
    },
  ]);

test("a test case names its file, class, time and requirements", () => {
  const xml = xmlOf([entry("a", "passed")]);
  expect(xml).toContain(
    '<testsuite name="card-enrollment" timestamp="2026-01-02T03:04:05.000Z" tests="1" failures="0" errors="0" skipped="0" time="1.234">',
  );
  expect(xml).toContain(
    '<testcase name="a is refused [rule/a]" classname="card-enrollment.Errors, 4 1" file="tests/card-enrollment/x.spec.ts" time="1.234">',
  );
  expect(xml).toContain('<property name="requirement" value="card-enrollment.a"/>');
});

const RESULTS: readonly {
  readonly about: string;
  readonly entries: readonly LedgerEntry[];
  readonly fact?: TrialFact;
  readonly counts: string;
  readonly element: string;
}[] = [
  {
    about: "a violation is a failure",
    entries: [entry("a", "failed", { failure: failure("{}", { message: "another" }) })],
    counts: 'failures="1" errors="0" skipped="0"',
    element:
      '<failure message="card-enrollment.a: another" type="failure">card-enrollment.a: another\npromised: The statement of card-enrollment.a.\nexpected: 400\n',
  },
  {
    about: "an accepted finding is skipped",
    entries: [entry("a", "failed", { failure: failure("{}") })],
    counts: 'failures="0" errors="0" skipped="1"',
    element: '<skipped message="accepted: known (Anna)"/>',
  },
  {
    about: "a blocked requirement is an error",
    entries: [entry("a", "blocked", { reason: "the target went away" })],
    counts: 'failures="0" errors="1" skipped="0"',
    element: '<error message="card-enrollment.a: blocked: The target went away." type="error">',
  },
  {
    about: "a trial that crashed is an error",
    entries: [],
    fact: { ...trial, state: "broken", reason: "its trial ended early: boom" },
    counts: 'failures="0" errors="1" skipped="0"',
    element: '<error message="its trial ended early: boom" type="error">',
  },
  {
    about: "a requirement that was not tried is skipped, with the reason",
    entries: [entry("a", "not-tried", { reason: 'needs a "customer"' })],
    counts: 'failures="0" errors="0" skipped="1"',
    element: '<skipped message="It needs a &quot;customer&quot;."/>',
  },
];

for (const { about, entries, fact, counts, element } of RESULTS) {
  test(`in JUnit ${about}`, () => {
    const xml = xmlOf(entries, fact);
    expect(xml).toContain(`tests="1" ${counts}`);
    expect(xml).toContain(element);
  });
}

test("at most ten annotations state what was promised, one for each requirement, and advisories share one", () => {
  const failing = Array.from("abcdefghijkl");
  const entries = [
    ...failing.map((id) =>
      entry(id, "failed", { failure: failure("{}", { actual: `x\n::error::${HOSTILE}` }) }),
    ),
    entry("z", "advisory", { failure: failure("{}") }),
  ];
  const own = contract(
    [...failing, "z"].map((id) => requirement(id, id === "z" ? { level: "assumed" } : {})),
  );
  const whole = buildCertificate(runInfo(), [own], [trialResult(entries)], facts());
  const lines = printable(renderAnnotations(whole)).trimEnd().split("\n");
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatch(
    /^::error title=card-enrollment\.a::promised: The statement of a\.%0Aseen: putCard: /,
  );
  expect(lines.slice(9)).toEqual([
    "::error ::3 more requirements violated.",
    "::notice title=Advisories::card-enrollment.z: putCard, as in f-13",
  ]);
});

test("the simplest example of a requirement comes first: in ASCII before other characters", () => {
  const sent = (body: string, message: string) =>
    entry("a", "failed", { failure: failure(body, { message }) });
  const entries = [
    sent('{"name":"\u{10400}"}', "a: 31 characters are accepted"),
    sent('{"name":"abc"}', "b is accepted"),
  ];
  const { findings } = buildCertificate(
    runInfo(),
    [contract([requirement("a")])],
    [trialResult(entries)],
    facts(),
  );
  expect(findings.map(({ id, message }) => [id, message])).toEqual([
    ["f-1", "b is accepted"],
    ["f-2", "a: 31 characters are accepted"],
  ]);
});

test("a server's text is escaped in JUnit, with any characters", () => {
  const message = `]]></failure> <b> & ${HOSTILE}\ud800\n`;
  const xml = xmlOf([entry("a", "failed", { failure: failure("{}", { message }) })]);
  expect(
    xml.match(/<[^>]*>/g)?.filter((tag) => /^<(?!\/?(testsuites?|testcase|propert|failure|\?xml))/.test(tag)),
  ).toEqual([]);
  expect(xml).toContain("]]&gt;&lt;/failure&gt; &lt;b&gt; &amp; &lt;/details&gt;&lt;img");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no notation for them.
  expect(xml).not.toMatch(/[\u0000-\u0008\ud800]/);
});
