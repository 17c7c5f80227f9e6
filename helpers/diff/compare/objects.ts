/** Compares keywords of objects: named, required and other properties. */

import { isObject, isSame, type Json } from "../../contract/json.ts";
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

const namedIn = (node: Json, keyword: string): Json =>
  isObject(node[keyword]) ? (node[keyword] as Json) : {};
const bothIn = ({ old, new: fresh }: Nodes, keyword: string): readonly [Json, Json] => [
  namedIn(old, keyword),
  namedIn(fresh, keyword),
];
const requiredIn = (node: Json): readonly unknown[] => (Array.isArray(node.required) ? node.required : []);

const compareProperties = (spot: Spot, nodes: Nodes): void => {
  const [old, fresh] = bothIn(nodes, "properties");
  for (const name of namesOf(old, fresh)) {
    const inner = below(spot, { kind: "property", name });
    if (name in old && name in fresh) spot.compare(inner, old[name], fresh[name]);
    else appeared(inner, nodes, name, name in fresh);
  }
};

/**
 * Records a property that only one side names. An open schema does not count for names that it does not list: no
 * client sends a property that no document names.
 */
const appeared = (spot: Spot, nodes: Nodes, name: string, added: boolean): void => {
  const [without, having] = added ? [nodes.old, nodes.new] : [nodes.new, nodes.old];
  const schema = namedIn(having, "properties")[name];
  const others = othersOf(without, name);
  const closed = isSame(others, NOTHING);
  const mapped = !closed && others !== undefined && !isSame(others, schema);
  const needed = requiredIn(having).includes(name) && !requiredIn(without).includes(name);
  const stricter = mapped || needed;
  const freer = closed || mapped;
  const deprecated = isObject(schema) && schema.deprecated === true;
  note(spot, nodes, {
    rule: "property",
    action: added ? "added" : "removed",
    subject: name,
    effect: added ? { narrows: stricter, widens: freer } : { narrows: freer, widens: stricter },
    ...(needed && { note: "required" }),
    ...(!added && { note: `${needed ? "required; " : ""}${deprecated ? "after" : "without"} deprecation` }),
  });
};

/** Returns the schema of a property that is not named; `undefined` where any value is allowed. */
const othersOf = (node: Json, name: string): unknown => {
  const patterns = Object.entries(namedIn(node, "patternProperties")).filter(([pattern]) =>
    new RegExp(pattern, "u").test(name),
  );
  if (patterns.length > 0) return { allOf: patterns.map(([, schema]) => schema) };
  const { additionalProperties } = node;
  if (additionalProperties === false) return NOTHING;
  return isAnything(additionalProperties) ? undefined : additionalProperties;
};

/** Compares `required`; a property that appears or disappears together with its requirement is reported once. */
const compareRequired = (spot: Spot, nodes: Nodes): void => {
  const [old, fresh] = [requiredIn(nodes.old), requiredIn(nodes.new)];
  const [before, after] = bothIn(nodes, "properties");
  for (const name of new Set([...old, ...fresh].map(String))) {
    const inner = below(spot, { kind: "property", name });
    if (fresh.includes(name) && !old.includes(name) && (name in before || !(name in after)))
      note(inner, nodes, { rule: "required", action: "added", subject: name });
    if (old.includes(name) && !fresh.includes(name) && (name in after || !(name in before)))
      note(inner, nodes, { rule: "required", action: "removed", subject: name });
  }
};

const comparePatterns = (spot: Spot, nodes: Nodes): void => {
  const [old, fresh] = bothIn(nodes, "patternProperties");
  for (const pattern of namesOf(old, fresh)) {
    const inner = below(spot, { kind: "other", pattern });
    const { additionalProperties = true } = pattern in fresh ? nodes.old : nodes.new;
    const noted = {
      rule: "patternProperties",
      subject: pattern,
      ...(additionalProperties !== true && { effect: { narrows: true, widens: true } }),
    } as const;
    compareInner(inner, inner, nodes, noted, old[pattern], fresh[pattern]);
  }
};

const compareOthers = (spot: Spot, nodes: Nodes): void => {
  const rule = "additionalProperties";
  const [old, fresh] = [nodes.old[rule] ?? true, nodes.new[rule] ?? true];
  const inner = below(spot, { kind: "other" });
  if (isObject(old) && isObject(fresh)) spot.compare(inner, old, fresh);
  else if (!isSame(old, fresh) && !(isAnything(old) && isAnything(fresh))) {
    const action = old === true || fresh === false ? "narrowed" : "widened";
    note(inner, nodes, { rule, action, old: nodes.old[rule], new: nodes.new[rule] });
  }
};

const isAnything = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);

const compareDependentNames = (spot: Spot, nodes: Nodes): void => {
  const [old, fresh] = bothIn(nodes, "dependentRequired");
  for (const name of namesOf(old, fresh)) {
    if (isSame(old[name], fresh[name])) continue;
    const [before, after] = [old[name], fresh[name]].map((names) => (Array.isArray(names) ? names : []));
    const more = (after ?? []).some((one) => !before?.includes(one));
    const less = (before ?? []).some((one) => !after?.includes(one));
    const values = { subject: name, old: old[name], new: fresh[name] };
    const action = more && less ? "changed" : more ? "narrowed" : "widened";
    note(spot, nodes, { rule: "dependentRequired", action, ...values });
  }
};

const compareDependentSchemas = (spot: Spot, nodes: Nodes): void => {
  const [old, fresh] = bothIn(nodes, "dependentSchemas");
  for (const name of namesOf(old, fresh)) {
    const inner = below(tangled(spot), { kind: "way", label: `with ${name}` });
    const noted = { rule: "dependentSchemas", subject: name } as const;
    compareInner(spot, inner, nodes, noted, old[name], fresh[name]);
  }
};
