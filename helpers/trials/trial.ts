/**
 * A trial is the unit of a run: a generated test or a scenario. It does not depend on a test runner: Playwright runs
 * trials as tests, and the mutation run and the product's own tests call them directly.
 */
import type { Contract, Hazard, Service } from "../contract/contract.ts";
import type { Validator } from "../contract/schemas/schema-validator.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { TrialClock } from "../flows/clock.ts";
import type { Receiver, ReceiverOptions } from "../flows/receiver.ts";
import type { Capabilities } from "../target/capabilities.ts";
import type { Target } from "../target/target.ts";
import type { Arranger } from "./arrange.ts";
import type { Call } from "./call.ts";
import type { Judge } from "./judge.ts";
import type { Property } from "./property.ts";

export const DEPTHS = ["quick", "standard", "exhaustive"] as const;
export type Depth = (typeof DEPTHS)[number];

/** A location in the executed code, without source maps; line and column start at 1. */
export interface CodeLocation {
  /** A path or a `file:` URL. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Trial {
  /** A stable id, unique within the service; the trial's seed derives from it. */
  readonly id: string;
  readonly service: Service;
  readonly title: string;
  /** The section of the document, which groups trials in reports. */
  readonly section: string;
  readonly operations: readonly string[];
  /** Ids of the requirements that the trial judges. A requirement that gets no verdict is `blocked`. */
  readonly requirements: readonly string[];
  readonly hazards: readonly Hazard[];
  /**
   * The name of a slow operation that trials share. Trials with the same name run in one session. They run in parallel
   * if they wait in real time.
   */
  readonly sharing?: string;
  /**
   * The trial leaves the target in a state that other trials of its service can't use, so it runs after these trials.
   */
  readonly last?: true;
  /**
   * `false` if the trial asks its checks again itself (see `Judge.askAgain`). Otherwise the trial runs again with changed
   * answers, to show which requirements could have been violated.
   */
  readonly runsAgain?: false;
  /** Returns the location of the trial's code; absent for a generated trial. */
  readonly location?: () => CodeLocation | undefined;
  run(context: TrialContext): Promise<void>;
  /** Judges each exchange of the trial with the checks of its service. */
  readonly observe: (exchange: Exchange, context: ObservedContext) => void;
}

/** What the checks of each single exchange read of a context. Recorded traffic has it too. */
export interface ObservedContext extends Pick<TrialContext, "contract" | "validator" | "judge" | "session"> {
  readonly capabilities: Pick<Capabilities, "has">;
  /** Whether the trial chose the credentials of the call, or left them out. */
  readonly hasOwnCredentials?: boolean;
}

export interface TrialContext {
  readonly contract: Contract;
  readonly validator: Validator;
  readonly target: Target;
  readonly capabilities: Capabilities;
  readonly depth: Depth;
  /** At quick depth, or with a budget: trials leave out probes that other trials repeat, and share controls. */
  readonly savesRequests: boolean;
  /** The calls of the trial need resources that other trials do not have, so that it shares no control with them. */
  readonly isApart?: true;
  /** Derived from the run's seed and the trial's id, independent of other trials. */
  readonly seed: number;
  /** The seed of the run, for values that trials share. */
  readonly runSeed: number;
  /** Ids of the operations that matter in this session (see `SessionOptions`); empty when all do. */
  readonly focus: readonly string[];
  /** The suffix of names that must be unique on the target; absent for the embedded sandbox. */
  readonly tag?: string | undefined;
  /**
   * Sends one request, records it, and lets the checks of the service observe it.
   * @throws NotTried when the user did not permit it
   */
  send(call: Call): Promise<Exchange>;
  readonly judge: Judge;
  readonly arrange: Arranger;
  readonly clock: TrialClock;
  /** Tries a property over generated inputs, and shrinks failures within a call budget. */
  readonly property: Property;
  /** The identity of the session: the same object in all its trials, and a different one in each other session. */
  readonly session: object;
  /** JSON pointers by operationId that the user gave to replace those that the contract assumes. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Registers a secret that the trial generated. From now on, only `name` is written. */
  learn(secret: string, name: string): void;
  /** Returns the receiver of deliveries: opened on the first use, closed when the trial ends. */
  receiver(): Promise<Receiver>;
  /** Opens another receiver, which uses HTTPS. */
  secureReceiver(tls: NonNullable<ReceiverOptions["tls"]>): Promise<Receiver>;
  /** Returns a value that all trials of the session share; the first one makes it. @param owner identifies the value */
  once<Value>(owner: object, make: (context: TrialContext) => Value): Value;
  /** Generates a value from the seed. It is generated once, even if the trial runs again. */
  generated<Value>(name: string, make: () => Promise<Value>): Promise<Value>;
  /** Asks something outside of the target's API, for example a page that a person would open. */
  outside<Value>(name: string, ask: () => Promise<Value>): Promise<Value>;
}
