/** Answers kept as they are sent, for as long as what they were made from stays the same. */

import type { Answer } from "../engine/service.ts";
import { perWorld, type World } from "./world/world.ts";

/**
 * @param most how many answers are kept in each world, the latest ones
 * @returns what keeps an answer by its key: operation, ids, query; it holds as long as its revision is the same
 */
export const keeping = (most: number) => {
  const kept = perWorld(() => new Map<string, { readonly revision: string; readonly answer: Answer }>());
  return (world: World, key: string, revision: string, make: () => Answer): Answer => {
    const answers = kept(world);
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
