/** Examines one service with a few requests: is it there, does it know its paths, does it accept the credentials? */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { isSendable, tokenAt } from "../../helpers/flows/token.ts";
import type { Gateway } from "../../helpers/gateway/gateway.ts";
import type { Target } from "../../helpers/target/target.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { NotTried, TargetLost } from "../../helpers/trials/stopped.ts";
import { areAlike } from "./answers.ts";
import {
  configuredCall,
  hasDisposableAccount,
  logInOf,
  sampleCall,
  sampleOperation,
  unknownPath,
} from "./calls.ts";
import type { Findings, OtherKey } from "./findings.ts";
import { isGateClosed, keysInQuestion } from "./gate.ts";

/**
 * Sends a call. @param other a key to exchange for one that nobody knows
 * @returns `undefined` when the doctor may send no more requests
 */
export type Ask = (operation: Operation, call: Call, other?: OtherKey) => Promise<Exchange | undefined>;

type Draft = { -readonly [Key in keyof Findings]: Findings[Key] };

interface Examined {
  readonly contract: Contract;
  readonly target: Target;
  readonly gateway: Gateway | undefined;
  /** JSON pointers by operationId (`BINDINGS`). */
  readonly bindings: Readonly<Record<string, string>>;
}

export const examineService = async (examined: Examined, ask: Ask): Promise<Findings> => {
  const { contract, target, gateway, bindings } = examined;
  const all: Exchange[] = [];
  const found: Draft = {
    contract,
    target,
    all,
    hasToken: false,
    isTokenUnsendable: false,
    isSampleValid: false,
    withOtherKeys: {},
  };
  const send: Ask = async (operation, call, other) => {
    if (found.lost !== undefined || all.some(({ failure }) => failure !== undefined)) return undefined;
    try {
      const exchange = await ask(operation, call, other);
      if (exchange !== undefined && other === undefined) all.push(exchange);
      return exchange;
    } catch (error) {
      if (!(error instanceof TargetLost)) throw error;
      found.lost = error.message;
      return undefined;
    }
  };
  const token = await logIn(found, send, bindings);
  const operation = sampleOperation(contract) ?? logInOf(contract);
  if (operation === undefined) return found;
  if (found.logIn !== undefined) set(found, "unknownPath", await send(operation, unknownPath(operation)));
  const { call, isValid } = await sampleCall(contract, operation, target);
  const scheme = contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  const needsToken = scheme !== undefined && operation.security.includes(scheme.name);
  found.isSampleValid = isValid && (!needsToken || token !== undefined);
  if (operation !== logInOf(contract) && !isGateClosed(found)) {
    const headers = { ...call.headers, ...(needsToken && token && { [scheme.header]: token }) };
    set(found, "sample", await send(operation, { ...call, headers }));
  }
  if (found.unknownPath === undefined) {
    set(found, "unknownPath", await send(operation, unknownPath(operation)));
  }
  const asked = keysInQuestion(found, gateway);
  for (const key of asked) {
    const answer = await send(...callForKey(found, key, operation, call), key);
    if (answer !== undefined) found.withOtherKeys = { ...found.withOtherKeys, [key]: answer };
  }
  if (asked.length === 0 && isQuestionable(found)) await compareCredentials(found, send, operation, call);
  return found;
};

/** Returns a call that shows what a server thinks of a key. It contains no credentials of an account. */
const callForKey = (
  { contract, logIn }: Findings,
  key: OtherKey,
  operation: Operation,
  call: Call,
): [Operation, Call] => {
  if (key !== "encryption key") return [operation, unknownPath(operation)];
  const issuer = logInOf(contract);
  if (logIn === undefined || issuer === undefined) return [operation, call];
  return [issuer, { operationId: issuer.operationId, json: {} }];
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
  const shown =
    found.logIn !== undefined && isAccepted(found.logIn)
      ? tokenAt(found.logIn.response?.json, pointer)
      : undefined;
  const token = shown !== undefined && isSendable(shown) ? shown : undefined;
  found.hasToken = token !== undefined;
  found.isTokenUnsendable = shown !== token;
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
 * Sends the call without credentials or, if the answer is another or a log-in was refused, with an unknown key, which
 * shows whether the key is known. The call names no account, so that none is locked.
 */
const compareCredentials = async (
  found: Draft,
  send: Ask,
  operation: Operation,
  call: Call,
): Promise<void> => {
  const schemes = found.contract.securitySchemes.filter(({ name }) => operation.security.includes(name));
  const withKeys = (keyFor: (configured: string) => string | null) => ({
    ...call,
    headers: {
      ...call.headers,
      ...Object.fromEntries(
        schemes.flatMap(({ header, configuration }) =>
          configuration === undefined
            ? []
            : [[header.toLowerCase(), keyFor(found.target.values[configuration] ?? "")]],
        ),
      ),
    },
  });
  if (found.logIn === undefined) {
    const anonymous = await send(
      operation,
      withKeys(() => null),
    );
    set(found, "anonymous", anonymous);
    if (anonymous === undefined || found.sample === undefined || areAlike([anonymous, found.sample])) return;
  }
  set(found, "stranger", await send(operation, withKeys(unknownKey)));
};

/** Returns a key that nobody has, with the scheme of the configured one (RFC 9110, 11.4). */
const unknownKey = (configured: string): string => {
  const [scheme, key] = configured.split(" ");
  return key === undefined ? STRANGER : `${scheme} ${STRANGER}`;
};

const STRANGER = "unknown-0000000000";

const set = <Key extends "logIn" | "disposableLogIn" | "sample" | "anonymous" | "stranger" | "unknownPath">(
  found: Draft,
  key: Key,
  exchange: Exchange | undefined,
): void => {
  if (exchange !== undefined) found[key] = exchange;
};
