/** Tests one permitted difference: runs the trials that it concerns, none of which may convict the server. */
import type { Contract } from "../helpers/contract/contract.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { dependentOperations } from "../helpers/trials/dependents.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import type { Difference } from "../mocks/engine/differences/difference.ts";
import type { DifferenceRun, FalseAlarm } from "../reports/innocence.ts";
import { type Baseline, verdictsOf } from "./baseline.ts";
import { digestOf } from "./exchange-digest.ts";
import type { Workbench } from "./workbench.ts";

export const runDifference = async (
  workbench: Workbench,
  baseline: Baseline,
  difference: Difference,
  depth: Depth,
): Promise<DifferenceRun> => {
  const started = performance.now();
  const trials = workbench.trials.filter((trial) => concerns(difference, trial, baseline));
  const mayChange = matcherOf(difference.affects);
  const maySilence = matcherOf(silencesOf(difference, workbench.contract));
  const convictions: FalseAlarm[] = [];
  const lost = new Map<string, string>();
  let exchanges = 0;
  let changed = 0;
  const setting = {
    depth,
    seed: 1,
    differences: [difference.id],
    onExchange: (exchange: Exchange) => {
      exchanges += 1;
      if (!baseline.digests.has(digestOf(exchange))) changed += 1;
    },
  };
  await workbench.within(setting, async (session, changes) => {
    for (const trial of trials) {
      const result = await session.run(trial);
      const known = baseline.verdicts.get(trial.id);
      const reasons = new Map(result.entries.map((entry) => [entry.requirement, entry]));
      for (const [requirement, verdict] of verdictsOf(result)) {
        const entry = result.entries.find((one) => one.requirement === requirement && one.verdict === verdict);
        const message = entry?.failure?.message ?? result.crash ?? reasons.get(requirement)?.reason ?? "";
        if (verdict === "failed" || verdict === "blocked")
          convictions.push({ requirement, verdict, trial: trial.id, message });
        else if (
          verdict !== "passed" &&
          known?.get(requirement) === "passed" &&
          !mayChange(requirement) &&
          !(verdict === "not-tried" && maySilence(requirement))
        )
          lost.set(requirement, `${verdict}: ${message}`);
      }
    }
    // Only a run of all trials in the usual order has the same exchanges: another order gives other data.
    if (difference.kind !== "switch") changed = await changes();
  });
  return {
    difference: difference.id,
    service: difference.service,
    status:
      convictions.length > 0 ? "convicted" : changed === 0 ? "without-effect" : lost.size > 0 ? "not-shown" : "acquitted",
    convictions,
    lost: [...lost].map(([requirement, reason]) => ({ requirement, reason })),
    trials: trials.length,
    exchanges,
    changed,
    seconds: (performance.now() - started) / 1000,
  };
};

/** Returns what the difference silences itself, and what needs an operation that depends on the changed one. */
const silencesOf = ({ silences, isNeeded, operations }: Difference, contract: Contract): readonly string[] => {
  if (isNeeded !== true) return silences;
  const dependents = dependentOperations(operations, contract);
  return contract.requirements
    .filter((requirement) => requirement.operations.some((operation) => dependents.includes(operation)))
    .map(({ id }) => id)
    .concat(silences);
};

const concerns = ({ operations }: Difference, trial: Trial, baseline: Baseline): boolean =>
  operations.length === 0 ||
  operations.some((operationId) => baseline.operations.get(trial.id)?.has(operationId) === true);

const matcherOf = (patterns: readonly string[]): ((requirement: string) => boolean) => {
  const exact = new Set(patterns);
  const starts = patterns.filter((id) => id.endsWith("*")).map((id) => id.slice(0, -1));
  return (requirement) => exact.has(requirement) || starts.some((start) => requirement.startsWith(start));
};
