/** One deliberate violation, as data. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { Edit } from "../values/pointer.ts";
import type { SchemaEdit } from "./schema-edit.ts";

export interface Fault {
  /** The id of the requirement that it violates, with one more segment. */
  readonly id: string;
  readonly violates: string;
  readonly service: Service;
  readonly effects: readonly FaultEffect[];
}

/** A fault as a service writes it: without the service in front of the requirement. */
export interface FaultRow<Behaviour extends string = string> {
  readonly violates: string;
  readonly name: string;
  readonly effects: readonly FaultEffect<Behaviour>[];
}

/** The behaviours that rows of faults ask for: what the handlers of their service may be asked by. */
export type BehaviourOf<Rows extends readonly FaultRow[]> = Extract<
  Rows[number]["effects"][number],
  BehaviourEffect
>["name"];

/** What a fault can ask of the operations of any service: of their bodies, of who may call, of calls before. */
export type GeneralBehaviour =
  | "malformed-json-accepted"
  | "missing-body-accepted"
  | "content-type-refused"
  | "schema-not-enforced"
  | `body-demanded-${string}`
  | `open-${string}`
  | `sequence-${string}`;

export type FaultEffect<Behaviour extends string = string> =
  | RequestEffect
  | AnswerEffect
  | PathEffect
  | BehaviourEffect<Behaviour>;

/** A change of what a request is held against. */
export interface RequestEffect {
  readonly kind: "request";
  /** An operationId for its body, or a component schema for a structure that arrives encrypted. */
  readonly of: string;
  readonly pointer: string;
  readonly edit: SchemaEdit;
}

/** Which answers a effect is about; an absent condition is no condition. */
export interface Which {
  readonly operationId?: string;
  readonly status?: number;
  readonly cause?: readonly string[];
}

export type AnswerEffect =
  /** A change of the JSON body. */
  | { readonly kind: "json"; readonly when: Which; readonly pointer: string; readonly edit: Edit }
  /** Another body altogether. */
  | { readonly kind: "raw"; readonly when: Which; readonly content: string; readonly contentType?: string }
  | { readonly kind: "status"; readonly when: Which; readonly to: number }
  /** `null` takes the header away. */
  | { readonly kind: "header"; readonly when: Which; readonly name: string; readonly to: string | null };

/** What is documented to be served at one path is served at another. */
export interface PathEffect {
  readonly kind: "path";
  readonly documented: string;
  readonly served: string;
}

/** Something that a handler does otherwise; the handler asks for it by name. */
interface BehaviourEffect<Behaviour extends string = string> {
  readonly kind: "behaviour";
  readonly name: Behaviour;
}
