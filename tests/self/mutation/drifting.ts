/** Shows that a permitted difference is reported as drift: compares the behaviour with it and without it. */
import { type Behaviour, NO_BEHAVIOUR } from "../../../helpers/behaviour/behaviour.ts";
import { changesBetween, gapChanges } from "../../../helpers/behaviour/drift.ts";
import { gapVerdicts } from "../../../helpers/behaviour/gaps.ts";
import { mergedBehaviour } from "../../../helpers/behaviour/merge.ts";
import type { Depth } from "../../../helpers/trials/trial.ts";
import type { Difference } from "../../../mocks/engine/deviations/deviation.ts";
import { answersIn, type Baseline, operationsOf } from "../../../mutation/baseline.ts";
import { concerns } from "../../../mutation/run-differences.ts";
import type { Setting, Workbench } from "../../../mutation/workbench.ts";

/** The behaviour of the plain sandbox in each trial, by id. */
export interface PlainBehaviour extends Pick<Baseline, "operations" | "answers"> {
  readonly behaviours: ReadonlyMap<string, Behaviour>;
}

/** Compares after this many trials, so that a difference that shows everywhere is seen early. */
const GROUP = 40;

export const plainBehaviour = async (
  workbench: Workbench,
  setting: Pick<Setting, "depth" | "seed">,
): Promise<PlainBehaviour> => {
  const behaviours = new Map<string, Behaviour>();
  const operations = new Map<string, ReadonlySet<string>>();
  const answers = new Map<string, ReadonlySet<string>>();
  await workbench.within({ ...setting, external: true, isObserved: true }, async (session) => {
    for (const trial of workbench.trials) {
      const result = await session.run(trial);
      behaviours.set(trial.id, result.behaviour ?? NO_BEHAVIOUR);
      operations.set(trial.id, operationsOf(trial, result));
      answers.set(trial.id, answersIn(result));
    }
  });
  return { behaviours, operations, answers };
};

/**
 * Runs the trials that a difference concerns until it shows.
 * @param whole whether to run all of them, to see each observation that changes
 */
export const runDrift = async (
  workbench: Workbench,
  plain: PlainBehaviour,
  difference: Difference,
  { depth, whole = false }: { readonly depth: Depth; readonly whole?: boolean },
) => {
  const trials = workbench.trials.filter((trial) => concerns(difference, trial, plain));
  let [before, now, tried] = [NO_BEHAVIOUR, NO_BEHAVIOUR, 0];
  await workbench.within(
    { depth, seed: 1, differences: [difference.id], isObserved: true },
    async (session) => {
      for (const trial of trials) {
        const { behaviour = NO_BEHAVIOUR } = await session.run(trial);
        before = mergedBehaviour(before, plain.behaviours.get(trial.id) ?? NO_BEHAVIOUR);
        now = mergedBehaviour(now, behaviour);
        tried += 1;
        if (!whole && tried % GROUP === 0 && changesBetween(before, now).length > 0) return;
      }
    },
  );
  return {
    difference: difference.id,
    /** The changes from the plain sandbox to the difference, and back; both are empty if none is seen. */
    there: changesBetween(before, now),
    back: changesBetween(now, before),
    /** Ids of the observations that changed. */
    observations: changedObservations(workbench, before, now),
    trials: tried,
  };
};

/** Returns the ids of the observations that two behaviours show differently. @param sameSeed see `gapChanges` */
export const changedObservations = (
  { contract }: Workbench,
  before: Behaviour,
  now: Behaviour,
  sameSeed = true,
): string[] =>
  gapChanges(gapVerdicts(contract, before), gapVerdicts(contract, now), sameSeed).map(({ gap }) => gap.id);
