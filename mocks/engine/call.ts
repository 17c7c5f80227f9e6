/** A call of a handler, and the answer to it. */
import type { Operation } from "../../helpers/contract/contract.ts";
import type { Validators, Violation } from "./validators.ts";
import type { Fields } from "./values/fields.ts";

/**
 * `Behaviour`: the behaviours that the faults of its service name, in addition to the general ones; `Different`: the
 * behaviours that its permitted differences name.
 */
export interface Call<Behaviour extends string = never, Different extends string = never> {
  readonly operation: Operation;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: Readonly<Record<string, string>>;
  /** Values of the types in the contract, valid unless a fault accepts invalid ones. */
  readonly query: Fields;
  /** The parsed body, valid unless a fault accepts invalid ones; `undefined` when there is none. */
  readonly body: unknown;
  readonly validators: Validators;
  /** Whether a fault in force has this behaviour. */
  faulty(behaviour: Behaviour | GeneralBehaviour): boolean;
  /** Whether a permitted difference in force has this behaviour. */
  differs(behaviour: Different): boolean;
}

/** Behaviours that faults of any service can name: for body checks, authentication, and sequences of calls. */
export type GeneralBehaviour =
  | "malformed-json-accepted"
  | "missing-body-accepted"
  | "content-type-refused"
  | `any-content-type-${string}`
  | `stale-accepted-${string}`
  | "schema-not-enforced"
  | `body-demanded-${string}`
  | `first-answer-repeated-${string}`
  | `simultaneous-answers-shared-${string}`
  | `open-${string}`
  | `unchecked-${string}`
  | `ignored-${string}`
  | `siblings-too-${string}`
  | `sibling-changed-too-${string}`
  | `shown-after-deletion-${string}`
  | `old-values-after-${string}`
  | `part-stored-${string}`
  | `rest-dropped-${string}`
  | `address-of-${string}`
  | `key-ignored-${string}`
  | `filtered-page-${string}`
  | `unindexed-after-${string}`
  | `search-kept-in-${string}`
  | `below-any-parent-${string}`
  | `letters-lost-${string}`
  | `letters-plain-${string}`
  | `condition-ignores-${string}`
  | `sequence-${string}`;

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON; absent when the answer has `raw` or no body. */
  readonly json?: unknown;
  /** The serialized `json`, when the handler has it already. */
  readonly written?: Buffer;
  readonly raw?: { readonly content: string | Buffer; readonly contentType?: string };
  /** The cause of a refusal. It is never sent; faults use it to select one kind of refusal. */
  readonly cause?: string;
}

export interface Refusal {
  readonly status: number;
  readonly cause: keyof typeof REFUSALS;
  /** A message for people that reveals nothing about the sandbox's internals. */
  readonly message: string;
  /** The violations in the body, for `invalid-body`, or in the parameters, for `invalid-parameter`. */
  readonly violations?: readonly Violation[];
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A request for a page. `Behaviour`: the behaviours that the faults of its service name. */
export interface Visit<Behaviour extends string = never> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Fields;
  /** The fields of a form. A repeated field has its last value. */
  readonly form: Readonly<Record<string, string>>;
  /** Returns all values of a form field. */
  all(field: string): readonly string[];
  /** Whether a fault in force has this behaviour. */
  faulty(behaviour: Behaviour): boolean;
}

/** The refusals that the engine decides, by cause: their status, and a message for people. */
const REFUSALS = {
  "malformed-json": { status: 400, message: "The body is no valid JSON." },
  "missing-body": { status: 400, message: "The request has no body." },
  "content-type": { status: 415, message: "The content type is malformed." },
  "too-large": { status: 413, message: "The body is too large." },
  "invalid-body": { status: 400, message: "The body does not fit its schema." },
  "invalid-parameter": { status: 400, message: "These parameters are wrong: " },
  "malformed-request": { status: 400, message: "The request is malformed." },
  "unknown-path": { status: 404, message: "Nothing is served at this path." },
  "unknown-method": { status: 405, message: "This path does not take this method." },
  trouble: { status: 500, message: "The sandbox answers this on demand." },
  internal: { status: 500, message: "The sandbox failed." },
} as const;

/** @param changes to the defaults of the cause */
export const refusalFor = (cause: Refusal["cause"], changes: Partial<Refusal> = {}): Refusal => ({
  cause,
  ...REFUSALS[cause],
  ...changes,
});
