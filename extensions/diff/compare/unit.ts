/** A schema of both documents that is compared once, even if many operations reach it. */
import { defined, isObject, type Json } from "../../../helpers/contract/json.ts";
import { componentNamed } from "../../../helpers/contract/pointer.ts";
import type { Both, Schemas } from "../document/model.ts";
import type { Change, SchemaChange, SchemaStep } from "./change.ts";
import type { Found } from "./found.ts";
import { actionOf, effectOf } from "./rules.ts";

export interface Unit extends Pick<Found, "owner" | "part"> {
  readonly key: string;
  /** The prefix of its pointers, if it is a part of the owner. */
  readonly prefix: string;
  /** Key of the unit from which it was first reached. */
  readonly origin: string;
  /** Whether the unit was created for a reference. Its references are resolved in place, and lead to no other unit. */
  readonly follows: boolean;
  readonly changes: SchemaChange[];
  /** The ways to other units, by the key of each. */
  readonly edges: (Pick<SchemaChange, "steps" | "simpleUntil"> & { readonly to: string })[];
}

/** A place in a unit during the comparison. */
export interface Spot {
  readonly schemas: Both<Schemas>;
  readonly unit: Unit;
  readonly steps: readonly SchemaStep[];
  readonly simpleUntil: number;
  /** Returns the unit of two nodes; creates it on first use. */
  readonly unitOf: (oldNode: unknown, newNode: unknown, from: Spot) => string;
  /** Compares two schemas at this place or at an inner one. */
  readonly compare: (spot: Spot, oldNode: unknown, newNode: unknown) => void;
}

export const SIMPLE = Number.POSITIVE_INFINITY;

export const below = (spot: Spot, step: SchemaStep): Spot => ({ ...spot, steps: [...spot.steps, step] });

/** Marks the place after which a narrower schema may allow more, and a wider schema less. */
export const tangled = (spot: Spot): Spot => ({
  ...spot,
  simpleUntil: Math.min(spot.simpleUntil, spot.steps.length),
});

/** A change to record. The effect is given if it does not follow from nature and action. */
export type Noted = Omit<Change, "effect"> & Partial<Pick<Change, "effect">>;

/** The two schemas at a place. */
export type Nodes = Both<Json>;

/** Records a change at the place. */
export const note = (spot: Spot, nodes: Nodes, noted: Noted): void => {
  const plain = noted.effect ?? effectOf(noted.rule, noted.action);
  // A property that is not sent still has an effect if alternatives differ by it.
  const counts = plain.narrows || plain.widens || noted.rule === "property";
  const effect = spot.simpleUntil === SIMPLE || !counts ? plain : { narrows: true, widens: true };
  spot.unit.changes.push({
    ...noted,
    effect,
    steps: spot.steps,
    simpleUntil: Math.min(spot.simpleUntil, spot.steps.length),
    nodes,
  });
};

/**
 * Compares inner schemas; records a change at `spot` if only one side has the schema.
 * @param inner the place of the inner schemas
 */
export const compareInner = (
  spot: Spot,
  inner: Spot,
  nodes: Nodes,
  noted: Omit<Noted, "action">,
  base: unknown,
  revision: unknown,
): void => {
  if (base === undefined && revision === undefined) return;
  if (base !== undefined && revision !== undefined) spot.compare(inner, base, revision);
  else {
    const only = base ?? revision;
    // The label of the change names a component.
    const isNamed = isObject(only) && componentNamed(only.$ref) !== undefined;
    const values = isNamed ? {} : defined({ old: base, new: revision });
    note(spot, nodes, { ...noted, action: actionOf(base, revision), ...values });
  }
};
