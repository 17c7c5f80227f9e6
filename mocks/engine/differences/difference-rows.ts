/** Helpers for writing the difference rows of a service. */
import type { FaultEffect } from "../faults/fault.ts";
import { behaviour } from "../faults/fault-rows.ts";
import type { Difference, DifferenceEffect } from "./difference.ts";

/** A permitted difference as a service defines it. An effect that is a text names a behaviour of a handler. */
export interface DifferenceRow<Behaviour extends string = string> {
  readonly name: string;
  readonly what: string;
  readonly gaps?: readonly string[];
  readonly effects: readonly (Behaviour | DifferenceEffect<Behaviour>)[];
  readonly operations?: readonly string[];
  /** Ids of requirements without the service. */
  readonly affects?: readonly string[];
  /** Ids of requirements without the service, which may no longer be tried. */
  readonly silences?: readonly string[];
  readonly group?: string;
  /** Whether every document of the provider leaves no such choice. */
  readonly isSettledByDocument?: true;
}

type EffectIn<Row> = Row extends { readonly effects: readonly (infer Effect)[] } ? Effect : never;

/** The behaviours that the rows name. */
export type DifferenceBehaviourOf<Rows extends readonly DifferenceRow[]> = Extract<
  EffectIn<Rows[number]>,
  string
>;

export const differenceOf = (
  service: string,
  { name, what, gaps = [], effects, operations = [], affects = [], silences = [], group }: DifferenceRow,
): Difference => ({
  id: `${service}.difference.${name}`,
  service,
  kind: "switch",
  what,
  gaps,
  effects: effects.map(
    (effect): DifferenceEffect => (typeof effect === "string" ? behaviour(effect) : effect),
  ),
  operations,
  affects: affects.map((id) => `${service}.${id}`),
  silences: silences.map((id) => `${service}.${id}`),
  ...(group !== undefined && { group }),
});

export const isFaultEffect = (effect: DifferenceEffect): effect is FaultEffect => effect.kind !== "habit";
