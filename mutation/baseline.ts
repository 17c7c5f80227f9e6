/** The verdicts and the exchanges of every trial on the sandbox without faults and differences. */
import { getOrInsert } from "../helpers/contract/memoize.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { strongestOf, type TrialResult, type Verdict } from "../helpers/trials/ledger.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import { digestOf } from "./exchange-digest.ts";
import type { Workbench } from "./workbench.ts";

export interface Baseline {
  /** By id of the trial, then by requirement. */
  readonly verdicts: ReadonlyMap<string, ReadonlyMap<string, Verdict>>;
  /** Ids of the operations that each trial calls, by id of the trial. */
  readonly operations: ReadonlyMap<string, ReadonlySet<string>>;
  /** What each trial was answered, by id of the trial: operation and status, see `answerKey`. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Digests of the exchanges of each trial, by id of the trial. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
  /** What each trial observed, by trial, subject and operation. */
  readonly observed: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Runs the trials without a difference. @param parts which of the parts; all by default */
export const baselineOf = async (
  workbench: Workbench,
  depth: Depth,
  parts: readonly number[] = BASELINE_PARTS,
): Promise<Baseline> => {
  const verdicts = new Map<string, ReadonlyMap<string, Verdict>>();
  const operations = new Map<string, ReadonlySet<string>>();
  const digests = new Map<string, Set<string>>();
  const answers = new Map<string, ReadonlySet<string>>();
  const observed = new Map<string, Set<string>>();
  let current = new Set<string>();
  const setting = {
    depth,
    seed: 1,
    external: true as const,
    onExchange: (exchange: Exchange) => void current.add(digestOf(exchange)),
  };
  const divided = partsOf(workbench.trials);
  for (const trials of parts.flatMap((part) => divided.slice(part, part + 1))) {
    await workbench.within(setting, async (session) => {
      for (const trial of trials) {
        current = new Set();
        digests.set(trial.id, current);
        const result = await session.run(trial);
        verdicts.set(trial.id, verdictsOf(result));
        operations.set(trial.id, operationsOf(trial, result));
        answers.set(trial.id, answersIn(result));
        for (const [key, text] of observedIn(result))
          getOrInsert(observed, key, () => new Set<string>()).add(text);
      }
    });
  }
  return { verdicts, operations, answers, digests, observed };
};

/** Returns the baseline of the trials of all given ones. */
export const joined = (baselines: readonly Baseline[]): Baseline => ({
  verdicts: new Map(baselines.flatMap(({ verdicts }) => [...verdicts])),
  operations: new Map(baselines.flatMap(({ operations }) => [...operations])),
  answers: new Map(baselines.flatMap(({ answers }) => [...answers])),
  digests: new Map(baselines.flatMap(({ digests }) => [...digests])),
  observed: new Map(baselines.flatMap(({ observed }) => [...observed])),
});

const MOST_PARTS = 12;

/** The numbers of the parts. A service with few trials has fewer parts; the others are empty. */
export const BASELINE_PARTS: readonly number[] = Array.from({ length: MOST_PARTS }, (_, part) => part);

/** Some differences show only after many calls in one session. */
const LEAST_TRIALS = 25;

/** Divides the trials into parts of about the same kinds. Each part has a session of its own. */
export const partsOf = (trials: readonly Trial[]): readonly (readonly Trial[])[] => {
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.floor(trials.length / LEAST_TRIALS)));
  return Array.from({ length: parts }, (_, part) => trials.filter((_trial, index) => index % parts === part));
};

const observedIn = ({ trial, observations }: TrialResult): (readonly [key: string, text: string])[] =>
  observations.map(({ observed, ...of }) => [Object.values({ trial, ...of }).join("\n"), observed]);

/** Whether a trial saw another behaviour. The order of equal answers may show it: a change that takes effect later. */
export const isObservedOtherwise = (result: TrialResult, { observed }: Baseline): boolean =>
  observedIn(result).some(([key, text]) => observed.get(key)?.has(text) === false);

/** Returns the strongest verdict of each requirement. */
export const verdictsOf = ({ entries }: Pick<TrialResult, "entries">): ReadonlyMap<string, Verdict> =>
  new Map([...strongestOf(entries)].map(([requirement, { verdict }]) => [requirement, verdict]));

/** Returns the ids of the operations that the trial names or calls. */
export const operationsOf = ({ operations }: Trial, result: TrialResult): ReadonlySet<string> =>
  new Set([...operations, ...result.operations.map(({ operationId }) => operationId)]);

export const answerKey = (operationId: string, status: number): string => `${operationId} ${status}`;

export const answersIn = ({ operations }: TrialResult): ReadonlySet<string> =>
  new Set(operations.map(({ operationId, status }) => answerKey(operationId, status)));
