/** Gets access tokens for the operations that require one. Refused credentials are never sent again. */
import fc from "fast-check";
import type { Operation, Service } from "../contract/contract.ts";
import { isSame } from "../contract/json.ts";
import { segmentsOf } from "../contract/pointer.ts";
import { serviceDescriptor } from "../contract/services.ts";
import { type Exchange, isAccepted, isUnanswered, statusOf } from "../exchange/exchange.ts";
import { refusedBefore } from "../exchange/refused-before.ts";
import { isSendable, tokenAt } from "../flows/token.ts";
import { because, type Reason } from "../reasons/reason.ts";
import type { Call } from "./call.ts";
import { grantAgain, grantCalls, grantOperation } from "./grant.ts";
import type { GivenToken, IssuedToken, SharedTokens } from "./shared-tokens.ts";
import { NotArranged, NotTried, TargetLost } from "./stopped.ts";
import type { TrialContext } from "./trial.ts";
import { validCalls } from "./valid-call.ts";

export interface Access {
  /**
   * Sends a request with the current token; gets a new one when there is none or its lifetime is over. If the server
   * refuses a token that is no longer the newest one of the run, it gets the newest.
   */
  withToken(send: (token: string) => Promise<Exchange>): Promise<Exchange>;
  /**
   * Sends a call of a trial. If the call logs in, other log-ins wait, and its token replaces the older one if it has the
   * same credentials, because a new token may end the older one.
   */
  whileLoggingIn(operation: Operation, call: Call, send: () => Promise<Exchange>): Promise<Exchange>;
  /** The header for the token. */
  readonly header: string;
  /** The name of the security scheme of the token. */
  readonly scheme: string;
}

export interface AccessOptions
  extends Pick<TrialContext, "contract" | "validator" | "arrange" | "tag" | "target" | "clock" | "bindings"> {
  send(operation: Operation, call: Call): Promise<Exchange>;
  readonly tokens: SharedTokens;
  /** Registers each token as a secret, so that it is never written. @param field its field in the response */
  learn(token: string, exchange: Pick<Exchange, "request">, field: string): void;
}

/** @returns `undefined` when no operation of the contract issues tokens */
export const createAccess = (options: AccessOptions): Access | undefined => {
  const { contract, tokens, clock } = options;
  const { service } = contract;
  const scheme = contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  if (scheme === undefined) return undefined;
  const operation = contract.operations.find(({ token }) => token !== undefined) ?? grantOperation(contract);
  if (operation === undefined) return undefined;
  const [{ prefix = "" }, lifetimeMs] = [scheme, lifetimeOf(service)];
  const isFresh = ({ since }: Current): boolean => clock.now() - since <= lifetimeMs;
  const pointer = options.bindings[operation.operationId] ?? operation.token ?? "";
  const logIn = loggingIn(options, operation, pointer);
  const ownCall = async (): Promise<Call> => {
    const [first] = scheme.grant === undefined ? [] : grantCalls(contract, options.target);
    if (first !== undefined) return first;
    const { calls } = await validCalls(options, operation);
    return fc.sample(calls, { numRuns: 1, seed: 1 })[0] as Call;
  };
  const taken = ({ token, request, ageMs }: IssuedToken): Current => {
    options.learn(token, { request }, fieldOf(pointer));
    return { token, since: clock.now() - ageMs };
  };
  const create = async (old: string | undefined): Promise<Current> => {
    const call = await ownCall();
    const issued = await tokens.hold(service);
    let made: GivenToken | undefined;
    try {
      const known = issued && issued.token !== old ? taken(issued) : undefined;
      if (known !== undefined && isFresh(known)) return known;
      made = await logIn(call);
      return { token: made.token, since: clock.now() };
    } finally {
      tokens.release(service, made);
    }
  };
  const { token, replace, renew } = kept(create, isFresh);
  /** Whether a new token was refused like the one before it. */
  let isRefused = false;
  return {
    async withToken(send) {
      const used = await token();
      const exchange = await send(prefix + used);
      if (statusOf(exchange) !== 401) return exchange;
      const issued = await tokens.hold(service);
      tokens.release(service);
      if (issued !== undefined && issued.token !== used) return send(prefix + replace(taken(issued)).token);
      // A token is valid for as long as the service states. One of a service that states nothing may have ended.
      if (lifetimeMs !== UNKNOWN || isRefused) return exchange;
      const again = await send(prefix + (await renew(used)));
      isRefused = statusOf(again) === 401;
      return again;
    },
    async whileLoggingIn({ operationId }, { json }, send) {
      if (operationId !== operation.operationId) return await send();
      const own = await ownCall().catch(unlessStopped);
      await tokens.hold(service);
      let newer: GivenToken | undefined;
      try {
        const exchange = await send();
        const given = own !== undefined && isSame(json, own.json) ? tokenIn(exchange, pointer) : undefined;
        if (given !== undefined && isSendable(given)) {
          newer = { token: given, request: exchange.request };
          replace({ token: given, since: clock.now() });
        }
        return exchange;
      } finally {
        tokens.release(service, newer);
      }
    },
    header: scheme.header.toLowerCase(),
    scheme: scheme.name,
  };
};

/** Returns a function that logs in. */
const loggingIn = (
  options: AccessOptions,
  operation: Operation,
  pointer: string,
): ((call: Call) => Promise<GivenToken>) => {
  let refused: Error | undefined;
  let unanswered = 0;
  return async (call) => {
    if (refused !== undefined) throw refused;
    const exchange = await asking(options, operation, call);
    const token = tokenIn(exchange, pointer);
    if (token !== undefined && isSendable(token)) {
      options.learn(token, exchange, fieldOf(pointer));
      return { token, request: exchange.request };
    }
    if (token !== undefined) {
      refused = new TargetLost("log-in-failed", "no header can contain the token");
      throw refused;
    }
    if (exchange.failure?.reason !== undefined) throw new NotTried(exchange.failure.reason);
    unanswered = isUnanswered(exchange) ? unanswered + 1 : 0;
    // The next call may be answered, but many log-ins could lock the account.
    if (unanswered > 0 && unanswered < UNANSWERED_MOST) throw new TargetLost(complaint(operation, exchange));
    // If a successful response has no token that we recognise, the target is not at fault.
    refused = new (isAccepted(exchange) ? NotArranged : TargetLost)(complaint(operation, exchange));
    throw refused;
  };
};

/** Sends the log-in, or the requests of client credentials until one is not refused. */
const asking = async (options: AccessOptions, operation: Operation, call: Call): Promise<Exchange> => {
  const exchange = await options.send(operation, call);
  const other = grantAgain(options.contract, options.target, exchange);
  return other === undefined ? exchange : options.send(operation, other);
};

/** The consecutive log-ins without an answer after which the run does not log in any more. */
const UNANSWERED_MOST = 3;

/** Longer than any run: the token is renewed when it is refused. */
const UNKNOWN = Number.MAX_VALUE;

const lifetimeOf = (service: Service): number => {
  const { tokenLifetime } = serviceDescriptor(service);
  return tokenLifetime === undefined ? UNKNOWN : tokenLifetime * 1000;
};

/** A token, and when it was issued, by the clock of the trials. */
interface Current {
  readonly token: string;
  readonly since: number;
}

/** Shares one token among all calls. If `create` throws, this throws the error, and the next call tries again. */
const kept = (
  create: (old: string | undefined) => Promise<Current>,
  isFresh: (token: Current) => boolean,
) => {
  let current: Current | undefined;
  let making: Promise<Current> | undefined;
  const replace = (newer: Current): Current => {
    current = newer;
    return newer;
  };
  const token = async (): Promise<string> => {
    if (current !== undefined && isFresh(current)) return current.token;
    making ??= create(current?.token)
      .then(replace)
      .finally(() => {
        making = undefined;
      });
    return (await making).token;
  };
  /** Replaces a refused token, unless that has been done. */
  const renew = (refused: string): Promise<string> => {
    if (current?.token === refused) current = { token: refused, since: Number.NEGATIVE_INFINITY };
    return token();
  };
  return { token, replace, renew };
};

/** Without the configured credentials, no call of a trial has them. */
const unlessStopped = (error: unknown): undefined => {
  if (!(error instanceof NotTried || error instanceof TargetLost)) throw error;
};

const fieldOf = (pointer: string): string => segmentsOf(pointer).at(-1) ?? "";

const tokenIn = (exchange: Exchange, pointer: string): string | undefined =>
  isAccepted(exchange) ? tokenAt(exchange.response?.json, pointer) : undefined;

const complaint = ({ operationId }: Operation, exchange: Exchange): Reason => {
  if (exchange.failure !== undefined)
    return because("unanswered", `${operationId} got no answer: ${exchange.failure.message}`);
  if (!isAccepted(exchange)) {
    const advice = refusedBefore(exchange) ?? "check the configured credentials";
    return because("log-in-failed", `${operationId} answered ${statusOf(exchange)}: ${advice}`);
  }
  return because("name-left-open", operationId, "token");
};
