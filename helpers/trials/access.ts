/** Gets access tokens for the operations that ask for one, and never tries refused credentials again. */
import fc from "fast-check";
import { instancesAt } from "../checks/rules.ts";
import type { Operation } from "../contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";
import type { TrialClock } from "./clock.ts";
import { NotTried, TargetLost } from "./stopped.ts";
import { type CallContext, validCalls } from "./valid-call.ts";

export interface Access {
  /** The token, a new one when there is none yet or the last is older than 90 minutes. */
  token(): Promise<string>;
  /** Header that carries the token. */
  readonly header: string;
  /** The scheme that a token satisfies. */
  readonly scheme: string;
}

export interface AccessOptions extends CallContext {
  readonly clock: TrialClock;
  readonly bindings: Readonly<Record<string, string>>;
  send(operation: Operation, call: Call): Promise<Exchange>;
  /** Is told each token, so that none is ever written. */
  learn(token: string): void;
}

/** @returns `undefined` when the contract has no operation that gives tokens */
export const createAccess = (options: AccessOptions): Access | undefined => {
  const { contract } = options;
  const operation = contract.operations.find(({ token }) => token !== undefined);
  const scheme = contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  if (operation === undefined || scheme === undefined) return undefined;
  let refused: Error | undefined;
  const create = async (): Promise<string> => {
    if (refused !== undefined) throw refused;
    const { calls } = await validCalls(options, operation);
    const [call] = fc.sample(calls, { numRuns: 1, seed: 1 });
    const exchange = await options.send(operation, call as Call);
    const token = tokenIn(exchange, options.bindings[operation.operationId] ?? operation.token ?? "");
    if (token !== undefined) {
      options.learn(token);
      return token;
    }
    if (exchange.failure?.kind === "not-allowed") throw new NotTried(exchange.failure.message);
    // An answer whose token nobody finds is not the target's fault.
    refused = new (isAccepted(exchange) ? NotTried : TargetLost)(complaint(operation, exchange));
    throw refused;
  };
  return { token: kept(create, options.clock), header: scheme.header.toLowerCase(), scheme: scheme.name };
};

/** "A new one is generated when it is older than 90 minutes". */
const RENEW_AFTER_MS = 90 * 60_000;

/** One token for all calls. What `create` throws is thrown, and it is asked again the next time. */
const kept = (create: () => Promise<string>, clock: TrialClock): Access["token"] => {
  let current: { readonly token: Promise<string>; readonly since: number } | undefined;
  return () => {
    if (current !== undefined && clock.now() - current.since <= RENEW_AFTER_MS) return current.token;
    const fresh = { token: create(), since: clock.now() };
    current = fresh;
    fresh.token.catch(() => {
      if (current === fresh) current = undefined;
    });
    return fresh.token;
  };
};

/** The field of the token is not documented: failing the pointer, the one long string of the body serves. */
const tokenIn = (exchange: Exchange, pointer: string): string | undefined => {
  if (!isAccepted(exchange)) return undefined;
  const body = exchange.response?.json;
  const [at] = instancesAt(body, pointer);
  if (typeof at?.value === "string") return at.value;
  const strings = Object.values((body ?? {}) as object).filter(
    (value): value is string => typeof value === "string" && value.length >= SHORTEST_TOKEN,
  );
  return strings.length === 1 ? strings[0] : undefined;
};

const SHORTEST_TOKEN = 8;

const complaint = ({ operationId }: Operation, exchange: Exchange): string => {
  if (exchange.failure !== undefined) return `${operationId} got no answer: ${exchange.failure.message}`;
  if (!isAccepted(exchange)) {
    return `${operationId} answered ${statusOf(exchange)}: check the configured credentials`;
  }
  return `${operationId} shows no token: bind ${operationId} in BINDINGS to where it stands`;
};
