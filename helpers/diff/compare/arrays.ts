/** Keywords of arrays: items by position, all others, and items that must be among them. */
import type { Json } from "../../contract/json.ts";
import type { CompareNodes } from "./objects.ts";
import { takes } from "./types.ts";
import { below, note, type Spot, tangled } from "./unit.ts";

export const compareArrays = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  if (!takes(oldNode, "array") || !takes(newNode, "array")) return;
  compareItems(spot, oldNode, newNode, compare);
  compareContained(spot, oldNode, newNode, compare);
};

const prefixOf = (node: Json): readonly unknown[] =>
  Array.isArray(node.prefixItems) ? node.prefixItems : [];

const compareItems = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  const [old, fresh] = [prefixOf(oldNode), prefixOf(newNode)];
  for (let index = 0; index < Math.max(old.length, fresh.length); index += 1) {
    const [before, after] = [old[index] ?? oldNode.items ?? true, fresh[index] ?? newNode.items ?? true];
    compare(below(spot, { kind: "item", index }), before, after);
  }
  if (oldNode.items !== undefined && newNode.items !== undefined)
    compare(below(spot, { kind: "item" }), oldNode.items, newNode.items);
  else if (oldNode.items !== newNode.items)
    note(spot, oldNode, newNode, {
      rule: "items",
      action: newNode.items === undefined ? "removed" : "added",
    });
};

const compareContained = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  const [old, fresh] = [oldNode.contains, newNode.contains];
  if (old === undefined && fresh === undefined) return;
  if (old === undefined || fresh === undefined) {
    note(spot, oldNode, newNode, {
      rule: "contains",
      action: old === undefined ? "added" : "removed",
    });
    return;
  }
  compare(below(tangled(spot), { kind: "way", label: "contains" }), old, fresh);
  for (const [rule, neutral] of [
    ["minContains", 1],
    ["maxContains", Number.POSITIVE_INFINITY],
  ] as const) {
    const [before, after] = [Number(oldNode[rule] ?? neutral), Number(newNode[rule] ?? neutral)];
    if (before === after) continue;
    const narrowed = after > before === (rule === "minContains");
    note(spot, oldNode, newNode, {
      rule,
      action: narrowed ? "narrowed" : "widened",
      old: oldNode[rule],
      new: newNode[rule],
    });
  }
};
