/** Keywords of objects: which properties there are, which must be there, and what is said of all others. */
import { isObject, isSame, type Json } from "../../contract/json.ts";
import { NOTHING } from "./conjuncts.ts";
import { takes } from "./types.ts";
import { below, note, type Spot, tangled } from "./unit.ts";

export type CompareNodes = (spot: Spot, oldNode: unknown, newNode: unknown) => void;

export const compareObjects = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  if (!takes(oldNode, "object") || !takes(newNode, "object")) return;
  compareProperties(spot, oldNode, newNode, compare);
  compareRequired(spot, oldNode, newNode);
  comparePatterns(spot, oldNode, newNode, compare);
  compareOthers(spot, oldNode, newNode, compare);
  compareDependents(spot, oldNode, newNode, compare);
};

const namedIn = (node: Json, keyword: string): Json =>
  isObject(node[keyword]) ? (node[keyword] as Json) : {};
const requiredIn = (node: Json): readonly unknown[] => (Array.isArray(node.required) ? node.required : []);

const compareProperties = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  const [old, fresh] = [namedIn(oldNode, "properties"), namedIn(newNode, "properties")];
  for (const name of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const inner = below(spot, { kind: "property", name });
    if (name in old && name in fresh) compare(inner, old[name], fresh[name]);
    else if (name in fresh) appeared(inner, oldNode, newNode, name, "added");
    else appeared(inner, newNode, oldNode, name, "removed");
  }
};

/**
 * A property that one side names and the other does not. What an open schema says of a name that it does not give counts
 * for nothing: nobody sends a property that no document names.
 */
const appeared = (
  spot: Spot,
  without: Json,
  having: Json,
  name: string,
  action: "added" | "removed",
): void => {
  const schema = namedIn(having, "properties")[name];
  const others = othersOf(without, name);
  const closed = isSame(others, NOTHING);
  const mapped = !closed && others !== undefined && !isSame(others, schema);
  const needed = requiredIn(having).includes(name) && !requiredIn(without).includes(name);
  const stricter = mapped || needed;
  const freer = closed || mapped;
  const deprecated = isObject(schema) && schema.deprecated === true;
  const added = action === "added";
  note(spot, added ? without : having, added ? having : without, {
    rule: "property",
    action,
    subject: name,
    effect: added ? { narrows: stricter, widens: freer } : { narrows: freer, widens: stricter },
    ...(needed && { note: "required" }),
    ...(!added && { note: `${needed ? "required; " : ""}${deprecated ? "after" : "without"} notice` }),
  });
};

/** The schema that a property has which is not named; `undefined` where anything goes. */
const othersOf = (node: Json, name: string): unknown => {
  const patterns = Object.entries(namedIn(node, "patternProperties")).filter(([pattern]) =>
    new RegExp(pattern, "u").test(name),
  );
  if (patterns.length > 0) return { allOf: patterns.map(([, schema]) => schema) };
  const { additionalProperties } = node;
  if (additionalProperties === false) return NOTHING;
  return isObject(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? additionalProperties
    : undefined;
};

/** A property that comes or goes with its requirement is told once. */
const compareRequired = (spot: Spot, oldNode: Json, newNode: Json): void => {
  const [old, fresh] = [requiredIn(oldNode), requiredIn(newNode)];
  const told = (from: Json, to: Json, name: string): boolean =>
    name in namedIn(to, "properties") && !(name in namedIn(from, "properties"));
  for (const name of new Set([...old, ...fresh].map(String))) {
    const inner = below(spot, { kind: "property", name });
    if (fresh.includes(name) && !old.includes(name) && !told(oldNode, newNode, name))
      note(inner, oldNode, newNode, { rule: "required", action: "added", subject: name });
    if (old.includes(name) && !fresh.includes(name) && !told(newNode, oldNode, name))
      note(inner, oldNode, newNode, { rule: "required", action: "removed", subject: name });
  }
};

const comparePatterns = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  const [old, fresh] = [namedIn(oldNode, "patternProperties"), namedIn(newNode, "patternProperties")];
  for (const pattern of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const inner = below(spot, { kind: "other", pattern });
    if (pattern in old && pattern in fresh) compare(inner, old[pattern], fresh[pattern]);
    else {
      const without = pattern in fresh ? oldNode : newNode;
      const open = without.additionalProperties === undefined || without.additionalProperties === true;
      note(inner, oldNode, newNode, {
        rule: "patternProperties",
        action: pattern in fresh ? "added" : "removed",
        subject: pattern,
        ...(!open && { effect: { narrows: true, widens: true } }),
      });
    }
  }
};

const compareOthers = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  const [old, fresh] = [oldNode.additionalProperties ?? true, newNode.additionalProperties ?? true];
  const inner = below(spot, { kind: "other" });
  if (isObject(old) && isObject(fresh)) compare(inner, old, fresh);
  else if (!isSame(old, fresh) && !(isAnything(old) && isAnything(fresh))) {
    const narrowed = old === true || fresh === false;
    note(inner, oldNode, newNode, {
      rule: "additionalProperties",
      action: narrowed ? "narrowed" : "widened",
      old: oldNode.additionalProperties,
      new: newNode.additionalProperties,
    });
  }
};

const isAnything = (schema: unknown): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).length === 0);

const compareDependents = (spot: Spot, oldNode: Json, newNode: Json, compare: CompareNodes): void => {
  const [old, fresh] = [namedIn(oldNode, "dependentRequired"), namedIn(newNode, "dependentRequired")];
  for (const name of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    if (isSame(old[name], fresh[name])) continue;
    const [before, after] = [old[name], fresh[name]].map((names) => (Array.isArray(names) ? names : []));
    const more = (after ?? []).some((one) => !before?.includes(one));
    const less = (before ?? []).some((one) => !after?.includes(one));
    const values = { subject: name, old: old[name], new: fresh[name] };
    const action = more && less ? "changed" : more ? "narrowed" : "widened";
    note(spot, oldNode, newNode, { rule: "dependentRequired", action, ...values });
  }
  const [oldSchemas, newSchemas] = [
    namedIn(oldNode, "dependentSchemas"),
    namedIn(newNode, "dependentSchemas"),
  ];
  for (const name of new Set([...Object.keys(oldSchemas), ...Object.keys(newSchemas)])) {
    if (name in oldSchemas && name in newSchemas)
      compare(
        below(tangled(spot), { kind: "way", label: `with ${name}` }),
        oldSchemas[name],
        newSchemas[name],
      );
    else
      note(spot, oldNode, newNode, {
        rule: "dependentSchemas",
        action: name in newSchemas ? "added" : "removed",
        subject: name,
      });
  }
};
