/** Keywords whose schema judges by being broken, or only sometimes; and those that judge nothing. */

import { isSame } from "../../contract/json.ts";
import { actionOf } from "./rules.ts";
import { below, compareInner, type Nodes, note, type Spot, tangled } from "./unit.ts";

const KEYWORDS = ["not", "if", "then", "else", "propertyNames"] as const;
const LEFT_OVERS = ["unevaluatedProperties", "unevaluatedItems"] as const;
const MEANINGS = ["default", "contentEncoding", "contentMediaType"] as const;

/** What is inside may work either way. */
const comparing =
  (keywords: readonly ((typeof KEYWORDS)[number] | (typeof LEFT_OVERS)[number])[]) =>
  (spot: Spot, nodes: Nodes): void => {
    for (const rule of keywords) {
      const inner = below(tangled(spot), { kind: "way", label: rule });
      compareInner(spot, inner, nodes, { rule }, nodes.old[rule], nodes.new[rule]);
    }
  };

export const compareConditions = comparing(KEYWORDS);

/** What these say is simple; what they make of the keywords beside them is not. */
export const compareLeftOvers = comparing(LEFT_OVERS);

/** These allow and refuse nothing, and yet change what a message means or what is coming. */
export const compareMeaning = (spot: Spot, nodes: Nodes): void => {
  for (const rule of MEANINGS) {
    const [old, fresh] = [nodes.old[rule], nodes.new[rule]];
    if (!isSame(old, fresh)) note(spot, nodes, { rule, action: actionOf(old, fresh), old, new: fresh });
  }
  const [was, is] = [nodes.old.deprecated === true, nodes.new.deprecated === true];
  if (was !== is) note(spot, nodes, { rule: "schema.deprecated", action: is ? "added" : "removed" });
};
