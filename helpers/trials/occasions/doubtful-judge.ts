/** A judge of what did not happen: it only notes which requirements would be violated. */
import type { Reason } from "../../reasons/reason.ts";
import type { Judge } from "../judge.ts";

export interface DoubtfulJudge extends Judge {
  /** Ids of the requirements that would be violated. */
  readonly violated: ReadonlySet<string>;
  /** Returns how often the requirement passed because something was seen. */
  witnessesOf(requirement: string): number;
  /** Returns the reason why the requirement would not be tried, if it would have no other verdict. */
  reasonOf(requirement: string): Reason | undefined;
}

export const doubtfulJudge = (): DoubtfulJudge => {
  const violated = new Set<string>();
  const judged = new Set<string>();
  const reasons = new Map<string, Reason>();
  const witnesses = new Map<string, number>();
  return {
    violated,
    record(requirement, { holds }) {
      judged.add(requirement);
      if (!holds) violated.add(requirement);
    },
    passed(requirement) {
      judged.add(requirement);
      witnesses.set(requirement, (witnesses.get(requirement) ?? 0) + 1);
    },
    witnessesOf: (requirement) => witnesses.get(requirement) ?? 0,
    notTried: (requirement, reason) => void reasons.set(requirement, reason),
    reasonOf: (requirement) => (judged.has(requirement) ? undefined : reasons.get(requirement)),
    blocked: (requirement) => void judged.add(requirement),
    observe: () => undefined,
    receive: () => undefined,
    hasVerdict: (requirement) => judged.has(requirement) || reasons.has(requirement),
    count: () => undefined,
    askAgain: async () => undefined,
    sawOccasion: () => undefined,
    lacksOccasion: () => undefined,
    result: () => {
      throw new Error("what did not happen has no result");
    },
  };
};
