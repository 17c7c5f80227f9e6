/** Gets access tokens for the operations that require one. Refused credentials are never sent again. */
import fc from "fast-check";
import type { Operation } from "../contract/contract.ts";
import { isSame } from "../contract/json.ts";
import { segmentsOf } from "../contract/pointer.ts";
import { type Exchange, isAccepted, isUnanswered, statusOf } from "../exchange/exchange.ts";
import { refusedBefore } from "../exchange/refused-before.ts";
import { isSendable, tokenAt } from "../flows/token.ts";
import type { Call } from "./call.ts";
import type { TrialClock } from "./clock.ts";
import { NotTried, TargetLost } from "./stopped.ts";
import { type CallContext, validCalls } from "./valid-call.ts";

export interface Access {
  /** Returns the current token; gets a new one when there is none or it is older than 90 minutes. */
  token(): Promise<string>;
  /** Uses the token of a trial that sent the same credentials, because a new token may end the older one. */
  adopt(operation: Operation, call: Call, exchange: Exchange): void;
  /** The header for the token. */
  readonly header: string;
  /** The name of the security scheme of the token. */
  readonly scheme: string;
}

export interface AccessOptions extends CallContext {
  readonly clock: TrialClock;
  readonly bindings: Readonly<Record<string, string>>;
  send(operation: Operation, call: Call): Promise<Exchange>;
  /** Registers each token as a secret, so that it is never written. @param field its field in the response */
  learn(token: string, exchange: Exchange, field: string): void;
}

/** @returns `undefined` when no operation of the contract issues tokens */
export const createAccess = (options: AccessOptions): Access | undefined => {
  const { contract } = options;
  const operation = contract.operations.find(({ token }) => token !== undefined);
  const scheme = contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  if (operation === undefined || scheme === undefined) return undefined;
  let refused: Error | undefined;
  let unanswered = 0;
  let credentials: unknown;
  const pointer = options.bindings[operation.operationId] ?? operation.token ?? "";
  const create = async (): Promise<string> => {
    if (refused !== undefined) throw refused;
    const { calls } = await validCalls(options, operation);
    const [call] = fc.sample(calls, { numRuns: 1, seed: 1 });
    credentials = call?.json;
    const exchange = await options.send(operation, call as Call);
    const token = tokenIn(exchange, pointer);
    if (token !== undefined && isSendable(token)) {
      options.learn(token, exchange, segmentsOf(pointer).at(-1) ?? "");
      return token;
    }
    if (token !== undefined) {
      refused = new TargetLost(`${operation.operationId} gives a token that no header can contain`);
      throw refused;
    }
    if (exchange.failure?.kind === "not-allowed") throw new NotTried(exchange.failure.message);
    unanswered = isUnanswered(exchange) ? unanswered + 1 : 0;
    // The next call may be answered, but many log-ins could lock the account.
    if (unanswered > 0 && unanswered < UNANSWERED_MOST) throw new TargetLost(complaint(operation, exchange));
    // If a successful response has no token that we recognise, the target is not at fault.
    refused = new (isAccepted(exchange) ? NotTried : TargetLost)(complaint(operation, exchange));
    throw refused;
  };
  const { token, replace } = kept(create, options.clock);
  return {
    token,
    adopt: ({ operationId }, { json }, exchange) => {
      if (operationId !== operation.operationId || !isSame(json, credentials)) return;
      const newer = tokenIn(exchange, pointer);
      if (newer !== undefined && isSendable(newer)) replace(newer);
    },
    header: scheme.header.toLowerCase(),
    scheme: scheme.name,
  };
};

/** The consecutive log-ins without an answer after which the run does not log in any more. */
const UNANSWERED_MOST = 3;

/** "A new one is generated when it is older than 90 minutes". */
const RENEW_AFTER_MS = 90 * 60_000;

/** Shares one token among all calls. If `create` throws, this throws the error, and the next call tries again. */
const kept = (create: () => Promise<string>, clock: TrialClock) => {
  let current: { readonly token: Promise<string>; readonly since: number } | undefined;
  const token = (): Promise<string> => {
    if (current !== undefined && clock.now() - current.since <= RENEW_AFTER_MS) return current.token;
    const fresh = { token: create(), since: clock.now() };
    current = fresh;
    fresh.token.catch(() => {
      if (current === fresh) current = undefined;
    });
    return fresh.token;
  };
  const replace = (newer: string): void => {
    current = { token: Promise.resolve(newer), since: clock.now() };
  };
  return { token, replace };
};

const tokenIn = (exchange: Exchange, pointer: string): string | undefined =>
  isAccepted(exchange) ? tokenAt(exchange.response?.json, pointer) : undefined;

const complaint = ({ operationId }: Operation, exchange: Exchange): string => {
  if (exchange.failure !== undefined) return `${operationId} got no answer: ${exchange.failure.message}`;
  if (!isAccepted(exchange)) {
    const advice = refusedBefore(exchange) ?? "check the configured credentials";
    return `${operationId} answered ${statusOf(exchange)}: ${advice}`;
  }
  return `${operationId} shows no token: bind ${operationId} in BINDINGS to the JSON pointer of the token`;
};
