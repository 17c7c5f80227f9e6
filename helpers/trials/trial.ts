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
import type { TrialClock } from "./clock.ts";
import type { Judge } from "./judge.ts";
import type { Property } from "./property.ts";

export const DEPTHS = ["quick", "standard", "exhaustive"] as const;
export type Depth = (typeof DEPTHS)[number];

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
  run(context: TrialContext): Promise<void>;
  /** What the checks of its service make of each exchange that the trial sends. */
  observe(exchange: Exchange, context: TrialContext): void;
}

/** What a trial needs is not there, and nobody is to blame: its requirements are `not-tried`, with this reason. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

/** The target does not answer as it has to before anything can be shown: what is still to be tried is `blocked`, not failed. */
export class TargetLost extends Error {
  override readonly name = "TargetLost";
}

/** What a call sends. Whatever is not given here comes from the contract and the target. */
export interface Call {
  readonly operationId: string;
  /** Replaces the method of the operation, to see what another one does. */
  readonly method?: string;
  /** Replaces the path of the operation, below the base URL. */
  readonly at?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Added to, or replacing, the headers that the contract and the authentication give; `null` leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it stands, to send malformed bodies on purpose. */
  readonly raw?: { readonly body: string | Buffer; readonly contentType?: string };
  /** `false` for what the documents leave open: the checks of the service do not judge the exchange. */
  readonly judged?: boolean;
  /** Whether a 429 or 503 is waited out (the default), or is what the caller came for. */
  readonly interruptions?: "wait-out" | "return";
  /** It belongs to what the trials of a session share: whichever asks first, it is not one of its own. */
  readonly shared?: true;
  /** The client disconnects once the request is sent: the exchange ends with the failure `abandoned`. */
  readonly abandon?: true;
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
  /** What the trials of a session know from each other, by keys of their own. */
  readonly memory: Map<string, unknown>;
  /** JSON pointers that the user binds to operations, in place of those that the contract assumes. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Makes known a secret that the trial makes up: from now on it is written as `name` only. */
  learn(secret: string, name: string): void;
  /** What takes the target's deliveries: opened when a trial first asks for it, closed when the trial ends. */
  receiver(): Promise<Receiver>;
  /** Another one, which is reached over HTTPS. */
  secureReceiver(tls: NonNullable<ReceiverOptions["tls"]>): Promise<Receiver>;
  /** Does something of the trial on a sandbox of ours, where nothing is judged; nothing where the run has none. */
  onSandbox(run: (twin: TrialContext) => Promise<void>): Promise<void>;
}
