/** The renderings for build servers: the Markdown summary and JUnit. */
import { expect, test } from "@playwright/test";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { printable } from "../../../reports/print.ts";
import { renderAnnotations } from "../../../reports/render/annotations.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
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

const HOSTILE =
  '</details><img src=x onerror=alert(1)> | **x** `y` @somebody #1 https://evil.test "q" \u0000';

const certificateWith = (message: string, changes: Partial<Certificate> = {}): Certificate => ({
  ...certificateOf(
    [requirement("a"), requirement("b"), requirement("c", { subject: "client" })],
    [
      entry("a", "failed", { failure: failure("{}", { message, actual: message, curl: "curl '```'" }) }),
      entry("b", "passed"),
    ],
  ),
  ...changes,
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

test("at most ten annotations state what was seen, one for each requirement, and then the advisories", () => {
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
    /^::error title=card-enrollment\.a::promised: The statement of a\. .*%0Aseen: putCard: /,
  );
  expect(lines[9]).toBe("::error ::3 more requirements violated.");
  expect(lines[10]).toMatch(
    /^::notice title=card-enrollment\.z::.*%0Aseen: putCard: .*%0Acurl: curl -d '{}'/,
  );
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
