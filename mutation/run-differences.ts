/** Tests permitted differences: runs the trials that they concern. No trial may convict the server. */
import { memoize } from "../helpers/contract/memoize.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { sentenceOf } from "../helpers/reasons/reason.ts";
import type { TrialResult } from "../helpers/trials/ledger.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import type { Difference } from "../mocks/engine/deviations/deviation.ts";
import { hashOf } from "../mocks/engine/values/random.ts";
import type { Evidence, MatrixRow } from "../reports/certificate/matrix.ts";
import { answerKey, type Baseline, isObservedOtherwise, partsOf, verdictsOf } from "./baseline.ts";
import { documentBreaks } from "./document-breaks.ts";
import { digestOf } from "./exchange-digest.ts";
import { trialsUnseen } from "./innocence.ts";
import { type Permitted, permittedBy } from "./permitted.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Runs the trials that the differences concern. A difference alone that may change all answers runs a part of the
 * trials, and the others only if no exchange of that part changes: combinations with it run all trials. It also runs
 * what shows the requirements that other differences may silence in each of these combinations.
 * @param name the id of the only difference, or the name of a combination
 * @param all the differences of the service, of which the combinations consist
 */
export const runDifferences = async (
  workbench: Workbench,
  baseline: Baseline,
  name: string,
  differences: readonly Difference[],
  all: readonly Difference[],
): Promise<MatrixRow> => {
  const started = performance.now();
  const seen: Seen = {
    convictions: [],
    silenced: [],
    lost: [],
    exchanges: 0,
    changed: 0,
    trials: 0,
    unjudged: 0,
  };
  const permitted = permittedBy(differences, workbench.contract);
  for (const { depth, trials } of stagesOf(workbench, baseline, differences, all)) {
    await runStage(workbench, { depth, trials, differences }, { baseline, permitted, seen });
    if (seen.changed > 0) break;
  }
  const { convictions, silenced, lost, exchanges, trials, unjudged } = seen;
  return {
    kind: differences.length === 1 ? "difference" : "combination",
    service: workbench.contract.service,
    subject: name,
    violates: null,
    status: statusOf(seen, {
      isAlone: differences.length === 1,
      mayBeSettled:
        workbench.contract.provider !== null ||
        differences.every(({ isByConvention }) => isByConvention === true),
    }),
    evidence: convictions.length > 0 ? convictions : lost,
    silenced: [...new Set(silenced)],
    ...{ trials, unjudged, exchanges },
    seconds: (performance.now() - started) / 1000,
  };
};

interface Stage {
  readonly depth: Depth;
  readonly trials: readonly Trial[];
}

/** Returns what to run until an exchange changes. */
const stagesOf = (
  { contract, trials }: Workbench,
  baseline: Baseline,
  differences: readonly Difference[],
  all: readonly Difference[],
): readonly Stage[] => {
  const [first, ...others] = differences;
  if (first !== undefined && others.length === 0 && first.operations.length === 0) {
    const parts = partsOf(trials);
    const start = hashOf(first.id) % parts.length;
    const [part = [], ...rest] = [...parts.slice(start), ...parts.slice(0, start)];
    const unseen = trialsUnseen(contract, first, all, baseline.verdicts, part);
    const before = trials.filter((trial) => part.includes(trial) || unseen.has(trial.id));
    return [before, ...rest.map((next) => next.filter(({ id }) => !unseen.has(id)))].map((stage) => ({
      depth: "quick",
      trials: stage,
    }));
  }
  const concerned = trials.filter((trial) => differences.some((one) => concerns(one, trial, baseline)));
  // Fewer probes may not reach the difference.
  const depths: readonly Depth[] = isSwitched(differences) ? ["quick"] : ["quick", "standard"];
  return depths.map((depth) => ({ depth, trials: concerned }));
};

const isSwitched = (differences: readonly Difference[]): boolean =>
  differences.some(({ kind }) => kind === "switch");

const runStage = async (
  workbench: Workbench,
  { depth, trials, differences }: Stage & { readonly differences: readonly Difference[] },
  judging: Judging,
): Promise<void> => {
  const { baseline, seen } = judging;
  const isWhole = isSwitched(differences);
  const breaksDocument = documentBreaks(workbench.contract);
  let current: Trial["id"] = "";
  let isBroken = false;
  const setting = {
    depth,
    seed: 1,
    differences: differences.map(({ id }) => id),
    ...(!isWhole && { focus: differences.flatMap(({ operations }) => operations) }),
    onExchange: (exchange: Exchange) => {
      seen.exchanges += 1;
      isBroken ||= breaksDocument(exchange);
      // One changed exchange is enough, and a digest takes long.
      if (isWhole && seen.changed === 0 && baseline.digests.get(current)?.has(digestOf(exchange)) !== true)
        seen.changed = 1;
    },
  };
  await workbench.within(setting, async (session, changes) => {
    for (const trial of trials) {
      current = trial.id;
      isBroken = false;
      const result = await session.run(trial);
      if (isWhole && isObservedOtherwise(result, baseline)) seen.changed += 1;
      // Then a conviction is right.
      if (isBroken) seen.unjudged += 1;
      else judge(result, judging);
    }
    if (!isWhole) seen.changed += await changes();
  });
  seen.trials += trials.length;
};

interface Seen {
  readonly convictions: Evidence[];
  /** Requirements that are no longer shown, which the differences permit. */
  readonly silenced: string[];
  readonly lost: Evidence[];
  exchanges: number;
  changed: number;
  trials: number;
  /** Trials whose results do not count, because an answer broke the provider's document. */
  unjudged: number;
}

const statusOf = (
  { convictions, silenced, lost, changed: exchanges, unjudged }: Seen,
  { isAlone, mayBeSettled }: { readonly isAlone: boolean; readonly mayBeSettled: boolean },
): MatrixRow["status"] => {
  // Equal answers in another order show only in the verdicts.
  const changed = exchanges + silenced.length;
  if (convictions.length > 0) return "convicted";
  if (lost.length > 0) return "not-shown";
  if (isAlone && (unjudged > 0 || (changed === 0 && mayBeSettled))) return "settled";
  return changed === 0 ? "without-effect" : "acquitted";
};

interface Judging {
  readonly baseline: Baseline;
  readonly permitted: Permitted;
  readonly seen: Seen;
}

const judge = (result: TrialResult, { baseline, permitted, seen }: Judging): void => {
  const known = baseline.verdicts.get(result.trial);
  for (const [requirement, verdict] of verdictsOf(result)) {
    if (verdict === "passed") continue;
    const entry = result.entries.find((one) => one.requirement === requirement && one.verdict === verdict);
    const reason = result.crash ?? entry?.failure?.message ?? (entry?.reason ? sentenceOf(entry.reason) : "");
    if (verdict === "failed" || verdict === "blocked")
      seen.convictions.push({ requirement, verdict, trial: result.trial, reason });
    else if (known?.get(requirement) !== "passed") continue;
    else if (
      permitted.affects(requirement) ||
      (verdict === "not-tried" && permitted.silences(requirement, entry?.reason))
    )
      seen.silenced.push(requirement);
    else seen.lost.push({ requirement, verdict, trial: result.trial, reason });
  }
};

/**
 * Whether a trial may see the difference. A rule that is not enforced shows only where a request was refused, and a rule
 * of responses only where an answer with its status came.
 */
export const concerns = (
  { operations, kind, effects }: Difference,
  trial: Trial,
  baseline: Pick<Baseline, "operations" | "answers">,
): boolean => {
  if (operations.length === 0) return true;
  if (kind === "switch") {
    const called = baseline.operations.get(trial.id);
    return operations.some((operationId) => called?.has(operationId) === true);
  }
  const statuses = kind === "request" ? REFUSALS : statusesOf(effects);
  const answers = baseline.answers.get(trial.id);
  return operations.some((operationId) =>
    statuses.some((status) => answers?.has(answerKey(operationId, status)) === true),
  );
};

/** The statuses with which the sandbox refuses a request that breaks a rule. */
const REFUSALS: readonly number[] = [400, 403, 404, 409, 422];

const statusesOf = memoize((effects: Difference["effects"]): readonly number[] => [
  ...new Set(effects.flatMap((effect) => ("when" in effect ? (effect.when.status ?? []) : []))),
]);
