/** The findings of the doctor about a service, before its diagnosis. */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { Target } from "../../helpers/target/target.ts";

/** The exchanges of the doctor with a service, and what they gave. */
export interface Findings {
  readonly contract: Contract;
  readonly target: Target;
  /** The exchanges with the configured keys, in the order in which they were sent. */
  readonly all: readonly Exchange[];
  /** Returns the status of an answer and the beginning of its message, without secrets. */
  quote(exchange: Exchange): string;
  readonly answers: Readonly<Partial<Record<Question, Exchange>>>;
  /** The operation of the sample, or of the call of an unknown path. */
  readonly operation?: Operation;
  /** Why the service was not asked any more: it puts each request off, as with 429. */
  readonly lost?: string;
  /** The settings without which no log-in was tried. */
  readonly logInNeeds?: string;
  readonly hasToken: boolean;
  /** Whether the log-in gave a token that no header can contain. */
  readonly isTokenUnsendable: boolean;
  /** Whether the call should be accepted, because its body follows the contract and has a token if it needs one. */
  readonly isSampleValid: boolean;
}

/** The calls of the doctor. `otherSample`: a call of another operation without values. `anonymous` and `stranger`: the sample without credentials, or with an unknown key. */
export type Question =
  | "logIn"
  | "disposableLogIn"
  | "sample"
  | "otherSample"
  | "anonymous"
  | "stranger"
  | "unknownPath"
  | OtherKey;

/** Keys that a request can have instead of the configured ones. */
export type OtherKey = "consumer key" | "signing key" | "encryption key" | `dialect ${string}`;
