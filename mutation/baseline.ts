/** The verdicts and the exchanges of every trial on the sandbox without faults and differences. */
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { STRENGTH, type TrialResult, type Verdict } from "../helpers/trials/ledger.ts";
import type { Depth, Trial } from "../helpers/trials/trial.ts";
import { digestOf } from "./exchange-digest.ts";
import type { Workbench } from "./workbench.ts";

export interface Baseline {
  /** By id of the trial, then by requirement. */
  readonly verdicts: ReadonlyMap<string, Verdicts>;
  /** Ids of the operations that each trial calls, by id of the trial. */
  readonly operations: ReadonlyMap<string, ReadonlySet<string>>;
  /** Digests of the exchanges of each trial, by id of the trial. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
}

export type Verdicts = ReadonlyMap<string, Verdict>;

export const baselineOf = async (workbench: Workbench, depth: Depth): Promise<Baseline> => {
  const verdicts = new Map<string, Verdicts>();
  const operations = new Map<string, ReadonlySet<string>>();
  const digests = new Map<string, Set<string>>();
  let current = new Set<string>();
  const setting = {
    depth,
    seed: 1,
    external: true as const,
    onExchange: (exchange: Exchange) => void current.add(digestOf(exchange)),
  };
  for (const part of partsOf(workbench.trials)) {
    await workbench.within(setting, async (session) => {
      for (const trial of part) {
        current = new Set();
        digests.set(trial.id, current);
        const result = await session.run(trial);
        verdicts.set(trial.id, verdictsOf(result));
        operations.set(trial.id, operationsOf(trial, result));
      }
    });
  }
  return { verdicts, operations, digests };
};

const MOST_PARTS = 6;

/** Some differences show only after many calls in one session. */
const LEAST_TRIALS = 25;

/** Divides the trials into parts of about the same kinds. Each part has a session of its own. */
export const partsOf = (trials: readonly Trial[]): readonly (readonly Trial[])[] => {
  const parts = Math.min(MOST_PARTS, Math.max(1, Math.floor(trials.length / LEAST_TRIALS)));
  return Array.from({ length: parts }, (_, part) => trials.filter((_trial, index) => index % parts === part));
};

/** Returns the strongest verdict of each requirement. */
export const verdictsOf = ({ entries }: TrialResult): Verdicts => {
  const strongest = new Map<string, Verdict>();
  for (const { requirement, verdict } of entries) {
    const before = strongest.get(requirement);
    if (before === undefined || STRENGTH.indexOf(before) < STRENGTH.indexOf(verdict))
      strongest.set(requirement, verdict);
  }
  return strongest;
};

const operationsOf = ({ operations }: Trial, result: TrialResult): ReadonlySet<string> =>
  new Set([...operations, ...result.operations.map(({ operationId }) => operationId)]);
