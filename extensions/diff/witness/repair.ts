/** Changes a value that a document refuses for several reasons, so that only the wanted reason is left. */
import { NONE } from "../compare/wanted.ts";
import { otherRules } from "./alone.ts";
import type { SenderJudge } from "./judge.ts";
import type { Refusal } from "./message.ts";
import { edited } from "./slim.ts";

/** The limit for repaired places. */
const MOST_PLACES = 24;

/** Returns the value with as few other reasons as possible. */
export const repaired = (
  value: unknown,
  repair: {
    /** Returns all refusals of a value. */
    readonly refusalsOf: (value: unknown) => readonly Refusal[];
    readonly shows: (refusal: Refusal) => boolean;
    /** Whether a changed value still shows the change. */
    readonly serves: (value: unknown) => boolean;
    /** The judges that draw other values, with the schema of the whole value. */
    readonly sources: readonly (readonly [SenderJudge, schema: unknown])[];
  },
): unknown => {
  const othersOf = (one: unknown): readonly Refusal[] => otherRules(repair.refusalsOf(one), repair.shows);
  let [current, others] = [value, othersOf(value)];
  for (let place = 0; place < MOST_PLACES && others.length > 0; place += 1) {
    const better = firstOf(others, ({ pointer }) =>
      alternatives(current, pointer, repair.sources).find(
        (one) => repair.serves(one) && othersOf(one).length < others.length,
      ),
    );
    if (better === undefined) return current;
    [current, others] = [better, othersOf(better)];
  }
  return current;
};

const firstOf = <Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined => {
  for (const item of items) {
    const result = find(item);
    if (result !== undefined) return result;
  }
  return undefined;
};

/** Returns the value without the place, and with other values there. */
const alternatives = (
  value: unknown,
  pointer: string,
  sources: Parameters<typeof repaired>[1]["sources"],
): unknown[] => {
  if (pointer === "") return [];
  const drawn = sources
    .map(([judge, schema]) => judge.sampleAt(schema, pointer))
    .filter((one) => one !== NONE)
    .map((one) => ({ pointer, value: one }));
  const edits = [{ pointer, remove: true } as const, ...drawn];
  return edits.map((edit) => edited(value, edit)).filter((one) => one !== undefined);
};
