/** The options of a session, and the parts that all its trials share. */
import type { Contract, Operation } from "../contract/contract.ts";
import type { Allowance } from "../exchange/allowance.ts";
import { createClient } from "../exchange/client.ts";
import type { Address } from "../exchange/commands.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { createRecorder, type Recorder } from "../exchange/recorder.ts";
import { createRedactor } from "../exchange/redact.ts";
import { createClock } from "../flows/clock.ts";
import type { SharedReceiver } from "../flows/shared-receiver.ts";
import { loadGateways } from "../gateway/load-gateway.ts";
import { throughGateways } from "../gateway/through-gateway.ts";
import type { Capabilities } from "../target/capabilities.ts";
import { requestTimeout } from "../target/load-target.ts";
import { baseUrlName } from "../target/names.ts";
import type { Target } from "../target/target.ts";
import { type Change, nameInPaths } from "./created-resources.ts";
import { createEndurance } from "./endurance.ts";
import { createOccasions } from "./occasions/occasions.ts";
import { type ProbedIds, shareProbed } from "./probed-resources.ts";
import { createReceivers } from "./receivers.ts";
import { idsChosenBy, idsGivenBy, idsShownBy } from "./resource-providers.ts";
import { createSending } from "./sending.ts";
import { createSharedTokens, type SharedTokens } from "./shared-tokens.ts";
import type { Steps } from "./steps.ts";
import type { Depth } from "./trial.ts";

export interface SessionOptions {
  readonly target: Target;
  /** The target itself, if `target` is a copy that ends with the session. */
  readonly original?: Target;
  readonly contracts: readonly Contract[];
  readonly capabilities: Capabilities;
  /** JSON pointers by operationId that replace those that the contract assumes (`BINDINGS`). */
  readonly bindings?: Readonly<Record<string, string>>;
  readonly depth: Depth;
  readonly seed: number;
  /** A suffix for names (see `TrialContext`), unique among the sessions of all runs on the target. */
  readonly tag?: string;
  /** The prefix of exchange ids, unique among the sessions of a run. */
  readonly prefix: string;
  /**
   * Ids of the operations that matter. A trial that repeats one thing for many operations repeats it for these only, if
   * they are among them; all operations by default.
   */
  readonly focus?: readonly string[];
  /** Receives every exchange before redaction; it must not write any of it. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** The remaining permissions, shared with other sessions of the run; all permissions by default. */
  readonly allowance?: Allowance;
  /** Returns the shared receiver of deliveries, if the run has other sessions and the user set a port. */
  readonly receiver?: () => Promise<SharedReceiver | undefined>;
  /** Whether the results contain the behaviour of the target (see `Observer`). */
  readonly isObserved?: boolean;
  /** Whether the behaviour comes with requests that show it. */
  readonly isComparable?: boolean;
  /** Whether a requirement passes only if its checks could have failed (the default). */
  readonly occasions?: boolean;
  /** Ends each trial at the first violation of this requirement, for runs that only ask whether there is one. */
  readonly until?: string;
  /** Shows the parts of each trial while it runs. */
  readonly steps?: Steps;
  /** The access tokens that all sessions of the run share; the session's own by default. */
  readonly tokens?: SharedTokens;
  /** The resources that accepted probes of all sessions of the run stored; only its own by default. */
  readonly probed?: ProbedIds;
  /** Receives the removable resources that the session creates, and those that it removes. */
  readonly onChange?: (change: Change) => void;
}

const addressesOf = ({ baseUrls }: Target, original: Target): Address[] =>
  Object.entries(baseUrls).map(([service, own]) => ({
    own,
    published: original.baseUrls[service] ?? own,
    ...(original.embedded && { setting: baseUrlName(service) }),
  }));

/** Notes what changes the target by other means than its API. */
const noting = (capabilities: Capabilities, { seeChange }: Recorder): Capabilities => {
  const { arrange, linkAccounts } = capabilities;
  return {
    ...capabilities,
    async arrange(...situation) {
      const ids = await arrange(...situation);
      seeChange(Object.values(ids));
      return ids;
    },
    ...(linkAccounts && {
      async linkAccounts(customer: string) {
        seeChange([customer]);
        await linkAccounts(customer);
      },
    }),
  };
};

export type SessionParts = ReturnType<typeof sessionParts>;

/** Returns what keeps the identifiers that an exchange gives, and those that a run chose. */
const keepingIds =
  ({ target, bindings = {} }: SessionOptions, { keep }: Recorder) =>
  (contract: Contract, operation: Operation, exchange: Exchange): void => {
    for (const { resource, ...id } of idsGivenBy(operation, exchange, bindings))
      keep({ ...id, resource: nameInPaths(contract, resource) }, exchange);
    for (const id of idsChosenBy(contract, target, exchange)) keep(id, exchange);
  };

export const sessionParts = (given: SessionOptions) => {
  const { target, original = target, bindings = {} } = given;
  const recorder = createRecorder(
    createRedactor(target.values, given.contracts),
    addressesOf(target, original),
    (exchange) => idsShownBy(given.contracts, exchange),
  );
  const capabilities = noting(given.capabilities, recorder);
  const options = { ...given, capabilities };
  const client = createClient({
    prefix: options.prefix,
    permissions: target.permissions,
    timeLimitMs: requestTimeout(target) * 1000,
    ...throughGateways(loadGateways(target)),
    ...(options.allowance && { allowance: options.allowance }),
    onExchange: (exchange) => {
      recorder.see(exchange);
      options.onExchange?.(exchange);
    },
  });
  const endurance = createEndurance();
  const identity = {};
  if (options.probed !== undefined) shareProbed(identity, options.probed);
  const isDisposable = capabilities.has("disposable-partner");
  return {
    ...{ options, bindings, recorder, client, endurance, identity },
    clock: createClock(capabilities),
    sending: createSending({
      ...{ client, target, bindings, isDisposable, endurance },
      onChange: options.onChange,
      onExchange: keepingIds(given, recorder),
    }),
    receivers: createReceivers(options),
    tokens: options.tokens ?? createSharedTokens(),
    occasions: createOccasions(options.occasions ?? true),
  };
};
