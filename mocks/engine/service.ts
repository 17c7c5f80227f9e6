/** What a folder of the sandbox offers for its service, and what the sandbox hands to its handlers. */

import type { Contract, HttpMethod, Operation, Service } from "../../helpers/contract/contract.ts";
import type { Clock } from "./clock.ts";
import type { Deliveries } from "./deliveries/deliveries.ts";
import type { FaultRow, GeneralBehaviour } from "./faults/fault.ts";
import refusals from "./refusals.json" with { type: "json" };
import type { Validators, Violation } from "./validators.ts";
import type { Fields } from "./values/fields.ts";

export interface SandboxService {
  readonly service: Service;
  /** A fresh copy of everything that the service remembers. */
  open(opening: Opening): Promise<OpenService>;
  /**
   * How this service words a refusal that the sandbox itself decided.
   * @param at absent when the request reached no operation
   */
  refuse(refusal: Refusal, at?: { readonly contract: Contract; readonly operation: Operation }): Answer;
  /** The body of a refusal in the other shape that the documents show, where they show two. */
  readonly otherRefusal?: (json: unknown) => unknown;
  /** Other statuses that the documents allow, by the name of the variant that has them, then by cause of the refusal. */
  readonly otherStatuses?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Fields that a document names, though the schema around them is assumed: no variant leaves them out. */
  readonly namedFields?: readonly string[];
  /** What its sandbox can offer a test besides what every sandbox can. */
  readonly capabilities?: readonly string[];
  /** Addresses that it serves below its base path besides the operations of the contract, for people. */
  readonly pages?: readonly PageRoute[];
  /** Violations that do not follow from a rule of the contract. */
  readonly faults: readonly FaultRow[];
  /** Violations of what this service promises of each operation of its contract. */
  readonly derivedFaults?: (contract: Contract) => FaultRow[];
  /** Ids of faults that follow from a rule, yet violate nothing that the documents settle; `*` at the end stands for any. */
  readonly unjudged: readonly string[];
}

/** Takes what a service sends to an issuer, to try a run against an issuer on. */
export interface ReferenceIssuer {
  /** Where it takes notifications. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PageRoute {
  readonly name: string;
  readonly method: HttpMethod;
  /** Template below the base URL. */
  readonly path: string;
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
  /** By the name of the route. */
  readonly pages?: Readonly<Record<string, (visit: Visit) => Answer | Promise<Answer>>>;
  /**
   * Links accounts to a customer without a browser.
   * @throws AdminError when it can't be done as asked
   */
  link?(parameters: Fields): Fields;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** Somebody's call of a page; `Behaviour`: what the faults of its service can ask for. */
export interface Visit<Behaviour extends string = never> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Fields;
  /** The fields of a form; a field that came several times has the last value. */
  readonly form: Readonly<Record<string, string>>;
  /** All values of a field of a form. */
  all(field: string): readonly string[];
  /** Whether a fault in force asks for this behaviour. */
  faulty(behaviour: Behaviour): boolean;
}

/**
 * @returns configuration values by environment name under which the situation holds
 * @throws AdminError when it can't be arranged as asked
 */
export type Situation = (parameters: Fields) => Record<string, string> | Promise<Record<string, string>>;

/** What an administrator asked cannot be done; the message says what to do. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

export interface Opening {
  readonly contract: Contract;
  readonly seed: number;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  /** Where clients of this tenant find the service, known once the sandbox listens. */
  baseUrl(): string;
  /** How long decimal ids are, where the documents leave it open; ten digits if absent. */
  readonly idDigits?: number;
}

/** `Behaviour`: what the faults of its service can ask for, besides what they can of every service. */
export interface Call<Behaviour extends string = never> {
  readonly operation: Operation;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: Readonly<Record<string, string>>;
  /** Of the type that the contract gives them, valid unless a fault lets others through. */
  readonly query: Fields;
  /** The parsed body, valid unless a fault lets others through; `undefined` when there is none. */
  readonly body: unknown;
  readonly validators: Validators;
  /** Whether a fault in force asks for this behaviour. */
  faulty(behaviour: Behaviour | GeneralBehaviour): boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON; absent when `raw` is there or nothing is sent. */
  readonly json?: unknown;
  /** `json` as it is sent, where it has been written already. */
  readonly written?: Buffer;
  readonly raw?: { readonly content: string | Buffer; readonly contentType?: string };
  /** Why it refuses; never sent, so that a fault can single out one kind of refusal. */
  readonly cause?: string;
}

export interface Refusal {
  readonly status: number;
  readonly cause: keyof typeof refusals;
  /** For people; says nothing of the inside of the sandbox. */
  readonly message: string;
  /** What the body violates, for `invalid-body`, or which parameters, for `invalid-parameter`. */
  readonly violations?: readonly Violation[];
}

/** @param changes of what is usual for the cause */
export const refusalFor = (cause: Refusal["cause"], changes: Partial<Refusal> = {}): Refusal => ({
  cause,
  ...refusals[cause],
  ...changes,
});
