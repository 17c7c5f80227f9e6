/** A schema of the two documents that is compared once, however many operations reach it. */

import type { Json } from "../../contract/json.ts";
import type { Both, Schemas } from "../document/model.ts";
import type { Change, SchemaChange, Step } from "./change.ts";
import type { Found } from "./found.ts";
import { actionOf, effectOf } from "./rules.ts";

export interface Edge extends Pick<SchemaChange, "steps" | "simpleUntil"> {
  /** Key of the unit that it leads to. */
  readonly to: string;
}

export interface Unit extends Pick<Found, "owner" | "part"> {
  readonly key: string;
  /** What its pointers start with, where it is a part of the owner. */
  readonly base: string;
  /** Key of the unit that it was first met in. */
  readonly origin: string;
  /** Made for its references: they are followed here, not led to another unit. */
  readonly follows: boolean;
  readonly changes: SchemaChange[];
  readonly edges: Edge[];
}

export type Side = Both<Schemas>;

/** A place of a unit while it is walked. */
export interface Spot {
  readonly schemas: Side;
  readonly unit: Unit;
  readonly steps: readonly Step[];
  readonly simpleUntil: number;
  /** Starts or finds the unit of two nodes. */
  readonly unitOf: (oldNode: unknown, newNode: unknown, from: Spot) => string;
  /** Compares two schemas, of this place or of one inside it. */
  readonly compare: (spot: Spot, oldNode: unknown, newNode: unknown) => void;
}

export const SIMPLE = Number.POSITIVE_INFINITY;

const isSimple = ({ simpleUntil }: Pick<Spot, "simpleUntil">): boolean => simpleUntil === SIMPLE;

export const below = (spot: Spot, step: Step): Spot => ({ ...spot, steps: [...spot.steps, step] });

/** From here on a narrower schema may allow more and a wider one less. */
export const tangled = (spot: Spot): Spot => ({
  ...spot,
  simpleUntil: Math.min(spot.simpleUntil, spot.steps.length),
});

/** The effect is given where nature and action do not say it all. */
export type Noted = Omit<Change, "effect"> & Partial<Pick<Change, "effect">>;

/** The two schemas at a spot. */
export type Nodes = Both<Json>;

/** Notes a change at the spot. */
export const note = (spot: Spot, nodes: Nodes, noted: Noted): void => {
  const plain = noted.effect ?? effectOf(noted.rule, noted.action);
  // What is said of a property that nobody sends counts as soon as alternatives are told apart by it.
  const counts = plain.narrows || plain.widens || noted.rule === "property";
  const effect = isSimple(spot) || !counts ? plain : { narrows: true, widens: true };
  spot.unit.changes.push({
    ...noted,
    effect,
    steps: spot.steps,
    simpleUntil: Math.min(spot.simpleUntil, spot.steps.length),
    nodes,
  });
};

/**
 * Compares what both schemas say of something inside, and notes at the spot what only one of them says.
 * @param inner the spot of what is inside
 */
export const compareInner = (
  spot: Spot,
  inner: Spot,
  nodes: Nodes,
  noted: Omit<Noted, "action">,
  old: unknown,
  fresh: unknown,
): void => {
  if (old === undefined && fresh === undefined) return;
  if (old !== undefined && fresh !== undefined) spot.compare(inner, old, fresh);
  else note(spot, nodes, { ...noted, action: actionOf(old, fresh) });
};
