/** Runs a whole trial again from its tape, with changes. */
import type { Exchange } from "../../exchange/exchange.ts";
import type { Reason } from "../../reasons/reason.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { changesOf } from "./candidates.ts";
import { vocabularyOf } from "./changes.ts";
import { type DoubtfulJudge, doubtfulJudge } from "./doubtful-judge.ts";
import { copiesOf, firstOf, reduced } from "./effort.ts";
import { ReadingNotes } from "./reads.ts";
import type { SharedValues } from "./recording.ts";
import { type Change, replaying } from "./replaying.ts";
import { exchangesOn, type Tape } from "./tape.ts";

/** The number of times that a trial runs again. */
const MOST_RUNS = 300;

/** Runs a trial again with one change each time. */
export const runAgain = async (
  tryAgain: Trial["run"],
  context: TrialContext,
  {
    tape,
    shared,
    open,
    showsAbility,
    limits,
  }: {
    readonly tape: Tape;
    readonly shared: SharedValues;
    /** Requirements that were not yet shown able to fail, with the exchanges of their checks. */
    readonly open: ReadonlyMap<string, readonly Exchange[]>;
    /** Whether a run with a change shows that a requirement can fail, next to a run without a change. */
    showsAbility(requirement: string, now: DoubtfulJudge, always: DoubtfulJudge): boolean;
    readonly limits: { endAt(limit: number, requirements: Iterable<string>): void };
  },
): Promise<{
  /** The requirements that were shown able to fail. */
  readonly shown: ReadonlySet<string>;
  /** The reasons why requirements would not be tried with another answer. */
  readonly reasons: ReadonlyMap<string, Reason>;
}> => {
  const run = async (change: Change, notes?: ReadingNotes): Promise<DoubtfulJudge> => {
    const judge = doubtfulJudge();
    const replay = { change, judge, shared, ...(notes && { notes }) };
    // With a changed answer, a trial may go a way that did not happen.
    await tryAgain(replaying(context, tape, replay)).catch(() => undefined);
    return judge;
  };
  const notes = new ReadingNotes();
  const always = await run(new Map(), notes);
  const shown = new Set<string>();
  const reasons = new Map<string, Reason>();
  const most = Math.min(MOST_RUNS, copiesOf(exchangesOn(tape).map(reduced)));
  const all = changesOf(tape, [...open.values()], notes, vocabularyOf(context.contract));
  for (const change of firstOf(all, most, () => limits.endAt(most, open.keys()))) {
    const judge = await run(change);
    for (const requirement of open.keys()) {
      if (showsAbility(requirement, judge, always)) shown.add(requirement);
      const reason = judge.reasonOf(requirement);
      if (reason !== undefined && !reasons.has(requirement)) reasons.set(requirement, reason);
    }
    if (shown.size === open.size) break;
  }
  return { shown, reasons };
};
