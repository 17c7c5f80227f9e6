/**
 * Keeps troubles apart: a request that met one passes undisturbed when it is sent again, and no other trouble begins
 * before that. Otherwise the few attempts of a right client are used up by several exercises at once.
 */

import { withoutAttempt } from "../judging/check.ts";
import type { Occasion } from "../judging/exercise.ts";

/** The number of other requests after which a client has given up the one that met a trouble. Log-ins do not count. */
const OTHERS = 3;

export const createRecovery = () => {
  /** Exercises by the requests that met them. */
  const owed = new Map<string, string>();
  let open: string | undefined;
  let others = 0;
  let last: string | undefined;
  const notSurvived = new Set<string>();
  /** Exercises whose requests were not sent again by the end of a run. */
  const left: string[] = [];
  return {
    /** Tells that a request is made, and returns what an exercise may do with it. */
    next(occasion: Occasion): "undisturbed" | "no-trouble" | "anything" {
      last = undefined;
      const key = keyOf(occasion);
      if (owed.delete(key)) {
        if (key === open) open = undefined;
        return "undisturbed";
      }
      if (open === undefined) return "anything";
      if (occasion.operation?.token === undefined) others += 1;
      if (others < OTHERS) return "no-trouble";
      open = undefined;
      return "anything";
    },
    /** Tells that an exercise made trouble for a request. */
    trouble(id: string, occasion: Occasion): void {
      last = id;
      open = keyOf(occasion);
      owed.set(open, id);
      others = 0;
    },
    /** Whether the client failed after an exercise, and made no further request. */
    isNotSurvived: (id: string): boolean => notSurvived.has(id),
    /** Returns the exercises whose requests were not sent again. */
    abandoned: (): readonly string[] => [...left, ...owed.values()],
    /** Tells that the client has ended: the next one repeats nothing. */
    endRun(isFailed: boolean): void {
      if (isFailed && last !== undefined) notSurvived.add(last);
      left.push(...owed.values());
      owed.clear();
      open = undefined;
      last = undefined;
    },
  };
};

const keyOf = ({ method, url }: Occasion): string => `${method} ${withoutAttempt(url.href)}`;
