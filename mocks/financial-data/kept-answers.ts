/** Answers kept as they are sent, for as long as what they were made from stays the same. */
import type { Answer } from "../engine/service.ts";
import { perWorld } from "./world/store.ts";
import type { World } from "./world/world.ts";

const MOST_KEPT = 500;

const keptAnswers = perWorld(
  () => new Map<string, { readonly revision: unknown; readonly answer: Answer }>(),
);

/**
 * @param key what tells the answer from all others: operation, ids, query
 * @param revision it holds as long as this is the same
 */
export const kept = (world: World, key: string, revision: unknown, make: () => Answer): Answer => {
  const answers = keptAnswers(world);
  const known = answers.get(key);
  if (known !== undefined && known.revision === revision) return known.answer;
  const made = make();
  const answer =
    made.json === undefined ? made : { ...made, written: Buffer.from(JSON.stringify(made.json)) };
  answers.set(key, { revision, answer });
  const [oldest] = answers.keys();
  if (answers.size > MOST_KEPT && oldest !== undefined) answers.delete(oldest);
  return answer;
};
