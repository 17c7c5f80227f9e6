/** An input for each code that no trial on the sandbox gives: it returns the codes that are given. */
import type { TestResult } from "@playwright/test/reporter";
import type { Contract, Requirement, Rule } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { doubtAboutCall, requestRulesOf, unsettled } from "../../../helpers/contract/lookups.ts";
import { WHOLE_BODY } from "../../../helpers/contract/rules.ts";
import { untriedReason } from "../../../helpers/contract/schemas/untried.ts";
import { HOLDS } from "../../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { NoValue } from "../../../helpers/generate/later.ts";
import { because, type Reason } from "../../../helpers/reasons/reason.ts";
import { runHook } from "../../../helpers/situations/hooks.ts";
import { offered } from "../../../helpers/situations/offered.ts";
import { NOTHING } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { documentPolicy } from "../../../helpers/trials/from-contract/document-policy.ts";
import { generatedTrials } from "../../../helpers/trials/from-contract/generated.ts";
import { withoutLeast, withoutRepeated } from "../../../helpers/trials/from-contract/repeated-rules.ts";
import { ruleTrials } from "../../../helpers/trials/from-contract/rules.ts";
import { grantCalls } from "../../../helpers/trials/grant.ts";
import type { LedgerEntry, TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { RunFacts } from "../../../reports/certificate/certificate.ts";
import { endedTrial } from "../../../reports/certificate/trial-facts.ts";
import { uniformReason } from "../../../reports/certificate/uniform.ts";
import { asLater } from "../../../reports/certificate/verdicts.ts";
import { openServiceJudge } from "../../../runner/service-judge.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "../reports/reports-data.ts";

const A = "card-enrollment.a";
const LATER = { version: "1.0.0", digest: "sha256-11", requirements: 0, later: [A], gone: [] };

/** Certifies the requirement `a`. */
const certified = (given: {
  readonly requirement?: Partial<Requirement>;
  readonly run?: Partial<RunInfo>;
  readonly entries?: readonly LedgerEntry[];
  readonly result?: Partial<TrialResult>;
  readonly facts?: Partial<RunFacts>;
  readonly isLater?: true;
}): string | undefined => {
  const own = contract([requirement("a", given.requirement)]);
  const certificate = buildCertificate(
    runInfo(given.run),
    [given.isLater ? { ...own, requirementSet: LATER } : own],
    [trialResult(given.entries ?? [], given.result)],
    facts(given.facts),
  );
  return certificate.requirements[0]?.code;
};

const planned = { trial: "t", requirements: [A], state: "planned" } as const;
const spent = because("lacks-resource", "card", because("left-out-by-budget"));

const own = await loadContract("card-enrollment");
const [first, second] = own.requirements as [Requirement, Requirement];
const [operation] = own.operations as [Contract["operations"][number]];
const [rule] = requestRulesOf(own, operation.operationId) as [Rule];
const CALL = { operationId: operation.operationId };
const policy = documentPolicy(own.service);

const VIOLATED = { ...HOLDS, holds: false };
const NONE = targetOf("none", { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:1" }, false);

/** Runs a trial on a target that nobody serves. */
const ran = async (
  trial: Omit<Partial<Trial>, "run"> & { run?(context: TrialContext): Promise<unknown> } = {},
  { isEnded = false, contract: by = own, capabilities = NOTHING } = {},
): Promise<string[]> => {
  const options = { target: NONE, capabilities, depth: "quick", seed: 1, prefix: "t0" } as const;
  const session = openSession({ ...options, contracts: [by], until: first.id });
  if (isEnded) await session.close();
  const usual = { id: "t", service: own.service, operations: [], requirements: [first.id, second.id] };
  const run = async () => undefined;
  const given = { ...usual, run, observe: () => undefined, ...trial } as unknown as Trial;
  const results = [await session.run(given)];
  await session.close();
  return codesOf(results);
};

/** Runs the trial of a rule of which the contract has copies, each changed and with a requirement of its own. */
const ofCopies = (changes: readonly Partial<Rule>[], at = 0): Promise<string[]> => {
  const rules = changes.map((change, nth) => ({ ...rule, ...change, requirement: `${own.service}.${nth}` }));
  const given = { ...own, rules, requirements: rules.map((one) => ({ ...first, id: one.requirement })) };
  const trials = ruleTrials({ contract: given, policy, operation });
  return ran(withoutRepeated(given, trials).at(at), { contract: given });
};

/** Returns the codes of all reasons in results, with their causes. */
export const codesOf = (results: readonly TrialResult[]): string[] =>
  results.flatMap(({ entries }) => entries.flatMap(({ reason }) => (reason ? codesIn(reason) : [])));

const codesIn = ({ code, parameters }: Reason): string[] => [
  code,
  ...Object.values(parameters).flatMap((one) => (typeof one === "object" ? codesIn(one) : [])),
];

const recorder = createRecorder(createRedactor({}, [own]));

const provider = { file: "document.yaml", version: "1", digest: "sha256-0" };

/** The codes with an input in the tests of an extension. */
export const OF_EXTENSIONS = [
  ...["client-silent", "lacks-option", "lacks-public-url", "no-check", "not-enough"],
  ...["not-shown-by-traffic", "obliges-service"],
];

export const OTHERS: Readonly<Record<string, () => unknown>> = {
  "left-out-by-budget": () => certified({ entries: [{ ...entry("a", "not-tried"), reason: spent }] }),
  "left-out-by-depth": () => ran(withoutLeast(generatedTrials(own, policy), new Set(["putCard/success"]))[0]),
  "tried-elsewhere": () => ofCopies(Array(501).fill({ schemaName: "Item" }), -1),
  "not-selected": () => certified({ run: { selection: { operations: ["getCard"] } } }),
  "other-shard": () => certified({ run: { shard: { index: 1, total: 2 } } }),
  "search-ended": () =>
    ran({
      async run({ judge, send }) {
        judge.record(first.id, VIOLATED, []);
        await send(CALL);
      },
    }),
  "run-ended": () => ran({ run: ({ send }) => send(CALL) }, { isEnded: true }),
  "lacks-own": () => {
    const finds = [{ resource: "loan", pointer: "/id", isForeign: true }] as const;
    const given = { ...own, operations: [{ ...operation, finds }] };
    return ran({ run: ({ arrange }) => arrange.need("loan", { isChanged: true }) }, { contract: given });
  },
  "lacks-given": () => {
    const grant = { address: "AT", id: "ID", secret: "SECRET", scope: "" };
    const securitySchemes = [{ name: "s", header: "S", grant }];
    return ran({ run: async ({ target }) => grantCalls({ ...own, securitySchemes }, target) });
  },
  "no-base-url": () => certified({ run: { untested: { "card-enrollment": because("no-base-url", "URL") } } }),
  "situations-used": () => {
    const { arrange } = offered({ situations: { gone: [{ ids: { card: "1" }, once: { name: "gone" } }] } });
    return ran({ run: () => arrange("gone").then(() => arrange("gone")) });
  },
  "maybe-used": () => {
    const shown = { request: { url: "http://127.0.0.1:1/cards" } } as Exchange;
    const capabilities = { ...NOTHING, mayBeUsed: () => ({ name: "card" }) };
    return ran({ run: async ({ judge }) => judge.record(first.id, VIOLATED, [shown]) }, { capabilities });
  },
  "hook-failed": () => ran({ run: () => runHook({ command: ["false"] }, "mail", {}) }),
  unprovided: () => ran({ run: ({ arrange }) => arrange.need("nobody") }),
  "not-in-traffic": async () => codesOf((await openServiceJudge([own], recorder)).results()),
  "obliges-client": () => certified({ requirement: { subject: "client" } }),
  "no-valid-call": () => {
    const unarranged = { operations: ["putCard"], reason: spent };
    return certified({ entries: [entry("a", "passed")], result: { operations: [], unarranged } });
  },
  "would-harm": () => {
    const logIn = { ...operation, refusalHazards: ["locks-account"] as const };
    return ran(generatedTrials({ ...own, operations: [logIn] }, policy).at(-1));
  },
  "other-alternative": () => ofCopies([{ alternative: "One" }, { keyword: WHOLE_BODY }]),
  "no-certain-miss": () => ofCopies([{ alternative: "One" }]),
  "not-observable": () => certified({ requirement: { observable: "not-observable" } }),
  "document-leaves-open": () => unsettled({ ...own, provider }, "seen").code,
  "call-incomplete": () =>
    doubtAboutCall(own, { ...operation, level: "documented", parameters: [] }, "seen").code,
  "keyword-left-out": () => untriedReason({ keyword: "pattern", untried: "it is not known" }).code,
  "no-value": () => ran({ run: () => Promise.reject(new NoValue("hard to find")) }),
  crashed: () => ran({ run: () => Promise.reject(new Error("a mistake of ours")) }),
  untested: () => ran(),
  uniform: () => uniformReason(500).code,
  "no-trial": () => certified({}),
  "ended-early": () => {
    const timedOut = { status: "timedOut", attachments: [] } as unknown as TestResult;
    return certified({ facts: { trials: [endedTrial(planned, timedOut, own.service).fact] } });
  },
  "no-verdict": () => certified({ facts: { trials: [{ ...planned, state: "finished" }] } }),
  "not-finished": () => certified({ facts: { trials: [planned] } }),
  "added-later": () => certified({ isLater: true, entries: [entry("a", "failed")] }),
  "added-and-blocked": () =>
    asLater({ verdict: "blocked", reason: because("no-trial") }, LATER, false).reason?.code,
};
