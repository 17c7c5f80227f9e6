/** What a run must have been accepted for before it certifies a service. */
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "./reports-data.ts";

const [putCard] = contract([]).operations as [Operation];
const { 400: refusal } = putCard.responses as Required<Operation["responses"]>;
const CHANGES: Readonly<Record<string, Partial<Operation>>> = {
  ...{ log: { token: "/token" }, a: {}, b: {}, c: {}, inner: { internal: true } },
  ...(refusal && { no: { responses: { 400: refusal } } }),
};
const NAMES = Object.keys(CHANGES);

/** Each operation has a requirement of its name, and one about refused credentials. */
const CONTRACT = {
  ...contract(
    NAMES.flatMap((id) => [
      requirement(id, { operations: [id] }),
      requirement(`${id}.auth`, { operations: [id], kind: "auth" }),
    ]),
  ),
  operations: NAMES.map((operationId): Operation => ({ ...putCard, ...CHANGES[operationId], operationId })),
};

/**
 * The answers to calls: `~` after an invalid call, `!` if the status is not documented, and no status if there was no call.
 * Then the exit code of the run, whose requirements pass although the checks of all held, and what the run was.
 */
const RUNS: readonly (readonly [answers: string, exitCode: number, passing: string, Partial<RunInfo>?])[] = [
  ["log 200, a 200, b 200", 0, "log a b"],
  ["a 200, b 400", 0, "a"],
  ["a 200, b 400, c 400", 3, "a"],
  ["a 400, b 404", 3, ""],
  ["log 200, a 401~", 3, "log a"],
  ["log 200, a, b", 3, "log"],
  ["a 200, b, c", 3, "a"],
  ["a 200, inner 400, no 400", 0, "a inner no"],
  ["a 200~, a 401~", 3, "a"],
  ["a 302, a 401~", 0, "a"],
  ["a 302!, a 401~", 3, ""],
  ["log 200, log 401~", 0, "log", { selection: { operations: ["log"] } }],
  ["a 200, b 400, c 400", 0, "a", { selection: { operations: ["a"] } }],
  ["a 404~, a 401~", 0, "a", { shard: { index: 1, total: 2 } }],
  ["log 200", 3, "log", { half: "caller" }],
  ["a 200, b 400, c 400", 0, "a b c", { half: "caller" }],
  ["a 400, b 404", 3, "a b", { half: "caller" }],
  ["a 404~", 0, "a", { half: "listener" }],
];

for (const [answers, exitCode, passing, run = {}] of RUNS)
  test(`${answers} ${JSON.stringify(run)}: exit code ${exitCode}`, () => {
    const calls = answers.split(", ").map((one) => /^(\w+) ?(\d*)(\W?)$/.exec(one) as RegExpExecArray);
    const operations = calls.flatMap(([, operationId = "", status, sign]) => {
      const valid = sign === "~" ? 0 : 1;
      const count = { operationId, status: Number(status), documented: sign !== "!", observed: 1, valid };
      return status ? [{ ...count, ...(valid === 1 && { said: `${status} unknown site` }) }] : [];
    });
    const tried = calls.map(([, id = ""]) => id);
    const uncalled = calls.flatMap(([, id = "", status]) => (status ? [] : [id]));
    const unarranged = { operations: uncalled, reason: because("not-shown", "the log-in shows no token") };
    const entries = NAMES.flatMap((id) =>
      [id, `${id}.auth`].map((one) => entry(one, tried.includes(id) ? "passed" : "not-tried")),
    );
    const results = [trialResult(entries, { operations, unarranged })];
    const certificate = buildCertificate(runInfo(run), [CONTRACT], results, facts());
    const passed = certificate.requirements.filter(({ verdict }) => verdict === "passed");
    const ids = new Set(passed.map(({ id }) => id.replace("card-enrollment.", "")));
    expect([exitCodeOf(certificate), NAMES.filter((id) => ids.has(id)).join(" ")]).toEqual([
      exitCode,
      passing,
    ]);
    const isAuthKept = (id: string) =>
      ids.has(`${id}.auth`) || run.selection?.operations?.includes(id) === false;
    expect(tried.filter((id) => !isAuthKept(id))).toEqual([]);
    const last = renderSummary(certificate, { color: false, path: "c.json" }).trimEnd().split("\n").at(-1);
    if (exitCode === 3) expect(last).toMatch(/^why .*(unknown site|shows no token|Log-ins do not count\.)$/);
  });
