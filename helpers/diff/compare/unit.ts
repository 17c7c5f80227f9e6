/** A schema of the two documents that is compared once, however many operations reach it. */

import type { Schemas } from "../document/model.ts";
import type { SchemaChange, Step } from "./change.ts";
import type { Action, Effect } from "./effect.ts";
import { effectOf, type RuleName } from "./rules.ts";

export interface Edge {
  readonly steps: readonly Step[];
  readonly simpleUntil: number;
  /** Key of the unit that it leads to. */
  readonly to: string;
}

export interface Unit {
  readonly key: string;
  /** `schema Customer`, or whatever the schema stands in. */
  readonly owner: string;
  /** Where in the owner: `query limit`, `response 200 application/json`; empty for a component schema. */
  readonly part: string;
  /** What its pointers start with, where it is a part of the owner. */
  readonly base: string;
  /** Key of the unit that it was first met in. */
  readonly origin: string;
  /** Made for its references: they are followed here, not led to another unit. */
  readonly follows: boolean;
  readonly changes: SchemaChange[];
  readonly edges: Edge[];
}

export interface Side {
  readonly old: Schemas;
  readonly new: Schemas;
}

/** A place of a unit while it is walked. */
export interface Spot {
  readonly schemas: Side;
  readonly unit: Unit;
  readonly steps: readonly Step[];
  readonly simpleUntil: number;
  /** Starts or finds the unit of two nodes. */
  readonly unitOf: (oldNode: unknown, newNode: unknown, from: Spot) => string;
}

const UNLIMITED = Number.POSITIVE_INFINITY;
export const SIMPLE = UNLIMITED;

const isSimple = ({ simpleUntil }: Pick<Spot, "simpleUntil">): boolean => simpleUntil === UNLIMITED;

export const below = (spot: Spot, step: Step): Spot => ({ ...spot, steps: [...spot.steps, step] });

/** From here on a narrower schema may allow more and a wider one less. */
export const tangled = (spot: Spot): Spot => ({
  ...spot,
  simpleUntil: Math.min(spot.simpleUntil, spot.steps.length),
});

export interface Noted {
  readonly rule: RuleName;
  readonly action: Action;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly subject?: string;
  readonly note?: string;
  /** Where nature and action do not say it all. */
  readonly effect?: Effect;
}

/** Notes a change at the spot. */
export const note = (spot: Spot, oldNode: unknown, newNode: unknown, noted: Noted): void => {
  const plain = noted.effect ?? effectOf(noted.rule, noted.action);
  // What is said of a property that nobody sends counts as soon as alternatives are told apart by it.
  const counts = plain.narrows || plain.widens || noted.rule === "property";
  const effect = isSimple(spot) || !counts ? plain : { narrows: true, widens: true };
  spot.unit.changes.push({
    ...noted,
    effect,
    steps: spot.steps,
    simpleUntil: Math.min(spot.simpleUntil, spot.steps.length),
    oldNode,
    newNode,
  });
};
