/**
 * Tests one fault. Runs the trials that are most likely to detect it first, and all trials before the fault counts as
 * survived.
 */
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { sentenceOf } from "../helpers/reasons/reason.ts";
import { type LedgerEntry, STRENGTH, type TrialResult, type Verdict } from "../helpers/trials/ledger.ts";
import type { Session } from "../helpers/trials/session.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import type { Fault } from "../mocks/engine/deviations/deviation.ts";
import type { Evidence, MatrixRow } from "../reports/certificate/matrix.ts";
import { namingOf, operationsOf } from "./concerned.ts";
import type { OtherSandbox } from "./messages.ts";
import { isUnshown } from "./unshown.ts";
import type { Workbench } from "./workbench.ts";

/** @param sandbox if given, the sandbox that the trials know only from outside */
export const runFault = async (
  workbench: Workbench,
  fault: Fault,
  sandbox?: OtherSandbox,
): Promise<MatrixRow> => {
  const started = performance.now();
  const seen: Trace = { others: [], changed: 0, called: new Set() };
  const unshown =
    sandbox === undefined
      ? await tryAll(workbench, fault, seen)
      : await tryOnOther(workbench, fault, seen, sandbox).then(() => false);
  return {
    kind: "fault",
    service: fault.service,
    subject: fault.id,
    violates: fault.violates,
    status: unshown ? "unshown" : statusOf(seen),
    evidence: [seen.named ?? seen.others[0] ?? []].flat(),
    ...(seen.depth && { depth: seen.depth }),
    ...(seen.reason !== undefined && { reason: seen.reason }),
    seconds: (performance.now() - started) / 1000,
  };
};

/** Returns whether no answer shows the fault; then it does not run the trials of other operations. */
const tryAll = async (workbench: Workbench, fault: Fault, seen: Trace): Promise<boolean> => {
  const stages = stagesOf(workbench, fault);
  await tryStages(workbench, fault, stages.slice(0, -1), seen);
  if (isUndetected(seen) && (await isUnshown(workbench, fault, seen))) return true;
  await tryStages(workbench, fault, stages.slice(-1), seen);
  return false;
};

/** Many faults are not found there, so the trials of other operations run only if nothing says why. */
const tryOnOther = async (
  workbench: Workbench,
  fault: Fault,
  seen: Trace,
  sandbox: OtherSandbox,
): Promise<void> => {
  const stages = stagesOf(workbench, fault);
  await tryStages(workbench, fault, stages.slice(1, -1), seen, sandbox);
  if (seen.named !== undefined || seen.reason !== undefined) return;
  const lack = await lackOf(workbench, fault, seen, sandbox);
  if (lack !== undefined) {
    seen.reason = lack;
    return;
  }
  await tryStages(workbench, fault, stages.slice(-1), seen, sandbox);
  if (seen.named === undefined) seen.reason ??= "it held in all trials";
};

/** Runs the stages until the violated requirement fails. */
const tryStages = async (
  workbench: Workbench,
  fault: Fault,
  stages: readonly Stage[],
  seen: Trace,
  sandbox?: OtherSandbox,
): Promise<void> => {
  for (const { depth, trials } of stages) {
    if (seen.named !== undefined) return;
    const onExchange = ({ operationId }: Exchange) => void seen.called.add(operationId);
    const setting = { depth, faults: [fault.id], until: fault.violates, onExchange, ...sandbox };
    await workbench.within(setting, async (session, changes) => {
      for (const trial of trials) {
        recordKills(await session.run(trial), fault, seen);
        if (seen.named === undefined) continue;
        seen.depth = depth;
        return;
      }
      seen.changed += await changes();
    });
  }
};

/** Returns why the fault was not found on that sandbox, if something says so. */
const lackOf = (
  workbench: Workbench,
  fault: Fault,
  { changed, called }: Trace,
  sandbox: OtherSandbox,
): Promise<string | undefined> => {
  const { trials, contract } = workbench;
  const setting = { depth: "standard", faults: [fault.id], occasions: true, ...sandbox } as const;
  return workbench.within(setting, async (session) => {
    const operations = operationsOf(fault, contract);
    const naming = namingOf(workbench, fault);
    // Trials of other operations may pass, because the fault is not theirs.
    const own = naming.filter((trial) => trial.operations.some((operation) => operations.has(operation)));
    const results = await inTurn(session, own.length > 0 ? own : naming);
    if (!verdictsOn(fault.violates, results).includes("passed")) return reasonOf(fault.violates, results);
    const uncalled = [...operations].find((operation) => !called.has(operation));
    if (uncalled !== undefined) {
      const success = `${fault.service}.${uncalled}.success`;
      const valid = trials.filter(({ requirements }) => requirements.includes(success));
      return reasonOf(success, await inTurn(session, valid));
    }
    const isInBodies = fault.effects.every(({ kind }) => kind === "json");
    return refusedIn(results, operations) ?? (isInBodies && changed === 0 ? UNSEEN : undefined);
  });
};

const UNSEEN = "no answer has the part that it changes";

const inTurn = async (session: Session, trials: readonly Trial[]): Promise<TrialResult[]> => {
  const results: TrialResult[] = [];
  for (const trial of trials) results.push(await session.run(trial));
  return results;
};

const entriesOn = (requirement: string, results: readonly TrialResult[]): LedgerEntry[] =>
  results.flatMap(({ entries }) => entries.filter((entry) => entry.requirement === requirement));

const verdictsOn = (requirement: string, results: readonly TrialResult[]): Verdict[] =>
  entriesOn(requirement, results).map(({ verdict }) => verdict);

const reasonOf = (requirement: string, results: readonly TrialResult[]): string | undefined =>
  entriesOn(requirement, results).flatMap(({ reason }) => (reason ? sentenceOf(reason) : []))[0];

/** Returns the first refusal of one of the operations. It may have another cause. */
const refusedIn = (results: readonly TrialResult[], operations: ReadonlySet<string>): string | undefined => {
  const refused = results
    .flatMap((result) => result.operations)
    .find(({ operationId, status }) => operations.has(operationId) && status >= 400);
  return refused && `${refused.operationId} refused a call with ${refused.status}`;
};

const isUndetected = ({ named, others }: Trace): boolean => named === undefined && others.length === 0;

const statusOf = (seen: Trace): MatrixRow["status"] => {
  if (seen.named !== undefined) return "by-name";
  return isUndetected(seen) ? "survived" : "by-another";
};

interface Trace {
  named?: Evidence;
  depth?: Depth;
  /** Why the violated requirement was last not tried. */
  reason?: string;
  readonly others: Evidence[];
  changed: number;
  readonly called: Set<string>;
}

interface Stage {
  readonly depth: Depth;
  readonly trials: readonly Trial[];
}

/**
 * Orders the trials: first the trials that name the violated requirement, then the trials of its operations, then all
 * others.
 */
const stagesOf = (workbench: Workbench, fault: Fault): Stage[] => {
  const { trials, contract } = workbench;
  const naming = namingOf(workbench, fault);
  const operations = operationsOf(fault, contract);
  const concerns = (trial: Trial): boolean => trial.operations.some((operation) => operations.has(operation));
  const near = [...naming.filter(concerns), ...naming.filter((trial) => !concerns(trial))];
  return [
    { depth: "quick", trials: near },
    { depth: "standard", trials: near },
    { depth: "quick", trials: trials.filter((trial) => concerns(trial) && !naming.includes(trial)) },
    { depth: "standard", trials },
  ];
};

/**
 * Records the kills of one trial. An advisory counts, because it is the worst possible verdict of an `assumed`
 * requirement.
 */
const recordKills = (result: TrialResult, { violates }: Fault, seen: Trace): void => {
  for (const { requirement, verdict, reason, failure } of result.entries) {
    if (requirement === violates && reason !== undefined) seen.reason = sentenceOf(reason);
    if (STRENGTH.indexOf(verdict) < STRENGTH.indexOf("advisory" satisfies Verdict)) continue;
    const kill = { requirement, verdict, trial: result.trial, reason: failure?.message ?? "" };
    if (requirement === violates) seen.named ??= kill;
    else seen.others.push(kill);
  }
};
