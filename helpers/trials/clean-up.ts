/** Removes from a target what a run made there, and tells what it could not. */
import fc from "fast-check";
import type { Contract, Operation } from "../contract/contract.ts";
import type { Validator } from "../contract/schema-validator.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import { type Arranger, needing } from "./arrange.ts";
import type { Call } from "./call.ts";
import { type CreatedResource, listsOf, remover } from "./created-resources.ts";
import { validCalls } from "./valid-call.ts";

/** What is still there, and why. */
export interface Leftover extends CreatedResource {
  readonly reason: string;
}

export interface CleanUpOptions {
  equipped(service: CreatedResource["service"]): {
    readonly contract: Contract;
    readonly validator: Validator;
  };
  send(operation: Operation, call: Call): Promise<Exchange>;
}

/** Removals that are under way at a time. */
const AT_A_TIME = 8;

export const cleanUp = async (
  made: readonly CreatedResource[],
  options: CleanUpOptions,
): Promise<Leftover[]> => {
  const left: Leftover[] = [];
  // The last one first, so that what hangs on another goes before it.
  const waiting = made.filter((one) => !goesWithAnother(one, made));
  const worker = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const reason = await remove(one, options).catch((error: Error) => error.message);
      if (reason !== undefined) left.push({ ...one, reason });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return left;
};

const goesWithAnother = ({ within, resource }: CreatedResource, made: readonly CreatedResource[]): boolean =>
  made.some((other) => other.resource !== resource && Object.values(within).includes(other.id));

/** @returns why it is still there; `undefined` when it is gone */
const remove = async (one: CreatedResource, options: CleanUpOptions): Promise<string | undefined> => {
  const equipped = options.equipped(one.service);
  const operation = remover(equipped.contract, one.resource);
  if (operation === undefined) return "no operation removes it";
  const given = { ...one.within, [operation.removes[one.resource] ?? ""]: one.id };
  const arrange = only(given, listedIn(one.json));
  const { calls, body } = await validCalls({ ...equipped, arrange }, operation);
  const [call] = fc.sample(calls, { numRuns: 1, seed: 1 }) as [Call];
  const json = body && { ...(call.json as object), ...listsOf(one.json) };
  const exchange = await options.send(operation, { ...call, ...(json && { json }) });
  // Whatever else ended it: it is not there any more.
  if (isAccepted(exchange) || [404, 410].includes(statusOf(exchange))) return undefined;
  return `${operation.operationId} answered ${exchange.failure?.message ?? statusOf(exchange)}`;
};

/** An item of what the call that made it lists. */
const listedIn = (json: unknown): string | undefined =>
  Object.values(listsOf(json))
    .flat()
    .find((item) => typeof item === "string");

/** @param listed stands for a resource that only bodies name, in lists that the removal takes over */
const only = (given: Readonly<Record<string, string>>, listed: string | undefined): Arranger => {
  const arranger: Arranger = {
    ...needing(async (resource) => {
      const value = given[resource] ?? listed;
      return value === undefined ? { missing: `it is not known which ${resource} it belongs to` } : { value };
    }),
    exclusive: () => arranger,
    mutable: () => arranger,
  };
  return arranger;
};
