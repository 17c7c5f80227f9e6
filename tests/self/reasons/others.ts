/** An input for each code that no trial on the sandbox gives in a changed world: it returns the code that is given. */
import type { Contract, Requirement } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { doubtAboutCall, unsettled } from "../../../helpers/contract/lookups.ts";
import { untriedReason } from "../../../helpers/contract/untried.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { NoValue } from "../../../helpers/generate/later.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import { runHook } from "../../../helpers/situations/hooks.ts";
import { offered } from "../../../helpers/situations/offered.ts";
import { withoutLeast } from "../../../helpers/trials/from-contract/repeated-rules.ts";
import type { LedgerEntry, TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { RunFacts } from "../../../reports/certificate/certificate.ts";
import { uniformReason } from "../../../reports/certificate/uniform.ts";
import { asLater } from "../../../reports/certificate/verdicts.ts";
import { kindNamed, tryListeners } from "../../../runner/client/listen.ts";
import { openCallerJudge } from "../../../runner/client/policies.ts";
import { openServiceJudge } from "../../../runner/client/service-judge.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "../reports/reports-data.ts";
import { onSandbox } from "../support/in-process.ts";

const A = "card-enrollment.a";
const LATER = { version: "1.0.0", digest: "sha256-11", requirements: 0, later: [A], gone: [] };

/** Certifies the requirement `a`. */
const certified = (given: {
  readonly requirement?: Partial<Requirement>;
  readonly run?: Partial<RunInfo>;
  readonly entries?: readonly LedgerEntry[];
  readonly facts?: Partial<RunFacts>;
  readonly isLater?: true;
}): string | undefined => {
  const own = contract([requirement("a", given.requirement)]);
  const certificate = buildCertificate(
    runInfo(given.run),
    [given.isLater ? { ...own, requirementSet: LATER } : own],
    [trialResult(given.entries ?? [])],
    facts(given.facts),
  );
  return certificate.requirements[0]?.code;
};

const trialIn = (state: RunFacts["trials"][number]["state"]) => ({
  trials: [{ trial: "t", requirements: [A], state }],
});
const spent = because("lacks-resource", "card", because("left-out-by-budget"));

const own = await loadContract("card-enrollment");
const [first] = own.requirements as [Requirement];
const [operation] = own.operations as [Contract["operations"][number]];

const trialThat = (run: Trial["run"]): Trial => ({
  ...{ id: "t", service: own.service, title: "t", section: "", operations: [], requirements: [first.id] },
  ...{ hazards: [], run, observe: () => undefined },
});

/** Runs a trial on the sandbox. */
const ran = (trial: Trial, isEnded = false): Promise<string | undefined> =>
  onSandbox({ contract: own, depth: "quick" }, async (session) => {
    if (isEnded) await session.close();
    return codeOf([await session.run(trial)], first.id);
  });

const codeOf = (results: readonly TrialResult[], id: string): string | undefined =>
  results.flatMap(({ entries }) => entries).find((one) => one.requirement === id)?.reason?.code;

const recorder = createRecorder(createRedactor({}, [own]));

/** Judges callers that sent nothing. */
const ofCallers = async (code: string): Promise<string | undefined> => {
  const { judge } = await openCallerJudge([own], { [own.service]: "http://127.0.0.1:1" }, recorder);
  const entries = judge.results().flatMap((result) => result.entries);
  return entries.find(({ reason }) => reason?.code === code)?.reason?.code;
};

/** Tries a listener on this machine that nobody serves. */
const ofListener = async (probe: "counts-repeated-once" | "has-https"): Promise<string | undefined> => {
  const kind = await kindNamed("txpush");
  const given = await loadContract(kind.service);
  const options = { kind, contract: given, urls: ["http://127.0.0.1:1/"], timeLimitMs: 1_000 };
  const { results } = await tryListeners({ ...options, only: [probe] });
  return codeOf(results, `${kind.service}.${kind.requirements[probe]}`);
};

const thrown = async (run: () => unknown): Promise<string | undefined> => {
  try {
    await run();
  } catch (error) {
    if (error instanceof NotTried || error instanceof TargetLost) return error.reason.code;
  }
  return undefined;
};

const provider = { file: "document.yaml", version: "1", digest: "sha256-0" };

export const OTHERS: Readonly<Record<string, () => string | undefined | Promise<string | undefined>>> = {
  "left-out-by-budget": () => certified({ entries: [{ ...entry("a", "not-tried"), reason: spent }] }),
  "left-out-by-depth": () =>
    ran(withoutLeast([trialThat(async () => undefined)], new Set(["t"]))[0] as Trial),
  "not-selected": () => certified({ run: { selection: { operations: ["getCard"] } } }),
  "other-shard": () => certified({ run: { shard: { index: 1, total: 2 } } }),
  "run-ended": () =>
    ran(
      trialThat(async (context) => void (await context.send({ operationId: operation.operationId }))),
      true,
    ),
  "no-base-url": () => certified({ run: { untested: { "card-enrollment": because("no-base-url", "URL") } } }),
  "lacks-public-url": () => ofListener("has-https"),
  "lacks-option": () => ofListener("counts-repeated-once"),
  "situations-used": () =>
    thrown(async () => {
      const { arrange } = offered({ situations: { gone: [{ ids: { card: "1" }, once: { name: "gone" } }] } });
      await arrange("gone");
      await arrange("gone");
    }),
  "hook-failed": () => thrown(() => runHook({ command: ["false"] }, "mail", {})),
  "client-silent": () => ofCallers("client-silent"),
  "not-shown-by-traffic": () => ofCallers("not-shown-by-traffic"),
  "not-in-traffic": async () => codeOf((await openServiceJudge([own], recorder)).results(), first.id),
  "obliges-service": () => ofCallers("obliges-service"),
  "obliges-client": () => certified({ requirement: { subject: "client" } }),
  "not-observable": () => certified({ requirement: { observable: "not-observable" } }),
  "document-leaves-open": () => unsettled({ ...own, provider }, "seen").code,
  "call-incomplete": () =>
    doubtAboutCall(own, { ...operation, level: "documented", parameters: [] }, "seen").code,
  "keyword-left-out": () => untriedReason({ keyword: "pattern", untried: "it is not known" }).code,
  "no-value": () =>
    ran(
      trialThat(() => {
        throw new NoValue("hard to find");
      }),
    ),
  crashed: () =>
    ran(
      trialThat(() => {
        throw new Error("a mistake of ours");
      }),
    ),
  untested: () => ran(trialThat(async () => undefined)),
  uniform: () => uniformReason(500).code,
  "no-trial": () => certified({}),
  "no-verdict": () => certified({ facts: trialIn("finished") }),
  "not-finished": () => certified({ facts: trialIn("planned") }),
  "added-later": () => certified({ isLater: true, entries: [entry("a", "failed")] }),
  "added-and-blocked": () =>
    asLater({ verdict: "blocked", reason: because("no-trial") }, LATER, false).reason?.code,
};
