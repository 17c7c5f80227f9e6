/** Finds a shorter sequence that violates the same requirement, within a budget of calls. */
import type { ExecutedStep } from "../trials/failure.ts";
import type { Model, SequenceDriver } from "./model.ts";
import { openRun, type Planned, type SequenceFailure } from "./run.ts";

/** A violation, reduced to a sequence that shows it in few calls. */
export interface FailingSequence {
  readonly steps: readonly Planned[];
  readonly taken: readonly ExecutedStep[];
  readonly broken: SequenceFailure;
}

/** The budget for shrinking one failure. */
export interface ShrinkBudget {
  readonly calls: number;
  readonly seconds: number;
}

/** @returns the shortest sequence found; the given sequence if no shorter one showed the violation again */
export const shrink = async <State>(
  model: Model<State>,
  driver: SequenceDriver,
  found: FailingSequence,
  budget: ShrinkBudget,
): Promise<FailingSequence> => {
  const until = performance.now() + budget.seconds * 1000;
  let left = budget.calls;
  const counting: SequenceDriver = {
    ...driver,
    send: (call) => {
      left -= 1;
      return driver.send(call);
    },
  };
  const isLeft = () => left > 0 && performance.now() < until;
  let best = found;
  const tries = async (steps: readonly Planned[]): Promise<boolean> => {
    const again = isLeft() ? await attempt(model, counting, steps, found.broken) : undefined;
    if (again === undefined || again.taken.length >= best.taken.length) return false;
    best = again;
    return true;
  };
  (await tries(withoutQueries(best.steps, best.broken.query))) ||
    (await tries(withOnlyQuery(best.steps, best.broken.query)));
  for (let size = best.steps.length >> 1; size >= 1 && isLeft(); size >>= 1) await dropping(size);
  for (let at = best.steps.length - 1; at >= 0 && isLeft(); at -= 1) {
    for (const simpler of simplerThan(best.steps[at])) await tries(best.steps.with(at, simpler));
  }
  return best;

  /** Drops groups of consecutive steps, the later groups first. Keeps the last step, because it shows the violation. */
  async function dropping(size: number): Promise<void> {
    for (let end = best.steps.length - 1; end > 0 && isLeft(); end -= size) {
      const from = Math.max(0, end - size);
      await tries([...best.steps.slice(0, from), ...best.steps.slice(end)]);
      end = Math.min(end, best.steps.length);
    }
  }
};

/** Returns simpler steps: one call instead of two at the same time, and one query instead of several. */
const simplerThan = (step: Planned | undefined): readonly Planned[] => {
  if (step?.kind === "race")
    return step.names.map((name, index) => ({
      ...step,
      kind: "command",
      name,
      draw: step.draws[index] ?? 0,
    }));
  if (step?.kind !== "query" || step.names === undefined || step.names.length === 1) return [];
  return step.names.map((name) => ({ kind: "query", names: [name] }));
};

/** Returns the steps without the queries in between, which showed no violation. */
const withoutQueries = (steps: readonly Planned[], query: string | undefined): readonly Planned[] => {
  const changes = steps.slice(0, -1).filter(({ kind }) => kind !== "query");
  const last: Planned | undefined = query === undefined ? steps.at(-1) : { kind: "query", names: [query] };
  return last === undefined ? changes : [...changes, last];
};

/** Keeps only this query. A change may show only when the same resource is read twice. */
const withOnlyQuery = (steps: readonly Planned[], query: string | undefined): readonly Planned[] =>
  steps.flatMap((step): Planned[] => {
    if (step.kind !== "query" || query === undefined) return [step];
    return step.names === undefined || step.names.includes(query) ? [{ kind: "query", names: [query] }] : [];
  });

const attempt = async <State>(
  model: Model<State>,
  driver: SequenceDriver,
  steps: readonly Planned[],
  { requirement, named }: Pick<SequenceFailure, "requirement" | "named">,
): Promise<FailingSequence | undefined> => {
  const run = openRun(model, driver);
  try {
    for (const [index, step] of steps.entries()) {
      const broken = await run.take(step);
      if (broken.length === 0) continue;
      // Fewer steps must not drop what shows that the target uses the names.
      const isSame = (each: SequenceFailure) =>
        each.requirement === requirement && (named === true || each.named !== true);
      const same = broken.find(isSame);
      return same && { steps: steps.slice(0, index + 1), taken: run.taken, broken: same };
    }
    return undefined;
  } finally {
    await run.leave();
  }
};
