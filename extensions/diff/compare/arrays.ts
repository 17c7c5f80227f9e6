/** Compares keywords of arrays: items by position, all other items, and `contains`. */
import { prefixOf } from "../../../helpers/contract/schemas/flatten.ts";
import { takes } from "./types.ts";
import { below, compareInner, type Nodes, note, type Spot, tangled } from "./unit.ts";

export const compareArrays = (spot: Spot, nodes: Nodes): void => {
  if (!takes(nodes.old, "array") || !takes(nodes.new, "array")) return;
  compareItems(spot, nodes);
  compareContained(spot, nodes);
};

const compareItems = (spot: Spot, nodes: Nodes): void => {
  const { old: base, new: revision } = nodes;
  const [before, after] = [prefixOf(base), prefixOf(revision)];
  for (let index = 0; index < Math.max(before.length, after.length); index += 1)
    spot.compare(
      below(spot, { kind: "item", index }),
      before[index] ?? base.items ?? true,
      after[index] ?? revision.items ?? true,
    );
  compareInner(spot, below(spot, { kind: "item" }), nodes, { rule: "items" }, base.items, revision.items);
};

const compareContained = (spot: Spot, nodes: Nodes): void => {
  const { old: base, new: revision } = nodes;
  const inner = below(tangled(spot), { kind: "way", label: "contains" });
  compareInner(spot, inner, nodes, { rule: "contains" }, base.contains, revision.contains);
  if (base.contains === undefined || revision.contains === undefined) return;
  for (const [rule, neutral] of [
    ["minContains", 1],
    ["maxContains", Number.POSITIVE_INFINITY],
  ] as const) {
    const [before, after] = [Number(base[rule] ?? neutral), Number(revision[rule] ?? neutral)];
    if (before === after) continue;
    const action = after > before === (rule === "minContains") ? "narrowed" : "widened";
    note(spot, nodes, { rule, action, old: base[rule], new: revision[rule] });
  }
};
