/** Removes the parts of a value that a test does not need. */
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { applyEdit, type Edit } from "../../../helpers/generate/edit.ts";

/** The limit for tests of one value. */
const MOST_TESTS = 400;

/** @param serves whether a smaller value may replace the value */
export const slimmed = (value: unknown, serves: (value: unknown) => boolean): unknown => {
  let current = value;
  let tests = 0;
  for (const pointer of partsOf(value)) {
    tests += 1;
    if (tests > MOST_TESTS) break;
    const smaller = edited(current, { pointer, remove: true });
    if (smaller !== undefined && serves(smaller)) current = smaller;
  }
  return current;
};

/** Returns the pointers of all parts, with outer parts before inner ones. */
const partsOf = (value: unknown): string[] => {
  const pointers: string[] = [];
  const waiting: (readonly [unknown, string])[] = [[value, ""]];
  for (let at = 0; at < waiting.length; at += 1) {
    const [node, pointer] = waiting[at] as (typeof waiting)[number];
    if (typeof node !== "object" || node === null) continue;
    for (const [key, inner] of Object.entries(node)) {
      const place = `${pointer}/${escapeSegment(key)}`;
      pointers.push(place);
      waiting.push([inner, place]);
    }
  }
  return pointers;
};

/** Returns the value with the edit; `undefined` if the value has no such place. */
export const edited = (value: unknown, edit: Edit): unknown => {
  try {
    return applyEdit(value, edit);
  } catch {
    return undefined;
  }
};
