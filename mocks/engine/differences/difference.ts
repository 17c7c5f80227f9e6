/** The data types of permitted differences: deliberate deviations that no document forbids. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { FaultEffect } from "../faults/fault.ts";
import type { Habits } from "./habits.ts";

/**
 * `request`: an assumed rule of requests is not enforced; `response`: an assumed rule of responses is broken;
 * `switch`: another behaviour where the documents leave one open.
 */
export type DifferenceKind = "request" | "response" | "switch";

export interface Difference {
  /** Unique among the differences of all services. */
  readonly id: string;
  readonly service: Service;
  readonly kind: DifferenceKind;
  /** A description for people: a sentence about the server. */
  readonly what: string;
  /** Subjects of the gaps that leave the choice open; empty where a rule is assumed. */
  readonly gaps: readonly string[];
  readonly effects: readonly DifferenceEffect[];
  /** Ids of the operations that it changes; empty when it may change all. */
  readonly operations: readonly string[];
  /**
   * Ids of requirements whose verdict may turn from `passed` to `advisory` or `not-tried`. A single `*` matches any
   * text, here and in `silences`.
   */
  readonly affects: readonly string[];
  /** Ids of requirements whose verdict may turn from `passed` to `not-tried`, because what shows them is assumed. */
  readonly silences: readonly string[];
  /** Whether the next call needs what is changed, so that operations that depend on this one may not be tried. */
  readonly isNeeded?: true;
  /** Whether nobody named it for this service: then the document may leave no such choice. */
  readonly isByConvention?: true;
  /** Differences that exclude each other have the same group. */
  readonly group?: string;
}

export type DifferenceEffect<Behaviour extends string = string> = FaultEffect<Behaviour> | HabitEffect;

/** A change of the answers of all operations. */
export interface HabitEffect {
  readonly kind: "habit";
  readonly habits: Partial<Habits>;
}
