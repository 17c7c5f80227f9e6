/** Keywords that allow and refuse nothing, and yet change what a message means or what is coming. */
import { isSame, type Json } from "../../contract/json.ts";
import { note, type Spot } from "./unit.ts";

const KEYWORDS = ["default", "contentEncoding", "contentMediaType"] as const;

export const compareMeaning = (spot: Spot, oldNode: Json, newNode: Json): void => {
  for (const keyword of KEYWORDS) {
    const [old, fresh] = [oldNode[keyword], newNode[keyword]];
    if (isSame(old, fresh)) continue;
    const action = old === undefined ? "added" : fresh === undefined ? "removed" : "changed";
    note(spot, oldNode, newNode, { rule: keyword, action, old, new: fresh });
  }
  const [old, fresh] = [oldNode, newNode].map((node) => node.deprecated === true);
  if (old !== fresh)
    note(spot, oldNode, newNode, { rule: "schema.deprecated", action: fresh ? "added" : "removed" });
};
