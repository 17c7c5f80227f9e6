/**
 * Tests one fault. Runs the trials that are most likely to detect it first, and all trials before the fault counts as
 * survived.
 */

import type { Contract } from "../helpers/contract/contract.ts";
import { STRENGTH, type TrialResult, type Verdict } from "../helpers/trials/ledger.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import type { Fault } from "../mocks/engine/faults/fault.ts";
import type { FaultRun } from "../reports/mutation.ts";
import type { OtherSandbox } from "./messages.ts";
import type { Workbench } from "./workbench.ts";

/** @param sandbox if given, the faults that are not found are many, and the trials of other operations are left out */
export const runFault = async (
  workbench: Workbench,
  fault: Fault,
  sandbox?: OtherSandbox,
): Promise<FaultRun> => {
  const started = performance.now();
  const seen: Trace = { others: [] };
  const stages = stagesOf(workbench, fault);
  let changed = 0;
  for (const { depth, trials, isThrifty = false } of sandbox === undefined ? stages : stages.slice(1, -1)) {
    const setting = { depth, isThrifty, faults: [fault.id], until: fault.violates, ...sandbox };
    await workbench.within(setting, async (session, changes) => {
      for (const trial of trials) {
        recordKills(await session.run(trial), fault, seen);
        if (seen.named !== undefined) return;
      }
      changed += await changes();
    });
    if (seen.named !== undefined) {
      seen.isThrifty = isThrifty;
      break;
    }
  }
  const [other] = seen.others;
  return {
    fault: fault.id,
    service: fault.service,
    violates: fault.violates,
    status: statusOf(seen, sandbox === undefined && changed === 0 && mayBeUnshown(fault, workbench.contract)),
    killedBy: seen.named ?? other ?? null,
    isThrifty: seen.isThrifty === true,
    ...(seen.reason !== undefined && { reason: seen.reason }),
    seconds: (performance.now() - started) / 1000,
  };
};

/** Whether only the provider's document may show what the fault changes. All that our contract shows is in some answer. */
const mayBeUnshown = ({ effects }: Fault, { provider }: Contract): boolean =>
  provider !== null && effects.every(({ kind }) => kind === "json");

const statusOf = ({ named, others }: Trace, isUnshown: boolean): FaultRun["status"] => {
  if (named !== undefined) return "by-name";
  if (others.length > 0) return "by-another";
  return isUnshown ? "unshown" : "survived";
};

interface Kill {
  readonly requirement: string;
  readonly trial: string;
}

interface Trace {
  named?: Kill;
  isThrifty?: boolean;
  /** Why the violated requirement was last not tried. */
  reason?: string;
  readonly others: Kill[];
}

interface Stage {
  readonly depth: Depth;
  readonly trials: readonly Trial[];
  /** Whether the trials send what they send in a run with a budget. */
  readonly isThrifty?: true;
}

/**
 * Orders the trials: first the trials that name the violated requirement, then the trials of its operations, then all
 * others.
 */
const stagesOf = ({ trials, contract }: Workbench, fault: Fault): Stage[] => {
  const naming = trials.filter(({ requirements }) => requirements.includes(fault.violates));
  const operations = operationsOf(fault, contract);
  const concerns = (trial: Trial): boolean => trial.operations.some((operation) => operations.has(operation));
  const near = [...naming.filter(concerns), ...naming.filter((trial) => !concerns(trial))];
  return [
    { depth: "quick", trials: near, isThrifty: true },
    { depth: "quick", trials: near },
    { depth: "standard", trials: near },
    { depth: "quick", trials: trials.filter((trial) => concerns(trial) && !naming.includes(trial)) },
    { depth: "standard", trials },
  ];
};

/**
 * Returns the operations that the fault affects or that its id names, or else the operations of the violated
 * requirement.
 */
const operationsOf = ({ id, violates, effects }: Fault, contract: Contract): Set<string> => {
  const faulty = effects.flatMap((effect) => {
    if (effect.kind === "request") return [effect.of.split("?")[0] ?? ""];
    if (effect.kind === "path" || effect.kind === "behaviour") return [];
    return effect.when.operationId ?? [];
  });
  const spoken = (operationId: string): boolean =>
    id.split(".").some((segment) => segment === operationId || segment.startsWith(`${operationId}-`));
  const own = contract.operations
    .map(({ operationId }) => operationId)
    .filter((operationId) => faulty.includes(operationId) || spoken(operationId));
  if (own.length > 0) return new Set(own);
  return new Set(contract.requirements.find((requirement) => requirement.id === violates)?.operations);
};

/**
 * Records the kills of one trial. An advisory counts, because it is the worst possible verdict of an `assumed`
 * requirement.
 */
const recordKills = (result: TrialResult, { violates }: Fault, seen: Trace): void => {
  for (const { requirement, verdict, reason } of result.entries) {
    if (requirement === violates && reason !== undefined) seen.reason = reason;
    if (STRENGTH.indexOf(verdict) < STRENGTH.indexOf("advisory" satisfies Verdict)) continue;
    const kill = { requirement, trial: result.trial };
    if (requirement === violates) seen.named ??= kill;
    else seen.others.push(kill);
  }
};
