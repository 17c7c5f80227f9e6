/** Caches serialized answers until their source data changes. */
import type { Answer } from "../engine/call.ts";
import { perState, type State } from "./state/state.ts";

/**
 * @param most maximum number of cached answers per state; the oldest is dropped
 * @returns a cache by key (operation, ids, query); an entry is valid while its revision stays the same
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
