/** Answers kept as they are sent, for as long as what they were made from stays the same. */

import type { Answer } from "../engine/service.ts";
import { perState, type State } from "./state/state.ts";

/**
 * @param most how many answers are kept in each state, the latest ones
 * @returns what keeps an answer by its key: operation, ids, query; it holds as long as its revision is the same
 */
export const keeping = (most: number) => {
  const kept = perState(() => new Map<string, { readonly revision: string; readonly answer: Answer }>());
  return (state: State, key: string, revision: string, make: () => Answer): Answer => {
    const answers = kept(state);
    const known = answers.get(key);
    if (known?.revision === revision) return known.answer;
    const made = make();
    const answer =
      made.json === undefined ? made : { ...made, written: Buffer.from(JSON.stringify(made.json)) };
    answers.delete(key);
    answers.set(key, { revision, answer });
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
};

export const kept = keeping(500);
