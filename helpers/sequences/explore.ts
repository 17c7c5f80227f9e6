/**
 * Runs sequences of a model. It prefers the commands that ran least often, and shrinks a failing sequence to the fewest
 * calls.
 */
import fc from "fast-check";
import type { Exchange } from "../exchange/exchange.ts";
import { drawOf, mixed } from "./draw.ts";
import type { Model, SequenceDriver } from "./model.ts";
import { openRun, type Planned, type Run, type SequenceFailure } from "./run.ts";
import { type FailingSequence, type ShrinkBudget, shrink } from "./shrink.ts";

export interface Effort {
  readonly sequences: number;
  /** The number of commands in a sequence. */
  readonly steps: number;
  /** The number of queries after each step, in addition to those that are due; the last step runs all queries. */
  readonly queries: number;
  readonly shrinking: ShrinkBudget;
}

export interface Explored {
  /** Requirements that held in all sequences, with exchanges that prove it. */
  readonly held: ReadonlyMap<string, readonly Exchange[]>;
  readonly failures: readonly FailingSequence[];
  readonly sequences: number;
}

/**
 * Runs the sequences; the same seed runs the same sequences on the same target.
 * @param goesOn whether to start another sequence when the sequences of the effort have ended
 */
export const explore = async <State>(
  model: Model<State>,
  driver: SequenceDriver,
  seed: number,
  effort: Effort,
  goesOn: () => boolean = () => false,
): Promise<Explored> => {
  const held = new Map<string, readonly Exchange[]>();
  const failures = new Map<string, FailingSequence>();
  const walked = new Map<string, number>();
  let sequences = 0;
  while (sequences < effort.sequences || goesOn()) {
    const grows = sequences % 2 === 1;
    const plan = await walk(model, driver, { seed: mixed(seed, sequences), effort, walked, held, grows });
    sequences += 1;
    if (plan === undefined) continue;
    for (const broken of plan.broken) {
      const known = failures.get(broken.requirement)?.broken;
      // A violation that does not depend on names counts on more targets.
      if (known !== undefined && (known.named !== true || broken.named === true)) continue;
      const found = { ...plan, broken };
      failures.set(broken.requirement, await shrink(model, driver, found, effort.shrinking));
    }
  }
  for (const requirement of failures.keys()) held.delete(requirement);
  return { held, failures: [...failures.values()], sequences };
};

interface Exploration {
  readonly seed: number;
  readonly effort: Effort;
  /** How often each command, and each pair of consecutive commands, ran. */
  readonly walked: Map<string, number>;
  readonly held: Map<string, readonly Exchange[]>;
  /** Whether the first half of the sequence removes no resource. */
  readonly grows: boolean;
}

/** Runs one sequence. @returns its steps if it found a violation */
const walk = async <State>(model: Model<State>, driver: SequenceDriver, way: Exploration) => {
  const run = openRun(model, driver);
  const steps: Planned[] = [];
  const take = async (step: Planned): Promise<readonly SequenceFailure[]> => {
    steps.push(step);
    return run.take(step);
  };
  try {
    const broken = await firstBroken(model, run, take, way);
    for (const [requirement, exchanges] of run.held) way.held.set(requirement, exchanges);
    return broken.length === 0 ? undefined : { steps, taken: run.taken, broken };
  } finally {
    await run.leave();
  }
};

/** The result of a query may make other queries due. */
const MOST_ROUNDS = 3;

const firstBroken = async <State>(
  model: Model<State>,
  run: Run<State>,
  take: (step: Planned) => Promise<readonly SequenceFailure[]>,
  way: Exploration,
): Promise<readonly SequenceFailure[]> => {
  const seen = new Map<string, number>();
  const next = chooser(model, run, way);
  /** Runs the queries that are due, and at first some others. */
  const queried = async (others: number): Promise<readonly SequenceFailure[]> => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const names = stalest(model.queries(run.state()), seen, round === 0 ? others : 0);
      if (names.length === 0) break;
      const violated = await take({ kind: "query", names });
      if (violated.length > 0) return violated;
    }
    return [];
  };
  for (const [index, choice] of choices(way.seed, way.effort.steps).entries()) {
    const step = next(index, choice);
    if (step === undefined) break;
    const shown = await take(step);
    if (shown.length > 0) return shown;
    const violated = await queried(way.effort.queries);
    if (violated.length > 0) return violated;
  }
  const shown = await take({ kind: "query" });
  if (shown.length > 0) return shown;
  const due = await queried(0);
  return due.length > 0 ? due : take({ kind: "end" });
};

/** Chooses each step. Repeats each new command, and half of the others, on the same resource with other values. */
const chooser = <State>(model: Model<State>, run: Run<State>, { effort, walked, grows }: Exploration) => {
  const growing = withoutRemovals(model);
  let before = "";
  let repeated: Planned | undefined;
  return (index: number, choice: number): Planned | undefined => {
    const again = repeated;
    repeated = undefined;
    if (again !== undefined && namesOf(again).every(run.isPossible)) return again;
    const isEarly = grows && index < effort.steps / 2;
    const possible = isEarly ? possibleIn(growing, run, choice) : [];
    const step = leastWalked(
      possible.length > 0 ? possible : possibleIn(model, run, choice),
      walked,
      before,
      choice,
    );
    before = step === undefined ? "" : nameOf(step);
    const isFirst = step !== undefined && walked.get(nameOf(step)) === 1;
    if (step?.kind === "command" && (isFirst || mixed(choice, 2) % 2 === 0))
      repeated = { ...step, draw: mixed(choice, 3), picks: step.draw };
    return step;
  };
};

const withoutRemovals = <State>(model: Model<State>): Model<State> => {
  const commands = model.commands.filter(({ removes }) => !removes);
  const names = commands.map(({ name }) => name);
  const races = (model.races ?? []).filter((race) => race.commands.every((name) => names.includes(name)));
  return { ...model, commands, races };
};

/** Returns the numbers by which the steps of one sequence are chosen and drawn. */
const choices = (seed: number, steps: number): readonly number[] => {
  const numbers = fc.array(fc.integer(), { minLength: steps, maxLength: steps });
  return fc.sample(numbers, { seed, numRuns: 1, unbiased: true })[0] as number[];
};

const possibleIn = <State>(model: Model<State>, run: Run<State>, choice: number): readonly Planned[] =>
  [
    ...model.commands.map(({ name }): Planned => ({ kind: "command", name, draw: choice })),
    ...(model.races ?? []).map(
      ({ commands, same }): Planned => ({
        kind: "race",
        names: commands,
        draws: [choice, same ? choice : mixed(choice, 1)],
      }),
    ),
  ].filter((step) => namesOf(step).every(run.isPossible));

const leastWalked = (
  steps: readonly Planned[],
  walked: Map<string, number>,
  before: string,
  choice: number,
): Planned | undefined => {
  if (steps.length === 0) return undefined;
  const pairOf = (step: Planned) => `${before} > ${nameOf(step)}`;
  const timesOf = (key: string) => walked.get(key) ?? 0;
  const weightOf = (step: Planned) => 2 * timesOf(pairOf(step)) + timesOf(nameOf(step));
  const least = Math.min(...steps.map(weightOf));
  const chosen = drawOf(choice).pick(steps.filter((step) => weightOf(step) === least));
  for (const key of [pairOf(chosen), nameOf(chosen)]) walked.set(key, timesOf(key) + 1);
  return chosen;
};

const namesOf = (step: Planned): readonly string[] => {
  if (step.kind === "race") return step.names;
  return step.kind === "command" ? [step.name] : [];
};

const nameOf = (step: Planned): string => namesOf(step).join(" beside ");

/** Returns the queries that are due, and those that ran longest ago. */
const stalest = (
  queries: readonly { readonly name: string; readonly due?: boolean }[],
  seen: Map<string, number>,
  count: number,
): readonly string[] => {
  const [due, others] = [queries.filter((query) => query.due), queries.filter((query) => !query.due)];
  const names = others.map(({ name }) => name).sort((a, b) => (seen.get(a) ?? -1) - (seen.get(b) ?? -1));
  const chosen = [...due.map(({ name }) => name), ...names.slice(0, count)];
  const now = Math.max(0, ...seen.values()) + 1;
  for (const name of chosen) seen.set(name, now);
  return chosen;
};
