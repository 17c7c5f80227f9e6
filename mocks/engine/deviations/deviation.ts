/** A deviation: one deliberate difference of the sandbox. It violates a requirement, or no document forbids it. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { Edit } from "../values/pointer.ts";
import type { SchemaChange } from "../values/schema-edit.ts";
import type { Habits } from "./habits.ts";

export interface Deviation {
  /** Unique among the deviations of all services. The id of a fault is its requirement, plus one segment. */
  readonly id: string;
  readonly service: Service;
  /** The id of the requirement that must find it; `null` if it violates none. */
  readonly violates: string | null;
  readonly effects: readonly Effect[];
}

export interface Fault extends Deviation {
  readonly violates: string;
}

/** A permitted difference: nobody may be convicted for it. If it violates an assumed requirement, it is a fault too. */
export interface Difference extends Deviation {
  /**
   * `request`: an assumed rule of requests is not enforced; `response`: an assumed rule of responses is broken;
   * `switch`: another behaviour where the documents leave one open.
   */
  readonly kind: "request" | "response" | "switch";
  /** A description for people: a sentence about the server. */
  readonly what: string;
  /** Subjects of the gaps that leave the choice open; empty where a rule is assumed. */
  readonly gaps: readonly string[];
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

/** A deviation as a service writes it: ids of requirements omit the service. */
export interface DeviationRow<Behaviour extends string = string>
  extends Partial<Pick<Difference, "what" | "gaps" | "operations" | "affects" | "silences" | "group">> {
  readonly name: string;
  /** Absent if the deviation is permitted. Then it needs a description. */
  readonly violates?: string;
  /** A text names a behaviour of a handler. */
  readonly effects: readonly (Behaviour | Effect)[];
  /** Whether every document of the provider leaves no such choice. */
  readonly isSettledByDocument?: true;
}

/** The behaviours that the rows name. Handlers of their service may check for these only. */
export type BehaviourOf<Rows extends readonly DeviationRow[]> = Extract<
  Rows[number]["effects"][number],
  string
>;

export type Effect =
  | RequestEffect
  | AnswerEffect
  | PathEffect
  /** A handler implements the deviation, and checks for it by name. */
  | { readonly kind: "behaviour"; readonly name: string }
  /** Changes the answers of all operations. */
  | { readonly kind: "habit"; readonly habits: Partial<Habits> };

/** A change of the schema against which a request is validated. */
export interface RequestEffect extends SchemaChange {
  readonly kind: "request";
}

/** Selects the answers that an effect changes. An absent property matches every answer. */
export interface Which {
  readonly operationId?: string;
  readonly status?: number;
  readonly cause?: readonly string[];
}

export type AnswerEffect =
  /** Changes the JSON body. */
  | { readonly kind: "json"; readonly when: Which; readonly pointer: string; readonly edit: Edit }
  /** Replaces the body. */
  | { readonly kind: "raw"; readonly when: Which; readonly content: string; readonly contentType?: string }
  | { readonly kind: "status"; readonly when: Which; readonly to: number }
  /** `null` removes the header. */
  | { readonly kind: "header"; readonly when: Which; readonly name: string; readonly to: string | null };

/** Serves a documented path at another path. */
export interface PathEffect {
  readonly kind: "path";
  readonly documented: string;
  readonly served: string;
}
