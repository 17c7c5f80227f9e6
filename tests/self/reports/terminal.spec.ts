import { expect, test } from "@playwright/test";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Finding } from "../../../reports/certificate/certificate.ts";
import { isColored, printable } from "../../../reports/print.ts";
import { renderAnnotations } from "../../../reports/render/annotations.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
import { registerRows, registerTable } from "../../../reports/render/register.ts";
import { showProgress } from "../../../reports/render/status-line.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
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

const register = contract([
  requirement("a"),
  requirement("b"),
  requirement("c", { level: "assumed" }),
  requirement("d", { subject: "client" }),
  requirement("e", { observable: "not-observable" }),
  requirement("f", { hazards: ["billable"], observable: "needs-setup", setup: "an enrollment" }),
  requirement("g", { subject: "client" }),
]);

test("a service without requirements has an empty bar", () => {
  const empty = certificateOf([], []);
  const output = renderSummary(empty, { color: false, path: "c.json" });
  expect(output).toContain("0 requirements, 0 exchanges\n    0 passed");
  expect(output).toContain("\nincomplete  ");
});

test("findings with one cause are shown once with their places, and rows of one schema's rule as one", () => {
  const ids = Array.from({ length: 36 }, (_, index) => `get${index}`);
  const rule = (id: string, name: string) =>
    requirement(`${id}.response.${name}`, { operations: [id], source: "document.yaml, Parcel" });
  const made = contract(
    ids.flatMap((id) => [rule(id, "data.type"), rule(id, "id.required"), rule(id, "body")]),
  );
  const [operation] = made.operations;
  const operations = ids.map((operationId) => ({ ...operation, operationId }));
  const wrong = (operationId: string) => failure("{}", { operationId, message: "data is null" });
  const entries = ids.flatMap((id) => [
    entry(`${id}.response.data.type`, "failed", { failure: wrong(id) }),
    entry(`${id}.response.id.required`, "passed"),
    entry(`${id}.response.body`, "failed", { failure: { ...wrong(id), promise: "The body fits Parcel." } }),
  ]);
  const built = buildCertificate(
    runInfo(),
    [{ ...made, operations } as typeof made],
    [trialResult(entries)],
    facts(),
  );
  expect(built.findings).toHaveLength(72);
  const output = renderSummary(built, { color: false, path: "c.json" });
  expect(output.match(/^✗ /gm)).toHaveLength(1);
  expect(output).toMatch(/also breaks +card-enrollment.get0.response.body \(f-1\)\n/);
  expect(output).toMatch(/also at +35 more places: get1 \(f-4\), get10 \(f-6\)/);
  expect(renderMarkdown(built).match(/<details><summary>f-/g)).toHaveLength(1);
  const page = renderHtml(built);
  expect(page).toContain("71 more findings with the same cause");
  expect(page).toContain("35 more places of the same rule");
  for (const id of ids) expect(page).toContain(`id="requirement-card-enrollment.${id}.response.data.type"`);
});

test("findings that do not fit are only counted", () => {
  const messages = Array.from("abcdefghijklmnopqrstuvw", (letter) => `message ${letter}`);
  const entries = messages.map((message) => entry("a", "failed", { failure: failure("{}", { message }) }));
  const many = certificateOf([requirement("a")], entries);
  const output = renderSummary(many, { color: false, path: "c.json" });
  expect(output.match(/^✗ /gm)).toHaveLength(10);
  expect(output).toContain("… and 13 more in the certificate");
});

test("a long list of findings and a long text are truncated in the Markdown summary", () => {
  const built = certificateOf([requirement("a")], [entry("a", "failed", { failure: failure("{}") })]);
  const [finding] = built.findings;
  const long = { ...(finding as Finding), curl: "c".repeat(9_000), actual: "a".repeat(9_000) };
  const summary = renderMarkdown({ ...built, findings: Array(25).fill(long) });
  expect(summary).toContain("… and 5 more in the certificate");
  expect(summary.length).toBeLessThan(150_000);
});

test("at most ten annotations state what was seen, one for each requirement, and then the advisories", () => {
  const failing = Array.from("abcdefghijkl");
  const entries = [
    ...failing.map((id) => entry(id, "failed", { failure: failure("{}") })),
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

const reasons = Array.from({ length: 80 }, (_, index) => `needs the resource ${"x".repeat(index)}`);
const LONG = "long ".repeat(2_000);

for (const failed of [1, 3, 10]) {
  test(`the summary has at most 60 lines, and those of failures come first: ${failed} failed`, () => {
    const ids = Array.from({ length: failed }, (_, index) => `failed-${index}`);
    const untried = reasons.map((reason, index) => entry(`untried-${index}`, "not-tried", { reason }));
    const blocked = reasons.map((reason, index) => entry(`blocked-${index}`, "blocked", { reason }));
    const advised = reasons.map((_, index) =>
      entry(`advised-${index}`, "advisory", {
        failure: failure("{}", { message: `${LONG} ${"y".repeat(index)}` }),
      }),
    );
    const entries = [
      ...ids.map((id) =>
        entry(id, "failed", {
          failure: failure("{}", { message: LONG, expected: LONG, actual: `${LONG}\n${LONG}` }),
        }),
      ),
      ...[...untried, ...blocked, ...advised],
    ];
    const all = entries.map(({ requirement: id }) => requirement(id.slice("card-enrollment.".length)));
    const rows = all.map((one) => (one.id.includes("advised") ? { ...one, level: "assumed" as const } : one));
    const whole = buildCertificate(runInfo(), [contract(rows)], [trialResult(entries)], facts());
    const lines = renderSummary(whole, { color: false, path: "c.json" }).split("\n");
    expect(lines.length - 1).toBeLessThanOrEqual(60);
    expect(lines[1]).toMatch(/^✗ f-\d+ {2}card-enrollment\.failed-/);
    expect(lines.filter((line) => line.startsWith("✗"))).toHaveLength(failed);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_100);
    const order = ["✗", "Blocked", "Advisory", "Not tried", "card-enrollment 1.0.0", "violations"];
    const places = order.map((start) => lines.findIndex((line) => line.startsWith(start)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
}

test("advisories are counted by cause, with an example of the first operation that is named", () => {
  const ids = ["putCard.request.shape", "putCard.response.shape", "getCard.response.shape"];
  const rule = (id: string, pointer: string, schemaName: string) => ({
    ...{
      requirement: `card-enrollment.${id}`,
      operationId: id.split(".")[0],
      direction: "response",
      pointer,
    },
    ...{ schemaName, keyword: "type", value: "string", schema: {}, level: "assumed" },
  });
  const own = {
    ...contract(ids.map((id) => requirement(id, { level: "assumed" }))),
    rules: [
      rule("putCard.request.shape", "", "Request"),
      rule("putCard.response.shape", "", "Answer"),
      rule("putCard.response.shape", "/cards/*/state", "Card"),
      rule("getCard.response.shape", "/state", "Card"),
    ] as never,
  };
  const shown = (id: string, pointer: string) =>
    entry(id, "advisory", {
      failure: failure("{}", { operationId: id.split(".")[0] ?? "", pointer, message: `${id} differs` }),
    });
  const entries = [
    shown(ids[0] ?? "", ""),
    shown(ids[1] ?? "", "/cards/3/state"),
    shown(ids[2] ?? "", "/state"),
  ];
  const whole = buildCertificate(runInfo(), [own], [trialResult(entries)], facts());
  const summary = renderSummary(whole, { color: false, path: "c.json" });
  expect(summary).toContain("\nAdvisory: 2 causes, 3 requirements\n! f-1  card-enrollment.getCard.");
  for (const line of [
    "also at      1 more place: putCard (f-3)\n  cause        schema Card: 2 requirements of getCard, putCard",
    "cause        schema Request: 1 requirement of putCard",
  ])
    expect(summary).toContain(`\n  ${line}\n`);
  expect(summary).toContain("curl -d '{}'");
  expect(whole.findings[0]).toMatchObject({ id: "f-1", operationId: "getCard" });
  for (const render of [renderHtml, renderMarkdown])
    expect(render(whole)).toContain("2 causes, 3 requirements");
});

test("what stays on a target of others is counted, and on the sandbox it is not", () => {
  const own = contract([requirement("a")]);
  const leaving = { ...own, operations: own.operations.map((one) => ({ ...one, leaves: "enrolled card" })) };
  const status = (code: number, observed: number) => ({
    ...{ operationId: "putCard", status: code, documented: true, observed },
  });
  const results = [trialResult([entry("a", "passed")], { operations: [status(200, 7), status(400, 9)] })];
  const summaryOn = (embedded: boolean): string => {
    const { baseUrls } = runInfo().target;
    const info = runInfo({ target: { name: "mine", embedded, baseUrls } });
    return renderSummary(buildCertificate(info, [leaving], results, facts()), {
      color: false,
      path: "c.json",
    });
  };
  expect(summaryOn(false)).toContain("\nLeft on mine: at least 7 enrolled cards. No operation removes");
  expect(summaryOn(true)).not.toContain("Left on");
});

for (const [forced, off, colored] of [
  ["1", "1", true],
  ["0", "", false],
  ["", "1", false],
] as const) {
  test(`FORCE_COLOR=${forced} NO_COLOR=${off}: ${colored ? "" : "no "}colours`, () => {
    const { FORCE_COLOR, NO_COLOR } = process.env;
    Object.assign(process.env, { FORCE_COLOR: forced, NO_COLOR: off });
    expect(isColored()).toBe(colored);
    Object.assign(process.env, { FORCE_COLOR: FORCE_COLOR ?? "", NO_COLOR: NO_COLOR ?? "" });
  });
}

test("progress shows what is done, the rate, the time left, and the requirements that the summary counts", () => {
  let now = 0;
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) > 0, isTTY: false, columns: 80 };
  const progress = showProgress({
    ...{ trials: 4, stream, now: () => now },
    counts: (id) => id !== "card-enrollment.other",
  });
  now = 10_000;
  progress.ended(trialResult([entry("a", "blocked"), entry("a", "blocked"), entry("b", "passed")]));
  progress.ended(trialResult([entry("a", "failed"), entry("other", "blocked"), entry("c", "blocked")]));
  progress.stop();
  expect(written).toEqual([
    "2 of 4 trials, 6 exchanges, 0.6 a second, about 10 s left, 1 failed, 1 blocked\n",
  ]);
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
