/** Examines one service with a few requests: is it there, does it know its paths, does it accept the credentials? */
import type { Operation } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { isSendable, tokenAt } from "../../helpers/flows/token.ts";
import type { Gateway } from "../../helpers/gateway/gateway.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { schemesFor } from "../../helpers/trials/credentials.ts";
import { grantAgain } from "../../helpers/trials/grant.ts";
import { NotTried, TargetLost } from "../../helpers/trials/stopped.ts";
import { areAlike, isClientError, isRefusal } from "./answers.ts";
import {
  configuredCall,
  disposableSources,
  logInOf,
  needsValues,
  sampleCall,
  sampleOperations,
  unknownPath,
} from "./calls.ts";
import type { Findings, OtherKey, Question } from "./findings.ts";
import { isGateClosed, keysInQuestion } from "./gate.ts";

/**
 * Sends a call. @param other a key to exchange for one that nobody knows
 * @returns `undefined` when the doctor may send no more requests
 */
export type Ask = (operation: Operation, call: Call, other?: OtherKey) => Promise<Exchange | undefined>;

type Send = (question: Question, operation: Operation, call: Call, other?: OtherKey) => Promise<void>;

type Draft = { -readonly [Key in keyof Findings]: Findings[Key] };

/** @param bindings JSON pointers by operationId (`BINDINGS`) */
export const examineService = async (
  { contract, target, quote }: Pick<Findings, "contract" | "target" | "quote">,
  gateway: Gateway | undefined,
  bindings: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<Findings> => {
  const all: Exchange[] = [];
  const answers: Partial<Record<Question, Exchange>> = {};
  const found: Draft = {
    ...{ contract, target, all, answers, quote },
    ...{ hasToken: false, isTokenUnsendable: false, isSampleValid: false },
  };
  const send: Send = async (question, operation, call, other) => {
    if (found.lost !== undefined || all.some(({ failure }) => failure !== undefined)) return;
    try {
      const exchange = await ask(operation, call, other);
      if (exchange === undefined) return;
      answers[question] = exchange;
      if (other === undefined && !isOfMadeValues(question, operation, exchange)) all.push(exchange);
    } catch (error) {
      if (!(error instanceof TargetLost)) throw error;
      found.lost = error.message;
    }
  };
  const token = await logIn(found, send, bindings);
  const [harmless, ...others] = sampleOperations(contract);
  const operation = harmless ?? logInOf(contract) ?? contract.operations.find(({ outbound }) => !outbound);
  if (operation === undefined) return found;
  found.operation = operation;
  if (answers.logIn !== undefined) await send("unknownPath", operation, unknownPath(operation));
  const { call, isValid } = await sampleCall(contract, operation, target);
  const scheme = schemesFor(contract, operation, target).find(
    ({ configuration }) => configuration === undefined,
  );
  const needsToken = scheme !== undefined;
  found.isSampleValid = isValid && (!needsToken || token !== undefined);
  if (harmless !== undefined && !isGateClosed(found)) {
    const { header = "", prefix = "" } = scheme ?? {};
    const headers = { ...call.headers, ...(needsToken && token && { [header]: prefix + token }) };
    await send("sample", operation, { ...call, headers });
  }
  if (answers.unknownPath === undefined) await send("unknownPath", operation, unknownPath(operation));
  // If the server knows neither the made values nor the other path, a call without values shows whether it knows any path.
  const next = others.find((one) => !needsValues(one));
  if (next !== undefined && answers.sample !== undefined && all.every((one) => one === answers.unknownPath))
    await send("otherSample", next, (await sampleCall(contract, next, target)).call);
  const keys = keysInQuestion(found, gateway);
  for (const key of keys) await send(key, ...callForKey(found, key, operation, call), key);
  if (keys.length === 0 && isQuestionable(found)) await compareCredentials(found, send, operation, call);
  return found;
};

/** Whether an answer refuses values that the doctor made: this shows nothing about the address. */
const isOfMadeValues = (question: Question, operation: Operation, exchange: Exchange): boolean =>
  question === "sample" && needsValues(operation) && isClientError(exchange) && !isRefusal(exchange);

/** Returns a call that shows what a server thinks of a key. It contains no credentials of an account. */
const callForKey = (
  { contract, answers }: Findings,
  key: OtherKey,
  operation: Operation,
  call: Call,
): [Operation, Call] => {
  if (key !== "encryption key") return [operation, unknownPath(operation)];
  const issuer = logInOf(contract);
  if (answers.logIn === undefined || issuer === undefined) return [operation, call];
  return [issuer, { operationId: issuer.operationId, json: {} }];
};

/** Logs in once, and once to the account that tests may lock. @returns the token */
const logIn = async (
  found: Draft,
  send: Send,
  bindings: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const { contract, target, answers } = found;
  const operation = logInOf(contract);
  if (operation === undefined) return undefined;
  try {
    await send("logIn", operation, await configuredCall(contract, operation, target));
    const other = answers.logIn && grantAgain(contract, target, answers.logIn);
    if (other !== undefined) await send("logIn", operation, other);
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    found.logInNeeds = error.message;
  }
  const pointer = bindings[operation.operationId] ?? operation.token ?? "";
  const isLoggedIn = answers.logIn !== undefined && isAccepted(answers.logIn);
  const shown = isLoggedIn ? tokenAt(answers.logIn?.response?.json, pointer) : undefined;
  const token = shown !== undefined && isSendable(shown) ? shown : undefined;
  found.hasToken = token !== undefined;
  found.isTokenUnsendable = shown !== token;
  const sources = token === undefined ? undefined : disposableSources(contract, target);
  if (sources !== undefined) {
    const call = await configuredCall(contract, operation, target, sources).catch(() => undefined);
    if (call !== undefined) await send("disposableLogIn", operation, call);
  }
  return token;
};

/** Whether credentials seem to be refused, so that other ones show which. */
const isQuestionable = ({ answers: { logIn, sample }, hasToken }: Findings): boolean =>
  logIn === undefined ? sample !== undefined && isRefusal(sample) : !hasToken && isRefusal(logIn);

/**
 * Sends the call without credentials or, if the answer is another or a log-in was refused, with an unknown key, which
 * shows whether the key is known. The call names no account, so that none is locked.
 */
const compareCredentials = async (
  { contract, target, answers }: Findings,
  send: Send,
  operation: Operation,
  call: Call,
): Promise<void> => {
  const withKeys = (keyFor: (configured: string) => string | null): Call => {
    const keys = schemesFor(contract, operation, target).flatMap(({ name, configuration }) =>
      configuration === undefined ? [] : [[name, keyFor(target.values[configuration] ?? "")]],
    );
    return { ...call, credentials: Object.fromEntries(keys) };
  };
  if (answers.logIn === undefined) {
    const without = withKeys(() => null);
    await send("anonymous", operation, without);
    const { anonymous, sample } = answers;
    if (anonymous === undefined || sample === undefined || areAlike([anonymous, sample])) return;
  }
  await send("stranger", operation, withKeys(unknownKey));
};

/** Returns a key that nobody has, with the scheme of the configured one (RFC 9110, 11.4). */
const unknownKey = (configured: string): string => {
  const [scheme, key] = configured.split(" ");
  return key === undefined ? STRANGER : `${scheme} ${STRANGER}`;
};

const STRANGER = "unknown-0000000000";
