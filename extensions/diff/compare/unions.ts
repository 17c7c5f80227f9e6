/** Compares `anyOf`, `oneOf` and `discriminator`: the alternatives, and the schema of each. */

import { canonical, defined, isObject, isSame, type Json } from "../../../helpers/contract/json.ts";
import { componentNamed, escapeSegment } from "../../../helpers/contract/pointer.ts";
import { selectingValues } from "../../../helpers/contract/schemas/discriminators.ts";
import type { Schemas } from "../document/model.ts";
import { exclude } from "./disjoint.ts";
import { actionOf } from "./rules.ts";
import { below, compareInner, type Nodes, note, type Spot, tangled } from "./unit.ts";

type Union = "anyOf" | "oneOf";
const UNIONS: readonly Union[] = ["anyOf", "oneOf"];

export const compareUnions = (spot: Spot, nodes: Nodes): void => {
  const [base = [], revision = []] = [nodes.old, nodes.new].map((node) =>
    UNIONS.filter((keyword) => Array.isArray(node[keyword])),
  );
  const [before] = base;
  const [after] = revision;
  if (before !== undefined && after !== undefined && base.length + revision.length === 2)
    compareBranches(spot, nodes, before, after);
  else
    for (const rule of UNIONS) {
      if (base.includes(rule) && revision.includes(rule)) compareBranches(spot, nodes, rule, rule);
      else if (base.includes(rule) || revision.includes(rule))
        compareInner(spot, spot, nodes, { rule }, nodes.old[rule], nodes.new[rule]);
    }
  compareDiscriminator(spot, nodes);
};

/** Returns the alternatives. An alternative of `anyOf` that is listed again adds nothing. */
const branchesOf = (node: Json, keyword: Union): readonly unknown[] => {
  const branches = node[keyword] as unknown[];
  return keyword === "oneOf"
    ? branches
    : branches.filter((branch, at) => branches.findIndex((one) => isSame(one, branch)) === at);
};

const compareBranches = (spot: Spot, nodes: Nodes, base: Union, revision: Union): void => {
  const exclusive =
    isExclusive(nodes.old, base, spot.schemas.old) && isExclusive(nodes.new, revision, spot.schemas.new);
  const action = revision === "oneOf" ? "narrowed" : "widened";
  if (base !== revision && !exclusive)
    note(spot, nodes, { rule: revision, action, old: base, new: revision });
  const inner = exclusive ? spot : tangled(spot);
  for (const [one, other] of counterparts(branchesOf(nodes.old, base), branchesOf(nodes.new, revision))) {
    const subject = labelOf(other ?? one);
    const sides = defined({ old: one, new: other });
    const way = below(inner, { kind: "way", label: `${revision} ${subject}`, ...sides });
    compareInner(way, way, nodes, { rule: "alternative", subject }, one, other);
  }
};

/** Whether alternatives cannot conflict: no value matches two of them, or two matches are allowed. */
const isExclusive = (node: Json, keyword: Union, schemas: Schemas): boolean => {
  if (keyword === "anyOf") return true;
  const branches = branchesOf(node, keyword);
  const { discriminator } = node;
  return (
    (isObject(discriminator) && branches.every((one) => selectingValues(discriminator, one) !== undefined)) ||
    branches.every((one, index) => branches.slice(index + 1).every((other) => exclude(one, other, schemas)))
  );
};

/** Returns the label of an alternative: its component, its values or its type. */
const labelOf = (branch: unknown): string => {
  if (!isObject(branch)) return String(branch);
  const name = componentNamed(branch.$ref);
  if (name !== undefined) return name;
  const label = branch.const ?? branch.enum ?? branch.type ?? Object.keys(branch).join(", ");
  return typeof label === "string" ? label : JSON.stringify(label);
};

/** Pairs equal alternatives, then the most similar alternatives; `undefined` represents a missing counterpart. */
const counterparts = (
  base: readonly unknown[],
  revision: readonly unknown[],
): (readonly [unknown, unknown])[] => {
  const free = new Set(revision.keys());
  const found = new Map<number, number>();
  for (const least of [2, 0.5]) {
    for (const [index, branch] of base.entries()) {
      if (found.has(index)) continue;
      const [best] = [...free]
        .map((at) => ({ at, likeness: likeness(branch, revision[at]) }))
        .filter(({ likeness: value }) => value >= least)
        .sort((a, b) => b.likeness - a.likeness || a.at - b.at);
      if (best === undefined) continue;
      found.set(index, best.at);
      free.delete(best.at);
    }
  }
  return [
    ...base.map(
      (branch, index) =>
        [branch, found.has(index) ? revision[found.get(index) as number] : undefined] as const,
    ),
    ...[...free].map((at) => [undefined, revision[at]] as const),
  ];
};

/** Returns 2 for equal schemas, or else the share of their keywords, properties and values that agree. */
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

/**
 * Compares the property and its values for each alternative that both sides have. A value of another alternative comes or
 * goes with the alternative.
 */
const compareDiscriminator = (spot: Spot, nodes: Nodes): void => {
  const [base, revision] = [nodes.old.discriminator, nodes.new.discriminator];
  if (isSame(base, revision)) return;
  const names = namesIn(nodes.old).filter((name) => namesIn(nodes.new).includes(name));
  if (names.length > 0 && isSame(selectionOf(base, names), selectionOf(revision, names))) return;
  const changed = { action: actionOf(base, revision), old: base, new: revision };
  if (namesIn(nodes.old).length + namesIn(nodes.new).length === 0) {
    note(spot, nodes, { rule: "discriminator.alone", ...changed });
    return;
  }
  // In `anyOf`, an alternative that selects fewer messages allows fewer.
  const isSimple = nodes.old.oneOf === undefined && nodes.new.oneOf === undefined;
  note(isSimple ? spot : tangled(spot), nodes, { rule: "discriminator", ...changed });
};

const namesIn = (node: Json): string[] =>
  UNIONS.flatMap((keyword) => (Array.isArray(node[keyword]) ? branchesOf(node, keyword) : [])).flatMap(
    (branch) => (isObject(branch) ? (componentNamed(branch.$ref) ?? []) : []),
  );

/** Returns the property and, for each component, the values that select it. */
const selectionOf = (discriminator: unknown, names: readonly string[]): unknown =>
  isObject(discriminator) && [
    discriminator.propertyName,
    names.map((name) =>
      [
        ...(selectingValues(discriminator, { $ref: `#/components/schemas/${escapeSegment(name)}` }) ?? []),
      ].sort(),
    ),
  ];

/** Wraps a schema in a union of one if the other side is a union, so that both can be compared as unions. */
export const asSameUnion = (oldNode: unknown, newNode: unknown): readonly [unknown, unknown] => {
  const [base, revision] = [oldNode, newNode].map(unionOf);
  if (base === undefined && revision !== undefined && isWrapped(oldNode))
    return [{ [revision]: [oldNode] }, newNode];
  if (revision === undefined && base !== undefined && isWrapped(newNode))
    return [oldNode, { [base]: [newNode] }];
  return [opened(oldNode, newNode), opened(newNode, oldNode)];
};

/** Opens a union of one alternative if the other schema is not a union: the alternative must hold. */
const opened = (node: unknown, other: unknown): unknown => {
  if (!isObject(node) || !isObject(other) || node.discriminator !== undefined) return node;
  if (UNIONS.some((keyword) => other[keyword] !== undefined)) return node;
  const [keyword, ...more] = UNIONS.filter((one) => Array.isArray(node[one]));
  if (keyword === undefined || more.length > 0 || (node[keyword] as unknown[]).length !== 1) return node;
  const { [keyword]: only, allOf, ...rest } = node;
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), ...(only as unknown[])] };
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
