/** Compares keywords of objects: named, required and other properties. */

import { isObject, isSame, type Json } from "../../../helpers/contract/json.ts";
import { mayMatch } from "../../../helpers/contract/schemas/expressions.ts";
import { requiredOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import type { Removable } from "../document/model.ts";
import { announcementOf, sunsetOf } from "../document/sunset.ts";
import { NOTHING } from "./conjuncts.ts";
import { namesOf } from "./rules.ts";
import { takes } from "./types.ts";
import { below, compareInner, type Nodes, note, type Spot, tangled } from "./unit.ts";

export const compareObjects = (spot: Spot, nodes: Nodes): void => {
  if (!takes(nodes.old, "object") || !takes(nodes.new, "object")) return;
  compareProperties(spot, nodes);
  compareRequired(spot, nodes);
  comparePatterns(spot, nodes);
  compareOthers(spot, nodes);
  compareDependentNames(spot, nodes);
  compareDependentSchemas(spot, nodes);
};

const namedIn = (node: Json, keyword: string): Json => (isObject(node[keyword]) ? node[keyword] : {});
const bothIn = ({ old: base, new: revision }: Nodes, keyword: string): readonly [Json, Json] => [
  namedIn(base, keyword),
  namedIn(revision, keyword),
];

const compareProperties = (spot: Spot, nodes: Nodes): void => {
  const [base, revision] = bothIn(nodes, "properties");
  for (const name of namesOf(base, revision)) {
    const inner = below(spot, { kind: "property", name });
    if (name in base && name in revision) spot.compare(inner, base[name], revision[name]);
    else appeared(inner, nodes, name, name in revision);
  }
};

/**
 * Records a property that only one side names. Ignores names that an open schema does not list, because no client sends
 * a property that no document names.
 */
const appeared = (spot: Spot, nodes: Nodes, name: string, added: boolean): void => {
  const [without, having] = added ? [nodes.old, nodes.new] : [nodes.new, nodes.old];
  const schema = namedIn(having, "properties")[name];
  const others = othersOf(without, name);
  const closed = isSame(others, NOTHING);
  const mapped = !closed && others !== undefined && !isSame(others, schema);
  const needed = requiredOf(having).includes(name) && !requiredOf(without).includes(name);
  const stricter = mapped || needed;
  const freer = closed || mapped;
  const { note: notice, isOver } = announcementOf(removableOf(schema));
  note(spot, nodes, {
    rule: "property",
    action: added ? "added" : "removed",
    subject: name,
    effect: added ? { narrows: stricter, widens: freer } : { narrows: freer, widens: stricter },
    ...(needed && { note: "required" }),
    ...(!added && { note: `${needed ? "required; " : ""}${notice}` }),
    ...(!added && isOver && { isAnnounced: true }),
  });
};

const removableOf = (schema: unknown): Removable =>
  isObject(schema)
    ? { deprecated: schema.deprecated === true, sunset: sunsetOf(schema) }
    : { deprecated: false, sunset: undefined };

/** Returns the schema of a property that is not named; `undefined` if any value is allowed. */
const othersOf = (node: Json, name: string): unknown => {
  const patterns = Object.entries(namedIn(node, "patternProperties")).filter(([pattern]) =>
    mayMatch(pattern, name),
  );
  if (patterns.length > 0) return { allOf: patterns.map(([, schema]) => schema) };
  const { additionalProperties } = node;
  if (additionalProperties === false) return NOTHING;
  return isAnything(additionalProperties) ? undefined : additionalProperties;
};

/** Compares `required`; a property that appears or disappears together with its requirement is reported once. */
const compareRequired = (spot: Spot, nodes: Nodes): void => {
  const [base, revision] = [requiredOf(nodes.old), requiredOf(nodes.new)];
  const [before, after] = bothIn(nodes, "properties");
  for (const name of new Set([...base, ...revision].map(String))) {
    const inner = below(spot, { kind: "property", name });
    if (revision.includes(name) && !base.includes(name) && (name in before || !(name in after)))
      note(inner, nodes, { rule: "required", action: "added", subject: name });
    if (base.includes(name) && !revision.includes(name) && (name in after || !(name in before)))
      note(inner, nodes, { rule: "required", action: "removed", subject: name });
  }
};

const comparePatterns = (spot: Spot, nodes: Nodes): void => {
  const [base, revision] = bothIn(nodes, "patternProperties");
  for (const pattern of namesOf(base, revision)) {
    const inner = below(spot, { kind: "other", pattern });
    const { additionalProperties = true } = pattern in revision ? nodes.old : nodes.new;
    const noted = {
      rule: "patternProperties",
      subject: pattern,
      ...(additionalProperties !== true && { effect: { narrows: true, widens: true } }),
    } as const;
    compareInner(inner, inner, nodes, noted, base[pattern], revision[pattern]);
  }
};

const compareOthers = (spot: Spot, nodes: Nodes): void => {
  const rule = "additionalProperties";
  const [base, revision] = [nodes.old[rule] ?? true, nodes.new[rule] ?? true];
  const inner = below(spot, { kind: "other" });
  if (isObject(base) && isObject(revision)) spot.compare(inner, base, revision);
  else if (!isSame(base, revision) && !(isAnything(base) && isAnything(revision))) {
    const action = base === true || revision === false ? "narrowed" : "widened";
    note(inner, nodes, { rule, action, old: nodes.old[rule], new: nodes.new[rule] });
  }
};

const isAnything = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);

const compareDependentNames = (spot: Spot, nodes: Nodes): void => {
  const [base, revision] = bothIn(nodes, "dependentRequired");
  for (const name of namesOf(base, revision)) {
    if (isSame(base[name], revision[name])) continue;
    const [before, after] = [base[name], revision[name]].map((names) => (Array.isArray(names) ? names : []));
    const more = (after ?? []).some((one) => !before?.includes(one));
    const less = (before ?? []).some((one) => !after?.includes(one));
    const values = { subject: name, old: base[name], new: revision[name] };
    const action = more && less ? "changed" : more ? "narrowed" : "widened";
    note(spot, nodes, { rule: "dependentRequired", action, ...values });
  }
};

const compareDependentSchemas = (spot: Spot, nodes: Nodes): void => {
  const [base, revision] = bothIn(nodes, "dependentSchemas");
  for (const name of namesOf(base, revision)) {
    const inner = below(tangled(spot), { kind: "way", label: `with ${name}` });
    const noted = { rule: "dependentSchemas", subject: name } as const;
    compareInner(spot, inner, nodes, noted, base[name], revision[name]);
  }
};
