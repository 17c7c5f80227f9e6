/** The interface between the sandbox and the folder of a service: definitions of a service, and calls of its handlers. */
import type {
  Contract,
  HttpMethod,
  JsonSchema,
  Operation,
  Service,
} from "../../helpers/contract/contract.ts";
import type { Answer, Call, Handler, Refusal, Visit } from "./call.ts";
import type { Clock } from "./clock.ts";
import type { Deliveries } from "./deliveries/deliveries.ts";
import type { Deviating } from "./deviations/catalogue.ts";
import type { Habits } from "./deviations/habits.ts";
import type { RecordedCall } from "./recorded.ts";
import type { Fields } from "./values/fields.ts";
import type { Allows } from "./values/identifiers.ts";
import type { Stores } from "./values/image.ts";

export interface SandboxService extends Deviating {
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
  /** The JSON Schema of the data that a user may choose; absent if the state always starts in the same way. */
  readonly dataSchema?: JsonSchema;
  /** The names under which answers show the fields of `dataSchema` that have other names. */
  readonly shownAs?: Readonly<Record<string, readonly string[]>>;
  /** Returns what recorded answers of a real server show besides the resources that have an identifier of their own. */
  dataSeen?(calls: readonly RecordedCall[], contract: Contract): Fields;
  /** Capabilities that this service's sandbox has in addition to the general ones. */
  readonly capabilities?: readonly string[];
  /** Pages for people, below the base path, in addition to the operations of the contract. */
  readonly pages?: readonly PageRoute[];
  /** The situations that exist at the start if there is no admin interface: parameters of each, by name. */
  readonly testData?: Readonly<Record<string, readonly Fields[]>>;
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
  /** Continues unfinished work of the data, or of an image that has been restored. */
  resume?(): void;
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
  readonly allows: Allows;
  /** Whether a permitted difference in force has this behaviour. */
  differs(behaviour: string): boolean;
}
