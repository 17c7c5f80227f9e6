/** The interface between the sandbox and the folder of a service: definitions of a service, and calls of its handlers. */

import type {
  Contract,
  HttpMethod,
  JsonSchema,
  Operation,
  Service,
} from "../../helpers/contract/contract.ts";
import type { Clock } from "./clock.ts";
import type { Deliveries } from "./deliveries/deliveries.ts";
import type { DifferenceRow } from "./differences/difference-rows.ts";
import type { GeneralTreatments } from "./differences/general-differences.ts";
import type { Habits } from "./differences/habits.ts";
import type { ExcludedDeviations } from "./differences/rule-differences.ts";
import type { FaultRow, GeneralBehaviour } from "./faults/fault.ts";
import { REFUSALS } from "./refusals.ts";
import type { Stores } from "./state/image.ts";
import type { Validators, Violation } from "./validators.ts";
import type { Fields } from "./values/fields.ts";

export interface SandboxService {
  readonly service: Service;
  /** Creates a fresh copy of the service's state. */
  open(opening: Opening): Promise<OpenService>;
  /**
   * Builds this service's answer for a refusal that the engine decided.
   * @param at absent when the request matched no operation
   */
  refuse(refusal: Refusal, at?: { readonly contract: Contract; readonly operation: Operation }): Answer;
  /** Whether its handlers complete their answers from the contract's schemas. */
  readonly completesAnswers?: true;
  /** Converts the body of a refusal to the second shape that the documents show, if they show two. */
  readonly otherRefusal?: (json: unknown) => unknown;
  /** Permitted differences that do not follow from a rule of the contract, and that only this service has. */
  readonly differences?: readonly DifferenceRow[];
  /** By name: general differences that its document forbids, or that change what can be shown. */
  readonly generalDifferences?: GeneralTreatments;
  /** Whether its answers follow from the document and from the conventions of paths. */
  readonly isByConvention?: true;
  /** Deviations from assumed rules that are not permitted differences. */
  readonly excludedDeviations?: ExcludedDeviations;
  /** Fields that a document names, although the schema around them is assumed. No difference leaves them out. */
  readonly namedFields?: readonly string[];
  /** The JSON Schema of the data that a user may choose; absent if the state always starts in the same way. */
  readonly dataSchema?: JsonSchema;
  /** Capabilities that this service's sandbox has in addition to the general ones. */
  readonly capabilities?: readonly string[];
  /** Pages for people, below the base path, in addition to the operations of the contract. */
  readonly pages?: readonly PageRoute[];
  /** The situations that exist at the start if there is no admin interface: parameters of each, by name. */
  readonly testData?: Readonly<Record<string, readonly Fields[]>>;
  /** Faults that do not follow from a rule of the contract. */
  readonly faults: readonly FaultRow[];
  /** Returns the statuses that the service may answer with; any documented one if absent. */
  readonly statusesOf?: (operation: Operation) => readonly number[];
  /** Derives the faults for promises that this service makes for each of its operations. */
  readonly derivedFaults?: (contract: Contract) => FaultRow[];
  /** Ids of derived faults that violate nothing documented. A `*` at the end matches any ending. */
  readonly unjudged: readonly string[];
}

/** A server that accepts the messages of a service to an issuer, for trying a run against an issuer. */
export interface ReferenceIssuer {
  /** The address for notifications. */
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
  /** Returns configuration values by environment name, with the base URL, that give a client access to this state. */
  environment(baseUrl: string): Record<string, string>;
  /** @returns the refusal of an unauthorized caller, or `undefined` */
  authenticate(call: Call): Answer | undefined;
  /** Writes an answer of the engine in the words of the provider's document, if there is one. */
  inWords?(answer: Answer, operation: Operation): Answer;
  /** Whether a client got this identifier of the resource. Only with a provider's document. */
  gave?(resource: string, id: string): boolean;
  /** By operationId. Operations without a handler get a stateless answer. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly situations: Readonly<Record<string, Situation>>;
  /** By name of the route. */
  readonly pages?: Readonly<Record<string, (visit: Visit) => Answer | Promise<Answer>>>;
  /**
   * Links accounts to a customer without a browser.
   * @throws AdminError when the request cannot be fulfilled
   */
  link?(parameters: Fields): Fields;
  /** The events to which clients subscribe. `send` sends one to its subscribers, and returns their number. */
  readonly events?: { readonly names: readonly string[]; send(name: string): number };
  /** Returns the present state in the form of `dataSchema`. */
  dump?(): Fields;
  /** Returns the objects in which the state is kept. They stay the same for the life of the service. */
  stores?(): Stores;
  /** Continues unfinished work after an image has been restored. */
  resume?(): void;
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

/**
 * Arranges a situation. @returns its configuration values by environment name
 * @throws AdminError when the situation cannot be arranged
 */
export type Situation = (parameters: Fields) => Record<string, string> | Promise<Record<string, string>>;

/** The admin request cannot be fulfilled. The message says what to do. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

export interface Opening {
  readonly contract: Contract;
  readonly seed: number;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  /** Returns the service's address for clients of this tenant. It is known once the sandbox listens. */
  baseUrl(): string;
  readonly habits: Habits;
  /** The user's data, valid by `dataSchema`. It is empty if the user chose none. */
  readonly data: Fields;
  /** Whether a permitted difference in force has this behaviour. */
  differs(behaviour: string): boolean;
}

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

/** @param changes to the defaults of the cause */
export const refusalFor = (cause: Refusal["cause"], changes: Partial<Refusal> = {}): Refusal => ({
  cause,
  ...REFUSALS[cause],
  ...changes,
});
