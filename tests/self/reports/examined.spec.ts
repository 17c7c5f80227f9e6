/** What a run must have been accepted for before it certifies a service. */
import { expect, test } from "@playwright/test";
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import type { Outcome } from "../../../reports/certificate/outcome.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "./reports-data.ts";

const [putCard] = contract([]).operations as [Operation];
const refusal = putCard.responses[400] as Operation["responses"][string];
const named = (operationId: string, changes: Partial<Operation> = {}): Operation => ({
  ...putCard,
  ...{ operationId, ...changes },
});

/** Each operation has a requirement of its name, and one about refused credentials. */
const OPERATIONS = [
  named("logIn", { token: "/token" }),
  named("a"),
  named("b"),
  named("c"),
  named("in", { internal: true }),
  named("no", { responses: { 400: refusal } }),
];
const CONTRACT: Contract = {
  ...contract(
    OPERATIONS.flatMap(({ operationId }) => [
      requirement(operationId, { operations: [operationId] }),
      requirement(`${operationId}.auth`, { operations: [operationId], kind: "auth" }),
    ]),
  ),
  operations: OPERATIONS,
};

type Count = TrialResult["operations"][number];

const answered = (operationId: string, status: number, more: Partial<Count> = {}): Count => ({
  ...{ operationId, status, documented: true, observed: 1, valid: 1 },
  ...(status >= 300 && { said: `${status} {"message":"unknown site"}` }),
  ...more,
});

const ok = (...ids: readonly string[]): Count[] => ids.map((id) => answered(id, 200));
/** A server that always answers the same is recognised otherwise. */
const WRONG_KEY: Count = { operationId: "a", status: 401, documented: true, observed: 1, refusable: 1 };

const selecting = (id: string): Partial<RunInfo> => ({ selection: { operations: [id] } });

const refused = (...ids: readonly string[]): Count[] => ids.map((id) => answered(id, 400));

/** Answers, what the run was, its outcome, the operations whose requirements pass, and those that got no call. */
const RUNS: readonly (readonly [string, readonly Count[], Partial<RunInfo>, Outcome, string, string[]?])[] = [
  ["all accept", ok("logIn", "a", "b", "c"), {}, "certified", "logIn a b c"],
  ["as many accept as refuse", [...ok("a"), ...refused("b")], {}, "certified", "a"],
  ["more refuse than accept", [...ok("a"), ...refused("b", "c")], {}, "incomplete", "a"],
  ["all refuse", refused("a", "b"), {}, "incomplete", ""],
  ["only a log-in is accepted", ok("logIn"), {}, "incomplete", "logIn"],
  ["no token is found", ok("logIn"), {}, "incomplete", "logIn", ["a", "b"]],
  ["a resource was not had", ok("a"), {}, "incomplete", "a", ["b", "c"]],
  ["some may always refuse", [...ok("a"), ...refused("in", "no")], {}, "certified", "a in no"],
  ["an invalid call is accepted", [answered("a", 200, { valid: 0 })], {}, "incomplete", "a"],
  ["a documented redirect", [answered("a", 302)], {}, "certified", "a"],
  ["another redirect", [answered("a", 302, { documented: false })], {}, "incomplete", ""],
  ["the log-in is selected", ok("logIn"), selecting("logIn"), "certified", "logIn"],
  ["others refuse", [...ok("a"), ...refused("b", "c")], selecting("a"), "certified", "a"],
  ["a shard", [{ ...WRONG_KEY, status: 404 }], { shard: { index: 1, total: 2 } }, "certified", "a"],
  ["a client that only logs in", ok("logIn"), { half: "caller" }, "incomplete", "logIn"],
  ["a client of few", [...ok("a"), ...refused("b", "c")], { half: "caller" }, "certified", "a b c"],
  ["a refused client", refused("a", "b"), { half: "caller" }, "incomplete", "a b"],
  ["a listener", [WRONG_KEY], { half: "listener" }, "certified", "a"],
];

for (const [what, operations, run, outcome, passing, uncalled = []] of RUNS) {
  test(`${what}: ${outcome}`, () => {
    const tried = [...operations.map(({ operationId }) => operationId), ...uncalled];
    const entries = OPERATIONS.flatMap(({ operationId: id }) => {
      const verdict = tried.includes(id) ? "passed" : "not-tried";
      return [entry(id, verdict), entry(`${id}.auth`, verdict)];
    });
    const unarranged = { operations: uncalled, reason: "logIn shows no token" };
    const result = trialResult(entries, { operations: [...operations, WRONG_KEY], unarranged });
    const certificate = buildCertificate(runInfo(run), [CONTRACT], [result], facts());
    const passes = certificate.requirements.flatMap(({ id, verdict }) =>
      verdict === "passed" ? [id.replace("card-enrollment.", "")] : [],
    );
    const selected = tried.filter((id) => run.selection?.operations?.includes(id) !== false);
    expect([certificate.outcome, exitCodeOf(certificate)]).toEqual([
      outcome,
      outcome === "certified" ? 0 : 3,
    ]);
    expect(passes.filter((id) => !id.endsWith(".auth")).join(" ")).toBe(passing);
    expect(passes.filter((id) => id.endsWith(".auth"))).toEqual(selected.map((id) => `${id}.auth`));
    const last = renderSummary(certificate, { color: false, path: "c.json" }).trimEnd().split("\n").at(-1);
    const isQuoted = operations.some(({ said }) => said !== undefined) || uncalled.length > 0;
    if (outcome === "incomplete" && isQuoted) expect(last).toMatch(/unknown site|logIn shows no token/);
  });
}
