/** Tests permitted differences: runs the trials that they concern. No trial may convict the server. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { dependentOperations } from "../helpers/trials/dependents.ts";
import type { LedgerEntry, TrialResult } from "../helpers/trials/ledger.ts";
import type { Session } from "../helpers/trials/session.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import type { Difference } from "../mocks/engine/differences/difference.ts";
import type { Conviction, DifferenceRun, Silence } from "../reports/innocence.ts";
import { type Baseline, verdictsOf } from "./baseline.ts";
import { digestOf } from "./exchange-digest.ts";
import type { Workbench } from "./workbench.ts";

/** @param name the id of the only difference, or the name of a combination */
export const runDifferences = async (
  workbench: Workbench,
  baseline: Baseline,
  name: string,
  differences: readonly Difference[],
): Promise<DifferenceRun> => {
  const started = performance.now();
  const trials = workbench.trials.filter((trial) =>
    differences.some((one) => concerns(one, trial, baseline)),
  );
  const isWhole = differences.some(({ kind }) => kind === "switch");
  const seen: Seen = { convictions: [], silenced: [], lost: [], exchanges: 0, changed: 0 };
  const permitted = permittedBy(differences, workbench.contract);
  for (const depth of DEPTHS) {
    const setting = {
      depth,
      seed: 1,
      differences: differences.map(({ id }) => id),
      onExchange: (exchange: Exchange) => {
        seen.exchanges += 1;
        // Only a run of all trials in the usual order has the same exchanges: another order gives other data.
        if (isWhole && !baseline.digests.has(digestOf(exchange))) seen.changed += 1;
      },
    };
    await workbench.within(setting, async (session, changes) => {
      await runTrials(session, trials, { baseline, permitted, seen });
      if (!isWhole) seen.changed += await changes();
    });
    // Fewer probes may not reach the difference.
    if (isWhole || seen.changed > 0) break;
  }
  const { convictions, silenced, lost, exchanges, changed } = seen;
  return {
    difference: name,
    service: workbench.contract.service,
    status: statusOf(seen),
    convictions,
    silenced: [...new Set(silenced)],
    lost,
    trials: trials.length,
    exchanges,
    changed,
    seconds: (performance.now() - started) / 1000,
  };
};

const DEPTHS: readonly Depth[] = ["quick", "standard"];

interface Seen {
  readonly convictions: Conviction[];
  /** Requirements that are no longer shown, which the differences permit. */
  readonly silenced: string[];
  readonly lost: Silence[];
  exchanges: number;
  changed: number;
}

const statusOf = ({ convictions, lost, changed }: Seen): DifferenceRun["status"] => {
  if (convictions.length > 0) return "convicted";
  if (lost.length > 0) return "not-shown";
  return changed === 0 ? "without-effect" : "acquitted";
};

interface Judging {
  readonly baseline: Baseline;
  readonly permitted: Permitted;
  readonly seen: Seen;
}

const runTrials = async (session: Session, trials: readonly Trial[], judging: Judging): Promise<void> => {
  for (const trial of trials) judge(await session.run(trial), judging);
};

const judge = (result: TrialResult, { baseline, permitted, seen }: Judging): void => {
  const known = baseline.verdicts.get(result.trial);
  for (const [requirement, verdict] of verdictsOf(result)) {
    if (verdict === "passed") continue;
    const entry = result.entries.find((one) => one.requirement === requirement && one.verdict === verdict);
    const reason = result.crash ?? reasonOf(entry);
    if (verdict === "failed" || verdict === "blocked")
      seen.convictions.push({ requirement, verdict, trial: result.trial, reason });
    else if (known?.get(requirement) !== "passed") continue;
    else if (
      permitted.affects(requirement) ||
      (verdict === "not-tried" && permitted.silences(requirement, reason))
    )
      seen.silenced.push(requirement);
    else seen.lost.push({ requirement, verdict, trial: result.trial, reason });
  }
};

const reasonOf = (entry: LedgerEntry | undefined): string => entry?.failure?.message ?? entry?.reason ?? "";

interface Permitted {
  affects(requirement: string): boolean;
  silences(requirement: string, reason: string): boolean;
}

const permittedBy = (differences: readonly Difference[], contract: Contract): Permitted => ({
  affects: matcherOf(differences.flatMap(({ affects }) => affects)),
  silences: silencedBy(differences, contract),
});

/**
 * A difference in an assumed rule silences the requirements of its operation. It may silence others that such an answer
 * shows, if the reason says what is assumed.
 */
const silencedBy = (differences: readonly Difference[], contract: Contract): Permitted["silences"] => {
  const isNamed = matcherOf(differences.flatMap((difference) => silencesOf(difference, contract)));
  const isDerived = differences.some(({ kind }) => kind !== "switch");
  return (requirement, reason) => isNamed(requirement) || (isDerived && REMEDY.test(reason));
};

const REMEDY = /--contract|BINDINGS|set [A-Z][A-Z_]+|under an assumed name| shows no /;

/** Returns what the difference silences itself, and what needs an operation that depends on the changed one. */
const silencesOf = (
  { silences, isNeeded, operations }: Difference,
  contract: Contract,
): readonly string[] => {
  if (isNeeded !== true) return silences;
  const dependents = dependentOperations(operations, contract);
  return contract.requirements
    .filter((requirement) => requirement.operations.some((operation) => dependents.includes(operation)))
    .map(({ id }) => id)
    .concat(silences);
};

/** Whether a trial may see the difference: trials that only arrange with an operation send it valid requests. */
const concerns = ({ operations, kind }: Difference, trial: Trial, baseline: Baseline): boolean => {
  if (operations.length === 0) return true;
  const called = kind === "request" ? new Set(trial.operations) : baseline.operations.get(trial.id);
  return operations.some((operationId) => called?.has(operationId) === true);
};

const matcherOf = (patterns: readonly string[]): ((requirement: string) => boolean) => {
  const exact = new Set(patterns);
  const parts = patterns.filter((id) => id.includes("*")).map((id) => id.split("*"));
  return (requirement) =>
    exact.has(requirement) ||
    parts.some(([start = "", end = ""]) => requirement.startsWith(start) && requirement.endsWith(end));
};
