/** Keywords whose schema judges by being broken, or only sometimes: what is inside may work either way. */
import type { Json } from "../../contract/json.ts";
import type { CompareNodes } from "./objects.ts";
import { below, note, type Spot, tangled } from "./unit.ts";

const KEYWORDS = ["not", "if", "then", "else", "propertyNames"] as const;

const LEFT_OVERS = ["unevaluatedProperties", "unevaluatedItems"] as const;

export const compareConditions = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void =>
  compareEach(KEYWORDS, spot, oldNode, newNode, compare);

/** What these say is simple; what they make of the keywords beside them is not. */
export const compareLeftOvers = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void =>
  compareEach(LEFT_OVERS, spot, oldNode, newNode, compare);

const compareEach = (
  keywords: readonly ((typeof KEYWORDS)[number] | (typeof LEFT_OVERS)[number])[],
  spot: Spot,
  oldNode: Json,
  newNode: Json,
  compare: CompareNodes,
): void => {
  for (const keyword of keywords) {
    const [old, fresh] = [oldNode[keyword], newNode[keyword]];
    if (old === undefined && fresh === undefined) continue;
    if (old !== undefined && fresh !== undefined)
      compare(below(tangled(spot), { kind: "way", label: keyword }), old, fresh);
    else note(spot, oldNode, newNode, { rule: keyword, action: old === undefined ? "added" : "removed" });
  }
};
