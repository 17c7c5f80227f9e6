/** Keywords whose schema judges by being broken, or only sometimes: what is inside may work either way. */
import { below, compareInner, type Nodes, type Spot, tangled } from "./unit.ts";

const KEYWORDS = ["not", "if", "then", "else", "propertyNames"] as const;

const LEFT_OVERS = ["unevaluatedProperties", "unevaluatedItems"] as const;

export const compareConditions = (spot: Spot, nodes: Nodes): void => compareEach(KEYWORDS, spot, nodes);

/** What these say is simple; what they make of the keywords beside them is not. */
export const compareLeftOvers = (spot: Spot, nodes: Nodes): void => compareEach(LEFT_OVERS, spot, nodes);

const compareEach = (
  keywords: readonly ((typeof KEYWORDS)[number] | (typeof LEFT_OVERS)[number])[],
  spot: Spot,
  nodes: Nodes,
): void => {
  for (const rule of keywords) {
    const inner = below(tangled(spot), { kind: "way", label: rule });
    compareInner(spot, inner, nodes, { rule }, nodes.old[rule], nodes.new[rule]);
  }
};
