/** Takes parts out of a value as long as it still serves. */
import { isObject, type Json } from "../../contract/json.ts";

/** Questions asked for one value; what is left then is small enough to read. */
const MOST_QUESTIONS = 400;

export const smaller = (value: unknown, serves: (candidate: unknown) => boolean): unknown => {
  let questions = 0;
  const asks = (candidate: unknown): boolean => {
    questions += 1;
    return questions <= MOST_QUESTIONS && serves(candidate);
  };
  return reduced(value, asks);
};

/** @param serves whether the whole still serves with the part in its place */
const reduced = (part: unknown, serves: (part: unknown) => boolean): unknown => {
  if (Array.isArray(part)) return reducedArray(part, serves);
  return isObject(part) ? reducedObject(part, serves) : part;
};

const reducedArray = (items: readonly unknown[], serves: (part: unknown) => boolean): unknown => {
  let kept = [...items];
  for (let at = kept.length - 1; at >= 0; at -= 1) {
    const without = kept.filter((_, index) => index !== at);
    if (serves(without)) kept = without;
  }
  for (const at of kept.keys())
    kept[at] = reduced(kept[at], (item) => serves(kept.map((one, index) => (index === at ? item : one))));
  return kept;
};

const reducedObject = (object: Json, serves: (part: unknown) => boolean): unknown => {
  let kept = object;
  for (const name of Object.keys(object)) {
    const { [name]: _, ...without } = kept;
    if (serves(without)) kept = without;
  }
  for (const name of Object.keys(kept))
    kept = { ...kept, [name]: reduced(kept[name], (inner) => serves({ ...kept, [name]: inner })) };
  return kept;
};
