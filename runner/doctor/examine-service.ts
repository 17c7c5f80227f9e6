/** Examines one service with a few requests: is it there, does it know its paths, does it accept the credentials? */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { tokenAt } from "../../helpers/flows/token.ts";
import type { Target } from "../../helpers/target/target.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import {
  configuredCall,
  hasDisposableAccount,
  logInOf,
  sampleCall,
  sampleOperation,
  unknownPath,
} from "./calls.ts";

/** Sends a call. @returns `undefined` when the doctor may send no more requests */
export type Ask = (operation: Operation, call: Call) => Promise<Exchange | undefined>;

/** What the doctor did with a service, for a diagnosis. Absent exchanges were not sent. */
export interface Findings {
  readonly contract: Contract;
  readonly target: Target;
  /** In the order in which they were sent. */
  readonly all: readonly Exchange[];
  readonly logIn?: Exchange;
  /** The settings without which no log-in was tried. */
  readonly logInNeeds?: string;
  readonly hasToken: boolean;
  readonly disposableLogIn?: Exchange;
  readonly sample?: Exchange;
  /** Whether the call should be accepted, because its body follows the contract and has a token if it needs one. */
  readonly isSampleValid: boolean;
  /** The same call without credentials, or with an unknown key. */
  readonly anonymous?: Exchange;
  readonly stranger?: Exchange;
  readonly unknownPath?: Exchange;
}

type Draft = { -readonly [Key in keyof Findings]: Findings[Key] };

/** @param bindings JSON pointers by operationId (`BINDINGS`) */
export const examineService = async (
  contract: Contract,
  target: Target,
  ask: Ask,
  bindings: Readonly<Record<string, string>>,
): Promise<Findings> => {
  const all: Exchange[] = [];
  const found: Draft = { contract, target, all, hasToken: false, isSampleValid: false };
  const send = async (operation: Operation, call: Call): Promise<Exchange | undefined> => {
    if (all.some(({ failure }) => failure !== undefined)) return undefined;
    const exchange = await ask(operation, call);
    if (exchange !== undefined) all.push(exchange);
    return exchange;
  };
  const token = await logIn(found, send, bindings);
  const operation = sampleOperation(contract) ?? logInOf(contract);
  if (operation === undefined) return found;
  const { call, isValid } = await sampleCall(contract, operation, target);
  const scheme = contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  const needsToken = scheme !== undefined && operation.security.includes(scheme.name);
  found.isSampleValid = isValid && (!needsToken || token !== undefined);
  if (operation !== logInOf(contract)) {
    const headers = { ...call.headers, ...(needsToken && token && { [scheme.header]: token }) };
    set(found, "sample", await send(operation, { ...call, headers }));
  }
  set(found, "unknownPath", await send(operation, unknownPath(operation)));
  if (isQuestionable(found)) await compareCredentials(found, send, operation, call);
  return found;
};

/** Logs in once, and once to the account that tests may lock. @returns the token */
const logIn = async (
  found: Draft,
  send: Ask,
  bindings: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const { contract, target } = found;
  const operation = logInOf(contract);
  if (operation === undefined) return undefined;
  try {
    set(found, "logIn", await send(operation, await configuredCall(contract, operation, target)));
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    found.logInNeeds = error.message;
  }
  const pointer = bindings[operation.operationId] ?? operation.token ?? "";
  const token =
    found.logIn !== undefined && isAccepted(found.logIn)
      ? tokenAt(found.logIn.response?.json, pointer)
      : undefined;
  found.hasToken = token !== undefined;
  if (token !== undefined && hasDisposableAccount(contract, target)) {
    const call = await configuredCall(contract, operation, target, "disposable").catch(() => undefined);
    if (call !== undefined) set(found, "disposableLogIn", await send(operation, call));
  }
  return token;
};

/** Whether credentials seem to be refused, so that other ones show which. */
const isQuestionable = ({ logIn, sample, hasToken }: Findings): boolean => {
  const refused = [401, 403];
  if (logIn !== undefined) return !hasToken && refused.includes(statusOf(logIn));
  return sample !== undefined && refused.includes(statusOf(sample));
};

/**
 * Sends the call without credentials or, where a log-in was refused, with another key, which shows whether the key is
 * known. The call names no account, so that none is locked.
 */
const compareCredentials = async (
  found: Draft,
  send: Ask,
  operation: Operation,
  call: Call,
): Promise<void> => {
  const schemes = found.contract.securitySchemes.filter(({ name }) => operation.security.includes(name));
  const withKeys = (value: string | null) => ({
    ...call,
    headers: {
      ...call.headers,
      ...Object.fromEntries(
        schemes.flatMap(({ header, configuration }) =>
          configuration === undefined ? [] : [[header.toLowerCase(), value]],
        ),
      ),
    },
  });
  if (found.logIn === undefined) set(found, "anonymous", await send(operation, withKeys(null)));
  else set(found, "stranger", await send(operation, withKeys(STRANGER)));
};

const STRANGER = "unknown-0000000000";

const set = <Key extends "logIn" | "disposableLogIn" | "sample" | "anonymous" | "stranger" | "unknownPath">(
  found: Draft,
  key: Key,
  exchange: Exchange | undefined,
): void => {
  if (exchange !== undefined) found[key] = exchange;
};
