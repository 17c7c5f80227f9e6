/** Sends the calls of a session with the required credentials, and reports the resources that they create. */
import type { Contract, Operation } from "../contract/contract.ts";
import type { Client } from "../exchange/client.ts";
import type { ClientRequest } from "../exchange/draft.ts";
import { type Exchange, isUnanswered } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import type { Access } from "./access.ts";
import type { Call } from "./call.ts";
import { type Change, changesBy, intentOf, isSettled } from "./created-resources.ts";
import { requestOf } from "./request.ts";
import { accountAtRisk } from "./sources.ts";
import { TargetLost } from "./stopped.ts";

export interface SendingOptions {
  readonly client: Client;
  readonly target: Target;
  readonly bindings: Readonly<Record<string, string>>;
  /** Whether tests may lock any partner of the target. */
  readonly isDisposable: boolean;
  readonly onChange: ((change: Change) => void) | undefined;
}

/** A contract with access to its tokens. */
export interface Sender {
  readonly contract: Contract;
  access(): Access | undefined;
}

export interface Sending {
  /** @throws TargetLost after `end` */
  send(sender: Sender, operation: Operation, call: Call): Promise<Exchange>;
  /** Sends a log-in call, without a token. */
  logIn(contract: Contract, operation: Operation, call: Call): Promise<Exchange>;
  /** Stops sending, and waits for responses to calls that may create resources. */
  end(): Promise<void>;
}

export const createSending = ({
  client,
  target,
  bindings,
  isDisposable,
  onChange,
}: SendingOptions): Sending => {
  const making = new Set<Promise<unknown>>();
  const kept = Object.values(target.values);
  let ended = false;
  let lost = 0;
  let late = 0;

  const request = (contract: Contract, operation: Operation, call: Call) => {
    const account = isDisposable ? undefined : accountAtRisk(contract, operation, target, call);
    return { ...requestOf(contract, operation, target, call), ...(account !== undefined && { account }) };
  };

  const authenticated = async ({ contract, access }: Sender, operation: Operation, call: Call) => {
    const ready = request(contract, operation, call);
    const known = access();
    if (known === undefined || !operation.security.includes(known.scheme) || known.header in ready.headers) {
      return ready;
    }
    return { ...ready, headers: { [known.header]: await known.token(), ...ready.headers } };
  };

  const deliver = async (
    sender: Sender,
    operation: Operation,
    call: Call,
    ready: ClientRequest,
  ): Promise<Exchange> => {
    if (ended) throw new TargetLost("the run was ended");
    const intent = intentOf(sender.contract, operation, call);
    if (intent !== undefined) onChange?.({ intended: intent });
    const noted = client.send(ready).then((exchange) => {
      sender.access()?.adopt(operation, call, exchange);
      const changes = changesBy(sender.contract, operation, call, exchange, bindings);
      for (const change of changes) {
        // The run did not create the resources that the user configured, even if a response names them.
        if (!("made" in change && kept.includes(change.made.id))) onChange?.(change);
      }
      if (intent !== undefined && isSettled(exchange, changes)) onChange?.({ settled: intent.id });
      return exchange;
    });
    if (intent === undefined) return noted;
    making.add(noted);
    try {
      return await noted;
    } finally {
      making.delete(noted);
    }
  };

  return {
    async send(sender, operation, call) {
      const ready = await authenticated(sender, operation, call);
      const needsNew = lost >= LOST_MOST || (lost > 0 && !isHarmless(ready));
      const exchange = await deliver(sender, operation, call, { ...ready, ...(needsNew && FRESH) });
      if (exchange.failure?.kind === "connection-lost") lost += 1;
      if (exchange.failure?.kind === "timeout") late += 1;
      // A server that hangs is not worth a second wait for each request.
      if (late > LATE_MOST) return exchange;
      // A server may close a connection at any time, even while a request is on its way (RFC 9112, 9.5).
      return mayRepeat(exchange, ready, call)
        ? deliver(sender, operation, call, { ...ready, ...FRESH })
        : exchange;
    },
    logIn: (contract, operation, call) => client.send(request(contract, operation, call)),
    async end() {
      ended = true;
      await Promise.allSettled(making);
    },
  };
};

const FRESH = { fresh: true } as const;

/** The number of lost connections after which each request gets a new one. */
const LOST_MOST = 3;

/** The number of requests without an answer in time that are sent again. */
const LATE_MOST = 2;

/** Whether a second request costs nothing, destroys nothing and locks nothing. */
const isHarmless = ({ account, hazards = [] }: ClientRequest): boolean =>
  account === undefined && hazards.length === 0;

/** Whether to send a request without an answer again. */
const mayRepeat = (exchange: Exchange, request: ClientRequest, { abandon, unanswered }: Call): boolean =>
  isUnanswered(exchange) && abandon === undefined && unanswered === undefined && isHarmless(request);
