/** Compares two schemas in parallel and records differences; compares each component schema once. */
import { canonical, isObject, isSame, type Json } from "../../../helpers/contract/json.ts";
import { componentNamed } from "../../../helpers/contract/pointer.ts";
import type { Both, Schemas } from "../document/model.ts";
import { compareArrays } from "./arrays.ts";
import { compareConditions, compareLeftOvers, compareMeaning } from "./conditions.ts";
import { aligned, conjunctsOf } from "./conjuncts.ts";
import { compareObjects } from "./objects.ts";
import { compareScalars } from "./scalars.ts";
import { pointerOf } from "./steps.ts";
import { compareTypes } from "./types.ts";
import { asSameUnion, compareUnions } from "./unions.ts";
import { type Nodes, SIMPLE, type Spot, tangled, type Unit } from "./unit.ts";

export const compareUnits = (schemas: Both<Schemas>) => {
  const units = new Map<string, Unit>();

  const start = (unit: Unit, oldNode: unknown, newNode: unknown): string => {
    if (units.has(unit.key)) return unit.key;
    units.set(unit.key, unit);
    const spot: Spot = { schemas, unit, steps: [], simpleUntil: SIMPLE, unitOf, compare: compareNodes };
    compareNodes(spot, oldNode, newNode);
    return unit.key;
  };

  const unitOf = (oldNode: unknown, newNode: unknown, from: Spot): string => {
    const [oldName, newName] = [oldNode, newNode].map(componentOf);
    if (oldName !== undefined && newName !== undefined) {
      const owner = `schema ${newName}${oldName === newName ? "" : ` (was ${oldName})`}`;
      return start({ ...emptyUnit(owner, { owner, part: "", prefix: "" }), follows: true }, oldNode, newNode);
    }
    const { owner, part, origin, prefix } = from.unit;
    const key = `${origin} ${canonical([oldNode, newNode])}`;
    const unit = emptyUnit(key, { owner, part, prefix: prefix + pointerOf(from.steps) });
    return start({ ...unit, origin, follows: true }, oldNode, newNode);
  };

  return {
    all: units,
    /** Compares the schemas of a place that is not a component, and returns the key of its unit. */
    at: (place: Pick<Unit, "owner" | "part">, oldNode: unknown, newNode: unknown): string =>
      start(
        emptyUnit(`${place.owner} ${place.part} ${canonical([oldNode, newNode])}`, { ...place, prefix: "" }),
        oldNode,
        newNode,
      ),
  };
};

const emptyUnit = (key: string, place: Pick<Unit, "owner" | "part" | "prefix">): Unit => ({
  ...place,
  key,
  origin: key,
  follows: false,
  changes: [],
  edges: [],
});

/** Returns the name of the component if the schema is only a reference to it. */
const componentOf = (node: unknown): string | undefined =>
  isObject(node) && Object.keys(node).length === 1 ? componentNamed(node.$ref) : undefined;

const compareNodes = (spot: Spot, oldNode: unknown, newNode: unknown): void => {
  const [one, other] = asSameUnion(oldNode, newNode);
  const refs = [one, other].map((node) => [...conjunctsOf(node).refs].sort());
  const follows = spot.unit.follows && spot.steps.length === 0;
  const isWholeComponent = componentOf(one) !== undefined && componentOf(other) !== undefined;
  if (!follows && (isWholeComponent || !isSame(refs[0], refs[1]))) lead(spot, one, other);
  else compareContents(spot, one, other, follows && isWholeComponent);
};

/** @param opened whether the unit is the reference itself, so that its target is compared here */
const compareContents = (spot: Spot, oldNode: unknown, newNode: unknown, opened: boolean): void => {
  const { old: base, new: revision } = spot.schemas;
  const [one, other] = opened ? [open(oldNode, base), open(newNode, revision)] : [oldNode, newNode];
  const parts = aligned({ node: one, schemas: base }, { node: other, schemas: revision });
  const leftOver = [...parts.one, ...parts.other].some(
    (part) => part.unevaluatedProperties !== undefined || part.unevaluatedItems !== undefined,
  );
  const inner = leftOver ? tangled(spot) : spot;
  for (const ref of parts.shared) lead(inner, { $ref: ref }, { $ref: ref });
  for (const nodes of paired(parts.one, parts.other)) {
    compareKeywords(inner, nodes);
    compareLeftOvers(spot, nodes);
  }
};

const open = (node: unknown, schemas: Both<Schemas>["old"]): unknown =>
  schemas[componentOf(node) ?? ""] ?? true;

const lead = (spot: Spot, oldNode: unknown, newNode: unknown): void => {
  const to = spot.unitOf(oldNode, newNode, spot);
  spot.unit.edges.push({ steps: spot.steps, simpleUntil: spot.simpleUntil, to });
};

/** Pairs equal schemas, then the others in order. A schema without a counterpart is compared with an empty schema. */
const paired = (one: readonly Json[], other: readonly Json[]): Nodes[] => {
  const left = [...one];
  const right = [...other];
  const pairs: Nodes[] = [];
  for (const part of one) {
    const at = right.findIndex((candidate) => isSame(candidate, part));
    if (at < 0) continue;
    pairs.push({ old: part, new: right[at] as Json });
    right.splice(at, 1);
    left.splice(left.indexOf(part), 1);
  }
  for (let index = 0; index < Math.max(left.length, right.length); index += 1)
    pairs.push({ old: left[index] ?? {}, new: right[index] ?? {} });
  return pairs;
};

/**
 * Compares each keyword. Keywords apply independently, so the changes of the keywords together are the change of the
 * schema.
 */
const compareKeywords = (spot: Spot, nodes: Nodes): void => {
  for (const compare of COMPARERS) compare(spot, nodes);
};

const COMPARERS = [
  compareTypes,
  compareScalars,
  compareObjects,
  compareArrays,
  compareUnions,
  compareConditions,
  compareMeaning,
];
