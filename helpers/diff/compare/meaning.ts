/** Keywords that allow and refuse nothing, and yet change what a message means or what is coming. */
import { isSame } from "../../contract/json.ts";
import { actionOf } from "./effect.ts";
import { type Nodes, note, type Spot } from "./unit.ts";

const KEYWORDS = ["default", "contentEncoding", "contentMediaType"] as const;

export const compareMeaning = (spot: Spot, nodes: Nodes): void => {
  for (const rule of KEYWORDS) {
    const [old, fresh] = [nodes.old[rule], nodes.new[rule]];
    if (!isSame(old, fresh)) note(spot, nodes, { rule, action: actionOf(old, fresh), old, new: fresh });
  }
  const [was, is] = [nodes.old.deprecated === true, nodes.new.deprecated === true];
  if (was !== is) note(spot, nodes, { rule: "schema.deprecated", action: is ? "added" : "removed" });
};
