/** What a folder of the sandbox offers for its service, and what the sandbox hands to its handlers. */
import type { Contract, Operation, Service } from "../helpers/contract/contract.ts";
import type { Clock } from "./clock.ts";
import type { FaultRow } from "./fault.ts";
import type { Validators, Violation } from "./validators.ts";

export interface SandboxService {
  readonly service: Service;
  /** A fresh copy of everything that the service remembers. */
  open(opening: Opening): Promise<OpenService>;
  /** How this service words a refusal that the sandbox itself decided. */
  refuse(refusal: Refusal): Answer;
  /** Violations that do not follow from a rule of the contract. */
  readonly faults: readonly FaultRow[];
  /** Ids of faults that follow from a rule, yet violate nothing that the documents settle. */
  readonly unjudged: readonly string[];
}

/** A service with its state in one tenant. */
export interface OpenService {
  /** Configuration values by environment name with which a client reaches this state, the base URL among them. */
  environment(baseUrl: string): Record<string, string>;
  /** @returns the refusal of a caller who may not call, or `undefined` */
  authenticate(call: Call): Answer | undefined;
  /** By operationId; every operation of the contract has one. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly situations: Readonly<Record<string, Situation>>;
}

type Handler = (call: Call) => Answer | Promise<Answer>;

/** @returns configuration values by environment name under which the situation holds */
type Situation = (parameters: Readonly<Record<string, unknown>>) => Record<string, string>;

export interface Opening {
  readonly contract: Contract;
  readonly seed: number;
  readonly clock: Clock;
}

export interface Call {
  readonly operation: Operation;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed body, valid unless a fault lets others through; `undefined` when there is none. */
  readonly body: unknown;
  readonly validators: Validators;
  /** Whether a fault in force asks for this behaviour. */
  bent(behaviour: string): boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON; absent when `raw` is there or nothing is sent. */
  readonly json?: unknown;
  readonly raw?: { readonly content: string | Buffer; readonly contentType?: string };
  /** Why it refuses; never sent, so that a fault can single out one kind of refusal. */
  readonly cause?: string;
}

export interface Refusal {
  readonly status: number;
  readonly cause:
    | "malformed-json"
    | "missing-body"
    | "content-type"
    | "too-large"
    | "invalid-body"
    | "malformed-request"
    | "unknown-path"
    | "unknown-method"
    | "internal";
  /** For people; says nothing of the inside of the sandbox. */
  readonly message: string;
  /** What the body violates, for `invalid-body`. */
  readonly violations?: readonly Violation[];
}
