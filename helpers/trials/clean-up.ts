/** Removes the resources that a run created on a target, and returns those that it could not remove. */
import fc from "fast-check";
import type { Contract, Operation } from "../contract/contract.ts";
import type { Validator } from "../contract/schemas/schema-validator.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import { because } from "../reasons/reason.ts";
import { type Arranger, needing } from "./arrange.ts";
import type { Call } from "./call.ts";
import { type CreatedResource, listsOf, remover } from "./created-resources.ts";
import { validCalls } from "./valid-call.ts";

/** A resource that could not be removed, and the reason. */
export interface Leftover extends CreatedResource {
  readonly reason: string;
}

/** Returns the call that would remove a resource, for example `DELETE /parcels/17`; `undefined` if there is none. */
export const removalOf = (contract: Contract, one: CreatedResource): string | undefined => {
  const operation = remover(contract, one.resource);
  if (operation === undefined) return undefined;
  const ids = { ...one.within, [operation.removes[one.resource] ?? ""]: one.id };
  const path = operation.parameters.reduce(
    (text, { in: place, name, resource }) =>
      place === "path" && resource !== undefined
        ? text.replace(`{${name}}`, encodeURIComponent(ids[resource] ?? `{${name}}`))
        : text,
    operation.path,
  );
  const lists = listsOf(one.json);
  const body = path === operation.path ? ` with ${JSON.stringify({ [one.resource]: one.id, ...lists })}` : "";
  return `${operation.method} ${path}${body}`;
};

/** The number of parallel removals. */
const AT_A_TIME = 8;

export const cleanUp = async (
  made: readonly CreatedResource[],
  options: {
    equipped(service: CreatedResource["service"]): {
      readonly contract: Contract;
      readonly validator: Validator;
    };
    send(operation: Operation, call: Call): Promise<Exchange>;
  },
): Promise<Leftover[]> => {
  const left: Leftover[] = [];
  const removeAll = async (waiting: CreatedResource[]): Promise<void> => {
    const worker = async (): Promise<void> => {
      // The newest resources are removed first, because they may depend on older ones.
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        const reason = await remove(one, options).catch((error: Error) => error.message);
        if (reason !== undefined) left.push({ ...one, reason });
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  };
  const apart = made.filter((one) => {
    const above = aboveOf(one, made);
    return above.length > 0 && !above.some(({ resource }) => isInPath(options, one, resource));
  });
  await removeAll(apart);
  await removeAll(made.filter((one) => aboveOf(one, made).length === 0));
  return left;
};

/** Returns the created resources to which one belongs. */
const aboveOf = (
  { within, resource }: CreatedResource,
  made: readonly CreatedResource[],
): CreatedResource[] =>
  made.filter((other) => other.resource !== resource && Object.values(within).includes(other.id));

/** Whether a resource goes with another one: the path of its removal names the other one, or nothing removes it. */
const isInPath = (
  { equipped }: Parameters<typeof cleanUp>[1],
  { service, resource }: CreatedResource,
  above: string,
): boolean =>
  remover(equipped(service).contract, resource)?.parameters.some(
    ({ in: place, resource: named }) => place === "path" && named === above,
  ) ?? true;

/** @returns why the resource is still there; `undefined` when it is removed */
const remove = async (
  one: CreatedResource,
  options: Parameters<typeof cleanUp>[1],
): Promise<string | undefined> => {
  const equipped = options.equipped(one.service);
  const operation = remover(equipped.contract, one.resource);
  if (operation === undefined) return "no operation removes it";
  const given = { ...one.within, [operation.removes[one.resource] ?? ""]: one.id };
  const arrange = only(given, listedIn(one.json));
  const { calls, body } = await validCalls({ ...equipped, arrange }, operation);
  const [call] = fc.sample(calls, { numRuns: 1, seed: 1 }) as [Call];
  const json = body && { ...(call.json as object), ...listsOf(one.json) };
  const exchange = await options.send(operation, { ...call, ...(json && { json }) });
  // A 404 or 410 means that the resource no longer exists.
  if (isAccepted(exchange) || [404, 410].includes(statusOf(exchange))) return undefined;
  return `${operation.operationId} answered ${exchange.failure?.message ?? statusOf(exchange)}`;
};

/** Returns an item from the lists of the call that created the resource. */
const listedIn = (json: unknown): string | undefined =>
  Object.values(listsOf(json))
    .flat()
    .find((item) => typeof item === "string");

/** @param listed placeholder for a resource that only a list in the body names; the removal replaces the list */
const only = (given: Readonly<Record<string, string>>, listed: string | undefined): Arranger => {
  const arranger: Arranger = {
    ...needing(async (resource) => {
      const value = given[resource] ?? listed;
      return value === undefined ? { missing: because("unprovided", resource) } : { value };
    }),
    exclusive: () => arranger,
    mutable: () => arranger,
    others: () => arranger,
    isFound: () => false,
  };
  return arranger;
};
