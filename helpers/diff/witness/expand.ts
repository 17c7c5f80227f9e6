/** Schemas -> keywords that have to hold together: references followed, alternatives chosen, `not` turned round. */
import { isObject, type Json } from "../../contract/json.ts";
import { referenced } from "../document/references.ts";
import type { Making } from "./making.ts";
import { negated, type Twist } from "./negate.ts";

export interface Expansion {
  readonly parts: readonly Json[];
  /** What keywords cannot say. */
  readonly twists: ReadonlySet<Twist>;
}

/** Longer than any chain of references and alternatives. */
const MOST_STEPS = 400;

/** `undefined` where nothing is allowed. */
export const expand = (conjuncts: readonly unknown[], { schemas, random }: Making): Expansion | undefined => {
  const waiting = [...conjuncts];
  const met = new Set<unknown>();
  const parts: Json[] = [];
  const twists = new Set<Twist>();
  for (let steps = 0; waiting.length > 0; steps += 1) {
    const node = waiting.shift();
    if (node === false || steps > MOST_STEPS) return undefined;
    if (!isObject(node) || met.has(node)) continue;
    met.add(node);
    const { $ref, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise, ...own } = node;
    if (Object.keys(own).length > 0) parts.push(own);
    if ($ref !== undefined) waiting.push(referenced($ref, schemas));
    if (Array.isArray(allOf)) waiting.push(...allOf);
    for (const union of [anyOf, oneOf])
      if (Array.isArray(union) && !union.some((branch) => isObject(branch) && met.has(branch)))
        waiting.push(random.pick(union));
    if (condition !== undefined)
      waiting.push(
        ...(random.chance(0.5) ? [condition, then ?? true] : [{ not: condition }, otherwise ?? true]),
      );
    if (not === undefined) continue;
    const turned = negated(not, schemas);
    if (turned.length === 0) return undefined;
    const choice = random.pick(turned);
    waiting.push(choice.schema);
    for (const twist of choice.twists) twists.add(twist);
  }
  return { parts, twists };
};
