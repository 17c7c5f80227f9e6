/** Sends the calls of a session with the required credentials, and reports the resources that they create. */
import type { Contract, Operation } from "../contract/contract.ts";
import type { Client } from "../exchange/client.ts";
import type { ClientRequest } from "../exchange/draft.ts";
import { type Exchange, isUnanswered } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import type { Access } from "./access.ts";
import type { Call } from "./call.ts";
import { type Change, intentOf, lasts } from "./created-resources.ts";
import { schemesFor } from "./credentials.ts";
import { type Endurance, waitOutInterruptions } from "./endurance.ts";
import { createOwnership } from "./hazards.ts";
import { requestOf } from "./request.ts";
import { accountAtRisk } from "./sources.ts";
import { TargetLost } from "./stopped.ts";

/** A contract with access to its tokens. */
export interface Sender {
  readonly contract: Contract;
  access(): Access | undefined;
}

/** All calls wait out interruptions, unless the call says otherwise. */
export interface Sending {
  /** @throws TargetLost after `end`, and when the target interrupts too often */
  send(sender: Sender, operation: Operation, call: Call): Promise<Exchange>;
  /** Sends a log-in call, without a token. @throws TargetLost when the target interrupts too often */
  logIn(contract: Contract, operation: Operation, call: Call): Promise<Exchange>;
  /** Stops sending, and waits for responses to calls that may create resources. */
  end(): Promise<void>;
}

/** Returns the harm that a call may do: an invalid one, if it is accepted, or a log-in, if it is refused. */
const riskOf = (
  contract: Contract,
  operation: Operation,
  target: Target,
  call: Call,
  isDisposable: boolean,
): ClientRequest["risk"] => {
  const account = isDisposable ? undefined : accountAtRisk(contract, operation, target, call);
  if (account !== undefined) return { account };
  const { nearMiss: level } = call;
  return level && lasts(contract, operation, target) ? { lasting: operation.operationId, level } : undefined;
};

/** A server may close an idle connection while a log-in is on its way, and a log-in is not repeated. */
const NEW = { connection: "new" } as const;

export const createSending = ({
  client,
  target,
  bindings,
  isDisposable,
  endurance,
  onChange,
  onExchange = () => undefined,
}: {
  readonly client: Client;
  readonly target: Target;
  readonly bindings: Readonly<Record<string, string>>;
  /** Whether tests may lock any partner of the target. */
  readonly isDisposable: boolean;
  readonly endurance: Endurance;
  readonly onChange: ((change: Change) => void) | undefined;
  readonly onExchange?: (contract: Contract, operation: Operation, exchange: Exchange) => void;
}): Sending => {
  const making = new Set<Promise<unknown>>();
  const ownership = createOwnership(target, bindings);
  const repeat = createRepeater();
  const transmit = namingLastCall(client);
  let ended = false;

  const request = (contract: Contract, operation: Operation, call: Call) => {
    const risk = riskOf(contract, operation, target, call, isDisposable);
    return { ...requestOf(contract, operation, target, call), ...(risk && { risk }) };
  };

  const deliver = async (
    sender: Sender,
    operation: Operation,
    call: Call,
    ready: ClientRequest,
  ): Promise<Exchange> => {
    if (ended) throw new TargetLost("run-ended");
    endurance.beforeCall(call);
    const intent = intentOf(sender.contract, operation, call);
    if (intent !== undefined) onChange?.({ intended: intent });
    const send = () => transmit(ready);
    const noted = (sender.access()?.whileLoggingIn(operation, call, send) ?? send()).then((exchange) => {
      endurance.afterCall(call, exchange);
      onExchange(sender.contract, operation, exchange);
      for (const change of ownership.note(sender.contract, operation, call, exchange, intent))
        onChange?.(change);
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

  const sendOnce = async (sender: Sender, stated: Operation, call: Call): Promise<Exchange> => {
    const look = (operation: Operation, read: Call) => sendOnce(sender, operation, read);
    const operation = await ownership.judged(sender.contract, stated, call, look);
    const ready = request(sender.contract, operation, call);
    const send = (headers: typeof ready.headers) =>
      repeat({ ...ready, headers }, call, (one) => deliver(sender, operation, call, one));
    const access = sender.access();
    const needsToken =
      access !== undefined &&
      schemesFor(sender.contract, operation, target).some(({ name }) => name === access.scheme);
    if (!needsToken || access.header in ready.headers) return send(ready.headers);
    return access.withToken((token) => send({ [access.header]: token, ...ready.headers }));
  };

  const logInOnce = async (contract: Contract, operation: Operation, call: Call): Promise<Exchange> => {
    endurance.beforeCall(call);
    const exchange = await transmit({ ...request(contract, operation, call), ...NEW });
    endurance.afterCall(call, exchange);
    return exchange;
  };

  return {
    send: (sender, operation, call) =>
      waitOutInterruptions(operation, call, () => sendOnce(sender, operation, call), endurance),
    logIn: (contract, operation, call) =>
      waitOutInterruptions(operation, call, () => logInOnce(contract, operation, call), endurance),
    async end() {
      ended = true;
      await Promise.allSettled(making);
    },
  };
};

/** Returns how requests are sent. A failure of a target that goes away names the last call that reached it. */
const namingLastCall = (client: Client): Client["send"] => {
  let last: string | undefined;
  return async (request) => {
    const exchange = await client.send(request);
    const { failure } = exchange;
    if (failure === undefined || isUnanswered(exchange))
      last = `${request.method} ${new URL(request.url).pathname} (${request.operationId})`;
    // A call that is sent again meets a target that went away as a refused connection.
    const isLast = failure?.kind === "connection-lost" && !isHarmless(request);
    if (last === undefined || !(isLast || failure?.kind === "connection-refused")) return exchange;
    return {
      ...exchange,
      failure: { ...failure, message: `after the last call, ${last}, ${failure.message}` },
    };
  };
};

/** Sends a request without an answer once more, and an idempotent one whose connection was lost twice again. */
const createRepeater = () => {
  let lost = 0;
  let late = 0;
  let kept = false;
  return async (
    request: ClientRequest,
    call: Call,
    send: (request: ClientRequest) => Promise<Exchange>,
  ): Promise<Exchange> => {
    const connection = connectionOf(request, lost);
    const exchange = await send(connection === undefined ? request : { ...request, connection });
    const wasKept = kept && connection === "recent";
    kept ||= connection === "recent";
    if (isLost(exchange)) lost += 1;
    if (exchange.failure?.kind === "timeout") late += 1;
    // A server that hangs is not worth a second wait for each request.
    if (late > LATE_MOST) return exchange;
    // A server may close a connection at any time, even while a request is on its way (RFC 9112, 9.5).
    if (!mayRepeat(exchange, request, call))
      return wasKept && isLost(exchange) ? { ...exchange, wasKept } : exchange;
    const second = await send({ ...request, connection: "new" });
    if (!isLost(exchange)) return second;
    const isLast = !isLost(second) || !IDEMPOTENT.has(request.method);
    return { ...(isLast ? second : await send({ ...request, connection: "new" })), afterLoss: true };
  };
};

const isLost = ({ failure }: Exchange): boolean => failure?.kind === "connection-lost";

/** RFC 9110, 9.2.2. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

/** A server may close an idle connection at any time, and a request that may do harm is not repeated. */
const connectionOf = (request: ClientRequest, lost: number): ClientRequest["connection"] => {
  if (isHarmless(request)) return lost >= LOST_MOST ? "new" : undefined;
  return lost > 0 ? "new" : "recent";
};

/** The number of lost connections after which each request gets a new one. */
const LOST_MOST = 3;

/** The number of requests without an answer in time that are sent again. */
const LATE_MOST = 2;

/** Whether a second request costs nothing, destroys nothing and locks nothing. */
const isHarmless = ({ risk, hazards = [] }: ClientRequest): boolean =>
  (risk === undefined || !("account" in risk)) && hazards.length === 0;

/** Whether to send a request without an answer again. */
const mayRepeat = (exchange: Exchange, request: ClientRequest, { abandon, unanswered }: Call): boolean =>
  isUnanswered(exchange) && abandon === undefined && unanswered === undefined && isHarmless(request);
