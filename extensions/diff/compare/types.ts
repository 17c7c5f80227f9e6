/** Compares `type`, `enum` and `const`: the values that are allowed at all. */
import { canonical, type Json } from "../../../helpers/contract/json.ts";
import { ALL_TYPES } from "../../../helpers/contract/schemas/negate.ts";
import { actionOf } from "./rules.ts";
import { type Nodes, note, type Spot } from "./unit.ts";

export const compareTypes = (spot: Spot, nodes: Nodes): void => {
  compareType(spot, nodes);
  compareValues(spot, nodes);
};

/** Returns the types: `integer` if the schema does not allow `number`, and all types if the schema names none. */
export const typesOf = (node: Json): readonly string[] => {
  if (node.type === undefined) return ALL_TYPES;
  const types = [node.type].flat() as string[];
  return types.includes("number") ? types.filter((type) => type !== "integer") : types;
};

/** Whether a schema accepts values of the type. */
export const takes = (node: Json, type: string): boolean => {
  const types = typesOf(node);
  return types.includes(type) || (type === "number" && types.includes("integer"));
};

/** Returns the types of the first schema that the second does not fully accept. */
const typesLost = (from: Json, to: Json): string[] => {
  const left = typesOf(to);
  return typesOf(from).filter(
    (type) => !left.includes(type) && !(type === "integer" && left.includes("number")),
  );
};

const compareType = (spot: Spot, nodes: Nodes): void => {
  const { old: oldNode, new: newNode } = nodes;
  const lost = typesLost(oldNode, newNode);
  const gained = typesLost(newNode, oldNode);
  if (lost.length === 0 && gained.length === 0) return;
  const values = { old: oldNode.type, new: newNode.type };
  const onlyNull = [...lost, ...gained].every((type) => type === "null");
  const one = lost.length > 0 ? "narrowed" : "widened";
  const action = lost.length > 0 && gained.length > 0 ? "changed" : one;
  if (onlyNull) note(spot, nodes, { rule: "null", action: lost.length > 0 ? "removed" : "added" });
  else note(spot, nodes, { rule: "type", action, ...values });
};

/** The first integer above the range of a format; the range begins at its negative. */
export const INTEGER_ENDS: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

/** Returns the values that a schema lists, if it lists any. */
export const listedValues = (node: Json): readonly unknown[] | undefined =>
  "const" in node ? [node.const] : Array.isArray(node.enum) ? node.enum : undefined;

const compareValues = (spot: Spot, nodes: Nodes): void => {
  const { old: oldNode, new: newNode } = nodes;
  const [base, revision] = [listedValues(oldNode), listedValues(newNode)];
  if (base === undefined && revision === undefined) return;
  if (base === undefined || revision === undefined) {
    note(spot, nodes, { rule: "enum", action: actionOf(base, revision), old: base, new: revision });
    return;
  }
  const lost = without(base, revision, newNode);
  const gained = without(revision, base, oldNode);
  if (lost.length > 0) note(spot, nodes, { rule: "value", action: "removed", old: lost });
  if (gained.length > 0) note(spot, nodes, { rule: "value", action: "added", new: gained });
};

/**
 * Returns the values that `others` lacks. Omits a `null` that the type excludes, because the change of the type reports
 * it.
 */
const without = (values: readonly unknown[], others: readonly unknown[], node: Json): unknown[] => {
  const known = new Set(others.map(canonical));
  return values.filter(
    (value) => !known.has(canonical(value)) && (value !== null || typesOf(node).includes("null")),
  );
};
