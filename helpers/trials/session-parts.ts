/** What a session is opened with, and what all its trials share. */
import type { Contract } from "../contract/contract.ts";
import type { Allowance } from "../exchange/allowance.ts";
import { createClient } from "../exchange/client.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { createRecorder } from "../exchange/recorder.ts";
import { createRedactor } from "../exchange/redact.ts";
import type { SharedReceiver } from "../flows/shared-receiver.ts";
import type { Capabilities } from "../target/capabilities.ts";
import { requestTimeout } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import { createClock } from "./clock.ts";
import type { Change } from "./created-resources.ts";
import { createReceivers } from "./receivers.ts";
import { createSending } from "./sending.ts";
import type { Steps } from "./steps.ts";
import type { Depth, Trial } from "./trial.ts";

export interface SessionOptions {
  readonly target: Target;
  readonly contracts: readonly Contract[];
  readonly capabilities: Capabilities;
  /** JSON pointers by operationId, in place of those that the contract assumes (`BINDINGS`). */
  readonly bindings?: Readonly<Record<string, string>>;
  readonly depth: Depth;
  readonly seed: number;
  /** How long the sequences of all models may go on at exhaustive depth; ten minutes if absent. */
  readonly sequenceSeconds?: number;
  /** See `TrialContext`: unique among the sessions of all runs on the target. */
  readonly tag?: string;
  /** What ids of exchanges start with; unique among the sessions of a run. */
  readonly prefix: string;
  /** Sees every exchange as it was sent, before redaction; nothing of it may be written. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** What is left of the permissions, where the run has other sessions; else all of them. */
  readonly allowance?: Allowance;
  /** What takes the deliveries of the whole run, where the run has other sessions and the user gave a port. */
  readonly receiver?: () => Promise<SharedReceiver | undefined>;
  /** Runs a trial on a sandbox of ours, whatever comes of it. */
  readonly onSandbox?: (trial: Trial) => Promise<void>;
  /** Shows the parts of each trial while it runs; nobody sees them if absent. */
  readonly steps?: Steps;
  /** Is told what the session makes on the target and can remove again, and what it removes. */
  readonly onChange?: (change: Change) => void;
}

export type SessionParts = ReturnType<typeof sessionParts>;

export const sessionParts = (options: SessionOptions) => {
  const { target, capabilities, bindings = {} } = options;
  const client = createClient({
    prefix: options.prefix,
    permissions: target.permissions,
    timeLimitMs: requestTimeout(target) * 1000,
    ...(options.allowance && { allowance: options.allowance }),
    ...(options.onExchange && { onExchange: options.onExchange }),
  });
  const isDisposable = capabilities.has("disposable-partner");
  return {
    options,
    bindings,
    recorder: createRecorder(createRedactor(target.values)),
    client,
    clock: createClock(capabilities),
    sending: createSending({ client, target, bindings, isDisposable, onChange: options.onChange }),
    receivers: createReceivers(options),
    identity: {},
  };
};
