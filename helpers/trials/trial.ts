/**
 * A trial is the unit of a run: a generated test or a scenario, as a function that knows no test runner. Playwright
 * runs trials as tests; the mutation run and the product's own tests call them directly.
 */

import type { Contract, Hazard, Service } from "../contract/contract.ts";
import type { Validator } from "../contract/schema-validator.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Receiver, ReceiverOptions } from "../flows/receiver.ts";
import type { Capabilities } from "../target/capabilities.ts";
import type { Target } from "../target/target.ts";
import type { Arranger } from "./arrange.ts";
import type { Call } from "./call.ts";
import type { TrialClock } from "./clock.ts";
import type { Judge } from "./judge.ts";
import type { Property } from "./property.ts";

export const DEPTHS = ["quick", "standard", "exhaustive"] as const;
export type Depth = (typeof DEPTHS)[number];

/** A place in the code as it runs, before source maps; line and column count from 1. */
export interface CodeLocation {
  /** Path or `file:` URL. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Trial {
  /** Stable and unique within its service; its random seed derives from it. */
  readonly id: string;
  readonly service: Service;
  readonly title: string;
  /** Section of the document, to group reports by. */
  readonly section: string;
  readonly operations: readonly string[];
  /** Ids of the requirements it gives verdicts on. One without a verdict afterwards is `blocked`. */
  readonly requirements: readonly string[];
  readonly hazards: readonly Hazard[];
  /**
   * Name of something that takes the target a while, which trials of the same name share: they run in one session, and
   * side by side where the time is real.
   */
  readonly sharing?: string;
  /** It leaves the target in a state that other trials of its service can't use: it runs after them. */
  readonly last?: true;
  /** Where it is written; absent for a generated one. */
  readonly location?: CodeLocation | undefined;
  run(context: TrialContext): Promise<void>;
  /** What the checks of its service make of each exchange that the trial sends. */
  observe(exchange: Exchange, context: TrialContext): void;
}

export interface TrialContext {
  readonly contract: Contract;
  readonly validator: Validator;
  readonly target: Target;
  readonly capabilities: Capabilities;
  readonly depth: Depth;
  /** Derived from the run's seed and the trial's id: the same in every run with that seed, whatever else runs. */
  readonly seed: number;
  /** The seed of the run, for what trials share. */
  readonly runSeed: number;
  /** How long the sequences of all models may go on at exhaustive depth. */
  readonly sequenceSeconds: number;
  /** What names end with that nobody else may have; absent where the target is our own. */
  readonly tag?: string | undefined;
  /**
   * Sends one request, records it, and lets the checks of the service observe it.
   * @throws NotTried when the user gave no permission for it
   */
  send(call: Call): Promise<Exchange>;
  readonly judge: Judge;
  readonly arrange: Arranger;
  readonly clock: TrialClock;
  /** Tries a property over generated inputs, and shrinks what fails within a call budget. */
  readonly property: Property;
  /** Stands for the session: the same object in each of its trials, and in no trial of another. */
  readonly session: object;
  /** JSON pointers that the user binds to operations, in place of those that the contract assumes. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Makes known a secret that the trial makes up: from now on it is written as `name` only. */
  learn(secret: string, name: string): void;
  /** What takes the target's deliveries: opened when a trial first asks for it, closed when the trial ends. */
  receiver(): Promise<Receiver>;
  /** Another one, which is reached over HTTPS. */
  secureReceiver(tls: NonNullable<ReceiverOptions["tls"]>): Promise<Receiver>;
  /** Does something of the trial on a sandbox of ours, where nothing is judged; nothing where the run has none. */
  onSandbox(run: (control: TrialContext) => Promise<void>): Promise<void>;
}
