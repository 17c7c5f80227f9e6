/** The terminal summary at the end of a run, and the register as a table. */
import { expect, test } from "@playwright/test";
import { buildCertificate } from "../../../reports/build-certificate.ts";
import type { Certificate } from "../../../reports/certificate.ts";
import { registerRows, registerTable } from "../../../reports/register.ts";
import { renderSummary } from "../../../reports/terminal.ts";
import { contract, entry, facts, failure, requirement, runInfo, trialResult } from "./reports-data.ts";

const register = contract([
  requirement("a"),
  requirement("b"),
  requirement("c", { level: "assumed" }),
  requirement("d", { subject: "client" }),
  requirement("e", { observable: "not-observable" }),
  requirement("f", { hazards: ["billable"], observable: "needs-setup", setup: "an enrollment" }),
  requirement("g", { subject: "client" }),
]);

const certificate = (problems: readonly string[] = []): Certificate =>
  buildCertificate(
    runInfo(),
    [register],
    [
      trialResult(
        [
          entry("a", "passed"),
          entry("b", "failed", { failure: failure("{}") }),
          entry("c", "advisory", { failure: failure("{}", { message: "other name" }) }),
        ],
        {
          operations: [{ operationId: "putCard", status: 200, documented: true, observed: 1200 }],
          observations: [{ subject: "unknown fields", operationId: "putCard", observed: "ignored" }],
        },
      ),
    ],
    facts({ problems }),
  );

const PLAIN = `
card-enrollment 1.0.0  7 requirements, 1,200 exchanges
  ███▓▓▓▒▒▒▚▚▚░░░░░░░░░░░░  1 passed  1 failed  1 advisory  1 blocked  3 not tried

Blocked
     1  no trial tries it

Not tried
     2  obliges the caller
     1  not observable

Advisory
     1  other assumptions: card-enrollment.c, as in f-2

✗ f-1  card-enrollment.b
  promised     The statement of b.
  source       card-enrollment.md, Limits
  seen         putCard: 31 characters are accepted
  expected     400
  got          200
  curl         curl -d '{}' http://127.0.0.1:1/x/cards
  replay       npm run certify -- --service card-enrollment --requirement card-enrollment.b --seed 7 --depth standard
  fingerprint  card-enrollment.b@9bb7d35994e5

3 of 7 requirements were shown able to fail on this target (42.9 %)
violations  sandbox, standard depth, seed 7, 3 exchanges in 1.2 s, 1 observation
reports/out/certificate.json
`;

test("the summary shows counts, reasons, findings and outcome", () => {
  expect(renderSummary(certificate(), { color: false, path: "reports/out/certificate.json" })).toBe(PLAIN);
});

test("colour does not change the text", () => {
  const colored = renderSummary(certificate(), { color: true, path: "reports/out/certificate.json" });
  expect(colored).toContain("\u001b[31m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character.
  expect(colored.replaceAll(/\u001b\[[\d;]*m/g, "")).toBe(PLAIN);
});

test("the summary shows the problems of a run and its shard", () => {
  const output = renderSummary(
    { ...certificate(["A file could not be read."]), shard: { index: 1, total: 2 } },
    { color: false, path: "c.json" },
  );
  expect(output).toContain("Problems of the run\n  A file could not be read.\n");
  expect(output).toContain("seed 7, shard 1 of 2, ");
});

test("a service without requirements has an empty bar", () => {
  const empty = buildCertificate(runInfo(), [contract([])], [], facts());
  const output = renderSummary(empty, { color: false, path: "c.json" });
  expect(output).toContain("0 requirements, 0 exchanges\n    0 passed");
  expect(output).toContain("\nincomplete  ");
});

test("the findings beyond the twentieth are only counted", () => {
  const messages = Array.from("abcdefghijklmnopqrstuvw", (letter) => `message ${letter}`);
  const many = buildCertificate(
    runInfo(),
    [contract([requirement("a")])],
    [trialResult(messages.map((message) => entry("a", "failed", { failure: failure("{}", { message }) })))],
    facts(),
  );
  const output = renderSummary(many, { color: false, path: "c.json" });
  expect(output.match(/^✗ /gm)).toHaveLength(20);
  expect(output).toContain("… and 3 more in the certificate");
});

test("the register shows how each requirement is tried, within the width of the terminal", () => {
  const rows = registerRows([register], new Map([["card-enrollment.d", "with npm run proxy"]]));
  expect(rows.map(({ tried }) => tried)).toEqual([
    "from outside",
    "from outside",
    "from outside",
    "with npm run proxy",
    "not tried: not observable",
    "after set-up (an enrollment); makes billable calls",
    "not tried: obliges the caller",
  ]);
  const long = rows.map((row) => ({ ...row, statement: "words and ".repeat(40) }));
  const lines = registerTable(long, 80).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines).toContain("7 requirements");
});
