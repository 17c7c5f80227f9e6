/** The data types of deliberate violations. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { Edit } from "../values/pointer.ts";
import type { SchemaEdit } from "./schema-edit.ts";

export interface Fault {
  /** The id of the violated requirement, plus one segment. */
  readonly id: string;
  readonly violates: string;
  readonly service: Service;
  readonly effects: readonly FaultEffect[];
}

/** A fault as a service defines it: `violates` omits the service. */
export interface FaultRow<Behaviour extends string = string> {
  readonly violates: string;
  readonly name: string;
  readonly effects: readonly FaultEffect<Behaviour>[];
}

/** The behaviours that the rows name. Handlers of their service may check for these only. */
export type BehaviourOf<Rows extends readonly FaultRow[]> = Extract<
  Rows[number]["effects"][number],
  BehaviourEffect
>["name"];

/** Behaviours that faults of any service can name: for body checks, authentication, and sequences of calls. */
export type GeneralBehaviour =
  | "malformed-json-accepted"
  | "missing-body-accepted"
  | "content-type-refused"
  | "schema-not-enforced"
  | `body-demanded-${string}`
  | `first-answer-repeated-${string}`
  | `simultaneous-answers-shared-${string}`
  | `open-${string}`
  | `sequence-${string}`;

export type FaultEffect<Behaviour extends string = string> =
  | RequestEffect
  | AnswerEffect
  | PathEffect
  | BehaviourEffect<Behaviour>;

/** A change of the schema against which a request is validated. */
export interface RequestEffect {
  readonly kind: "request";
  /** An operationId for its body, or the name of a component schema for a structure that arrives encrypted. */
  readonly of: string;
  readonly pointer: string;
  readonly edit: SchemaEdit;
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

/** A deviation that a handler implements. The handler checks for it by name. */
interface BehaviourEffect<Behaviour extends string = string> {
  readonly kind: "behaviour";
  readonly name: Behaviour;
}
