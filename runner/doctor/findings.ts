/** What the doctor found out about a service, before and after its diagnosis. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { Target } from "../../helpers/target/target.ts";
import type { Cause, State } from "./diagnosis.ts";

/** What the doctor did with a service, for a diagnosis. Absent exchanges were not sent. */
export interface Findings {
  readonly contract: Contract;
  readonly target: Target;
  /** In the order in which they were sent. */
  readonly all: readonly Exchange[];
  /** Why the service was not asked any more: it puts each request off, as with 429. */
  readonly lost?: string;
  readonly logIn?: Exchange;
  /** The settings without which no log-in was tried. */
  readonly logInNeeds?: string;
  readonly hasToken: boolean;
  /** Whether the log-in gave a token that no header can contain. */
  readonly isTokenUnsendable: boolean;
  readonly disposableLogIn?: Exchange;
  readonly sample?: Exchange;
  /** Whether the call should be accepted, because its body follows the contract and has a token if it needs one. */
  readonly isSampleValid: boolean;
  /** The same call without credentials, or with an unknown key. */
  readonly anonymous?: Exchange;
  readonly stranger?: Exchange;
  readonly unknownPath?: Exchange;
  readonly withOtherKeys: WithOtherKeys;
}

/** Keys that a request can have instead of the configured ones. */
export type OtherKey = "consumer key" | "signing key" | "encryption key";

/** Answers to requests with other keys. */
export type WithOtherKeys = Partial<Record<OtherKey, Exchange>>;

/** A row of the table; with `text`, it is a cause that stops a run, of the configuration by default. */
export interface Problem {
  readonly state: State;
  readonly result: string;
  readonly text?: string;
  readonly kind?: Cause["kind"];
}
