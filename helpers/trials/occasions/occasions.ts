/**
 * Occasions: a requirement passes only if its checks could have failed. After a check held, it is asked again with
 * changed copies of what it read: with another value, presence, order or status. This costs no request.
 */
import type { Contract } from "../../contract/contract.ts";
import { unsettled } from "../../contract/lookups.ts";
import { memoize } from "../../contract/memoize.ts";
import { type Exchange, isAccepted, type ReceivedResponse } from "../../exchange/exchange.ts";
import { because, causeOf, type Reason } from "../../reasons/reason.ts";
import type { Judge } from "../judge.ts";
import type { ObservedContext, Trial, TrialContext } from "../trial.ts";
import { runAgain } from "./asking-again.ts";
import { changedOf, type Edit, farEdits, vocabularyOf, withAnswerOf } from "./changes.ts";
import { type DoubtfulJudge, doubtfulJudge } from "./doubtful-judge.ts";
import { createLimits, reduced, weightOf } from "./effort.ts";
import { recording, type SharedValues } from "./recording.ts";
import { newTape } from "./tape.ts";
import { placesIn } from "./values.ts";

export interface TrialOccasions {
  /** The judge, which also notes what held. */
  readonly judge: Judge;
  /** Returns the context with which the trial runs. */
  recorded(context: TrialContext): TrialContext;
  /** Lets the checks of the service observe an exchange, and asks them again. */
  observe(exchange: Exchange, context: ObservedContext): void;
  /** Runs the trial again for the requirements that were not yet shown able to fail. */
  runAgain(context: TrialContext): Promise<void>;
  /** Takes back the passes of the requirements that were not shown able to fail. */
  close(): void;
}

/** The number of exchanges with which the checks of one requirement are asked again. */
const MOST_ASKED = 40;

/** The number of exchanges whose parts are changed for one requirement. A whole other answer costs less. */
const MOST_EDITED = 3;

/** The number of answers of an operation that are kept. */
const MOST_ANSWERS = 2;

/** @param asks whether checks are asked again; otherwise every requirement counts as able to fail */
export const createOccasions = (asks: boolean) => {
  const memory = createMemory(asks);
  const shared: SharedValues = new WeakMap();
  return {
    inTrial(
      trial: Partial<Trial> & Pick<Trial, "observe">,
      contract: Contract,
      judge: Judge,
    ): TrialOccasions {
      const tape = trial.runsAgain === false ? undefined : newTape();
      const notes = noteHeld(judge, memory);
      const { held, witnessed } = notes;
      let reasons: ReadonlyMap<string, Reason> = new Map();
      const limits = createLimits();
      const noted = askingAgain(notes.judge, memory, limits, contract);
      /** Notes what held of the exchange that is observed. */
      const seen = noteHeld(noted, memory);
      const observing = memoize((context: ObservedContext) => ({ ...context, judge: seen.judge }));
      return {
        judge: noted,
        recorded: (context) => recording(context, tape, shared),
        observe(exchange, context) {
          seen.held.clear();
          trial.observe(exchange, observing(context));
          const open = memory.askedAgain(seen.held.keys(), [exchange]);
          const others = memory.earlierAnswers(exchange);
          if (open.size === 0) return;
          const few = reduced(exchange);
          const earlier = others.map((one) => withAnswerOf(reduced(one))(few));
          const edited = [...open].some(memory.isAskedFurther) ? farEdits(few) : [];
          for (const changed of limits.copies(changedBy(few, earlier, edited), [few], open)) {
            const doubtful = doubtfulJudge();
            trial.observe(changed, { ...context, judge: doubtful });
            for (const requirement of open) {
              const isGone = witnessed.has(requirement) && doubtful.witnessesOf(requirement) === 0;
              if (isGone || doubtful.violated.has(requirement)) open.delete(requirement);
              if (!open.has(requirement)) memory.areAble([requirement]);
            }
            if (open.size === 0) return;
          }
        },
        async runAgain(context) {
          const open = memory.openOf(held);
          const { run } = trial;
          if (open.size === 0 || run === undefined || tape === undefined) return;
          const showsAbility = abilityShownBy(witnessed);
          const asked = await runAgain(run, context, { tape, shared, open, showsAbility, limits });
          memory.areAble(asked.shown);
          reasons = asked.reasons;
        },
        close() {
          for (const [requirement, exchanges] of memory.openOf(held)) {
            const need = needOf(contract, exchanges, reasons.get(requirement));
            judge.lacksOccasion(requirement, because("no-occasion", need, endOf(limits.of(requirement))));
          }
        },
      };
    },
  };
};

/** Returns the judge of the trial, which asks checks again with changed copies of what they read. */
const askingAgain = (
  judge: Judge,
  memory: ReturnType<typeof createMemory>,
  limits: ReturnType<typeof createLimits>,
  contract: Contract,
): Judge => ({
  ...judge,
  sawOccasion(requirements) {
    judge.sawOccasion(requirements);
    memory.areAble(requirements);
  },
  async askAgain(requirements, exchanges, check) {
    const open = memory.askedAgain(requirements, exchanges);
    if (open.size === 0) return;
    const few = exchanges.map(reduced);
    for (const changed of limits.copies(changedOf(few, vocabularyOf(contract)), few, open)) {
      const doubtful = doubtfulJudge();
      // A check may read what a changed answer does not have.
      const result = await (async () => check(changed, doubtful))().catch(() => undefined);
      if (result?.holds === false) memory.areAble(open);
      memory.areAble(doubtful.violated);
      if (![...open].some(memory.isOpen)) return;
    }
  },
});

/** Returns whether a run with a change shows that a requirement can fail, next to a run without a change. */
const abilityShownBy =
  (witnessed: ReadonlySet<string>) =>
  (requirement: string, now: DoubtfulJudge, always: DoubtfulJudge): boolean =>
    // A violation that needs no change shows nothing.
    (now.violated.has(requirement) && !always.violated.has(requirement)) ||
    (witnessed.has(requirement) && now.witnessesOf(requirement) < always.witnessesOf(requirement));

function* changedBy(
  exchange: Exchange,
  earlier: readonly Exchange[],
  edits: Iterable<Edit>,
): Generator<Exchange> {
  yield* earlier;
  for (const edit of edits) yield edit(exchange);
}

/** What a session knows about its requirements. */
const createMemory = (asks: boolean) => {
  /** Requirements that were shown able to fail on this target, in any trial of the session. */
  const able = new Set<string>();
  const asked = new Map<string, number>();
  const timesAsked = (requirement: string): number => asked.get(requirement) ?? 0;
  const isOpen = (requirement: string): boolean => asks && !able.has(requirement);
  const answers = new Map<string, readonly Exchange[]>();
  return {
    /** Returns the last accepted exchanges of the same operation, and adds this one. */
    earlierAnswers(exchange: Exchange): readonly Exchange[] {
      const earlier = answers.get(exchange.operationId) ?? [];
      if (isAccepted(exchange))
        answers.set(exchange.operationId, [exchange, ...earlier].slice(0, MOST_ANSWERS));
      return earlier;
    },
    isOpen,
    openOf: (requirements: ReadonlyMap<string, readonly Exchange[]>) =>
      new Map([...requirements].filter(([requirement]) => isOpen(requirement))),
    /** Returns the requirements whose checks are asked again with the exchanges, and counts the asking. */
    askedAgain(requirements: Iterable<string>, exchanges: readonly Exchange[]): Set<string> {
      const chosen = new Set<string>();
      for (const requirement of requirements) {
        const times = timesAsked(requirement);
        if (!isOpen(requirement) || times >= MOST_ASKED) continue;
        asked.set(requirement, times + weightOf(exchanges.map(reduced)));
        chosen.add(requirement);
      }
      return chosen;
    },
    isAskedFurther: (requirement: string): boolean => timesAsked(requirement) <= MOST_EDITED,
    areAble(requirements: Iterable<string>): void {
      for (const requirement of requirements) able.add(requirement);
    },
  };
};

/** Returns a judge that also notes what held. */
const noteHeld = (judge: Judge, { areAble }: ReturnType<typeof createMemory>) => {
  /** Requirements that held, with the exchanges that were shown first. */
  const held = new Map<string, readonly Exchange[]>();
  /** Requirements that passed because something was seen, and not because nothing contradicted them. */
  const witnessed = new Set<string>();
  const hold = (requirement: string, exchanges: readonly Exchange[]): void => {
    if (!held.has(requirement)) held.set(requirement, exchanges);
  };
  const noting: Judge = {
    ...judge,
    record(requirement, result, exchanges, sequence) {
      judge.record(requirement, result, exchanges, sequence);
      if (result.holds) hold(requirement, exchanges);
      else areAble([requirement]);
    },
    passed(requirement, exchanges) {
      judge.passed(requirement, exchanges);
      hold(requirement, exchanges);
      witnessed.add(requirement);
    },
  };
  return { judge: noting, held, witnessed };
};

/** @param limit the number of changed answers at which we ended the search for a wrong one */
const endOf = (limit: number | undefined): string | undefined =>
  limit === undefined
    ? undefined
    : `. The search for a wrong answer ended at our own limit of ${limit} changed copies of the answer`;

const MOST_PLACES = 300;

/** The causes that say that only a name is in doubt. Others are about a status that no check of the requirement reads. */
const OF_NAMES: readonly Reason["code"][] = [
  "document-would-settle",
  "document-leaves-open",
  "name-left-open",
];

/**
 * Says what was seen of a requirement that could not have been violated, and what would have to be different.
 * @param exchanges the exchanges of the checks that held
 * @param reason why the requirement would be left untried with a wrong answer
 */
const needOf = (
  contract: Contract,
  exchanges: readonly Exchange[],
  reason: Reason | undefined,
): string | Reason => {
  // What the reason says was not seen: it is about a changed answer.
  if (reason !== undefined && OF_NAMES.includes(causeOf(reason).code))
    return unsettled(
      contract,
      "it held, and a wrong answer could only mean that the target uses other names",
    );
  const [first] = exchanges;
  if (first === undefined) return "no answer showed it";
  const { operationId } = first;
  const lists = first.response === undefined ? [] : listsIn(first.response);
  if (lists.length > 0 && lists.every(({ length }) => length === 0))
    return `the lists in the answer of ${operationId} were empty, and it can only be violated if they have items`;
  if (lists.length > 0 && lists.every(({ length }) => length < 2))
    return `the lists in the answer of ${operationId} had one item, and it can only be violated if they have several`;
  return `it held for the answer of ${operationId}, which a server that violates it could have given too: the target needs other data there`;
};

/** Returns the lists of an answer. Many requirements ask for the lists of the same answer. */
const listsIn = memoize(({ json }: ReceivedResponse): readonly (readonly unknown[])[] =>
  placesIn(json, MOST_PLACES).flatMap(({ value }) => (Array.isArray(value) ? [value] : [])),
);
