/** Compares `anyOf`, `oneOf` and `discriminator`: the alternatives, and the schema of each. */

import { canonical, defined, isObject, isSame, type Json } from "../../contract/json.ts";
import { componentNamed } from "../../contract/pointer.ts";
import type { Schemas } from "../document/model.ts";
import { exclude } from "./disjoint.ts";
import { actionOf } from "./rules.ts";
import { below, compareInner, type Nodes, note, type Spot, tangled } from "./unit.ts";

type Union = "anyOf" | "oneOf";
const UNIONS: readonly Union[] = ["anyOf", "oneOf"];

export const compareUnions = (spot: Spot, nodes: Nodes): void => {
  const [old = [], fresh = []] = [nodes.old, nodes.new].map((node) =>
    UNIONS.filter((keyword) => Array.isArray(node[keyword])),
  );
  const [before] = old;
  const [after] = fresh;
  if (before !== undefined && after !== undefined && old.length + fresh.length === 2)
    compareBranches(spot, nodes, before, after);
  else
    for (const rule of UNIONS) {
      if (old.includes(rule) && fresh.includes(rule)) compareBranches(spot, nodes, rule, rule);
      else if (old.includes(rule) || fresh.includes(rule))
        note(spot, nodes, { rule, action: fresh.includes(rule) ? "added" : "removed" });
    }
  compareDiscriminator(spot, nodes);
};

const branchesOf = (node: Json, keyword: Union): readonly unknown[] => node[keyword] as unknown[];

const compareBranches = (spot: Spot, nodes: Nodes, old: Union, fresh: Union): void => {
  const exclusive =
    isExclusive(nodes.old, old, spot.schemas.old) && isExclusive(nodes.new, fresh, spot.schemas.new);
  if (old !== fresh && !exclusive)
    note(spot, nodes, { rule: fresh, action: fresh === "oneOf" ? "narrowed" : "widened", old, new: fresh });
  const inner = exclusive ? spot : tangled(spot);
  for (const [one, other] of partners(branchesOf(nodes.old, old), branchesOf(nodes.new, fresh))) {
    const subject = labelOf(other ?? one);
    const sides = defined({ old: one, new: other });
    const way = below(inner, { kind: "way", label: `${fresh} ${subject}`, ...sides });
    compareInner(way, way, nodes, { rule: "alternative", subject }, one, other);
  }
};

/** Whether alternatives cannot conflict: no value matches two of them, or two matches are allowed. */
const isExclusive = (node: Json, keyword: Union, schemas: Schemas): boolean => {
  if (keyword === "anyOf") return true;
  const branches = branchesOf(node, keyword);
  return (
    isDistinguishable(node, branches) ||
    branches.every((one, index) => branches.slice(index + 1).every((other) => exclude(one, other, schemas)))
  );
};

const isDistinguishable = ({ discriminator }: Json, branches: readonly unknown[]): boolean =>
  isObject(discriminator) &&
  isObject(discriminator.mapping) &&
  branches.every((branch) => isObject(branch) && branch.$ref !== undefined);

/** Returns the label of an alternative: its component, its values or its type. */
const labelOf = (branch: unknown): string => {
  if (!isObject(branch)) return String(branch);
  const name = componentNamed(branch.$ref);
  if (name !== undefined) return name;
  const label = branch.const ?? branch.enum ?? branch.type ?? Object.keys(branch).join(", ");
  return typeof label === "string" ? label : JSON.stringify(label);
};

type Pair = readonly [unknown, unknown];

/** Pairs equal alternatives, then the most similar ones; `undefined` stands for no counterpart. */
const partners = (old: readonly unknown[], fresh: readonly unknown[]): Pair[] => {
  const free = new Set(fresh.keys());
  const found = new Map<number, number>();
  for (const least of [2, 0.5]) {
    for (const [index, branch] of old.entries()) {
      if (found.has(index)) continue;
      const [best] = [...free]
        .map((at) => ({ at, likeness: likeness(branch, fresh[at]) }))
        .filter(({ likeness: value }) => value >= least)
        .sort((a, b) => b.likeness - a.likeness || a.at - b.at);
      if (best === undefined) continue;
      found.set(index, best.at);
      free.delete(best.at);
    }
  }
  return [
    ...old.map(
      (branch, index): Pair => [branch, found.has(index) ? fresh[found.get(index) as number] : undefined],
    ),
    ...[...free].map((at): Pair => [undefined, fresh[at]]),
  ];
};

/** Returns 2 for equal schemas, else the share of their keywords, properties and values that agree. */
const likeness = (one: unknown, other: unknown): number => {
  if (isSame(one, other)) return 2;
  if (!isObject(one) || !isObject(other)) return 0;
  const [left, right] = [one, other].map((node) => new Set(featuresOf(node))) as [Set<string>, Set<string>];
  const shared = [...left].filter((feature) => right.has(feature)).length;
  return shared / Math.max(1, Math.max(left.size, right.size));
};

const featuresOf = (node: Json): string[] =>
  Object.entries(node).flatMap(([keyword, value]) =>
    keyword === "properties" && isObject(value)
      ? Object.entries(value).map(
          ([name, schema]) => `${name} ${isObject(schema) ? canonical(schema.type) : ""}`,
        )
      : [`${keyword} ${keyword === "type" || keyword === "$ref" ? canonical(value) : ""}`],
  );

const compareDiscriminator = (spot: Spot, nodes: Nodes): void => {
  const [old, fresh] = [nodes.old.discriminator, nodes.new.discriminator];
  if (isSame(old, fresh)) return;
  const listed = [old, fresh].some((one) => isObject(one) && isObject(one.mapping));
  note(tangled(spot), nodes, {
    rule: "discriminator",
    action: actionOf(old, fresh),
    old,
    new: fresh,
    ...(!listed && { effect: { narrows: false, widens: false } }),
  });
};

/** Turns a schema that faces a union into a union of one, so that both can be compared as unions. */
export const asSameUnion = (oldNode: unknown, newNode: unknown): Pair => {
  const [old, fresh] = [oldNode, newNode].map(unionOf);
  if (old === undefined && fresh !== undefined && isWrapped(oldNode))
    return [{ [fresh]: [oldNode] }, newNode];
  if (fresh === undefined && old !== undefined && isWrapped(newNode)) return [oldNode, { [old]: [newNode] }];
  return [oldNode, newNode];
};

const BESIDE: ReadonlySet<string> = new Set([
  "discriminator",
  "deprecated",
  "default",
  "examples",
  "readOnly",
  "writeOnly",
]);

const unionOf = (node: unknown): Union | undefined => {
  if (!isObject(node)) return undefined;
  const keywords = Object.keys(node).filter((keyword) => !BESIDE.has(keyword));
  const [only] = keywords;
  return keywords.length === 1 ? UNIONS.find((keyword) => keyword === only) : undefined;
};

const isWrapped = (node: unknown): boolean =>
  isObject(node) && Object.keys(node).length > 0 && !UNIONS.some((keyword) => node[keyword] !== undefined);
