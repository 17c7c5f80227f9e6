/** Tracks the resources that a run creates on a target, so that it can remove them at the end. */
import { randomUUID } from "node:crypto";
import { INTERRUPTIONS } from "../checks/documented-status.ts";
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { creates } from "../contract/lookups.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import { createdAt, idsAt } from "./resource-providers.ts";

/** A resource that the run created; the processes of a run exchange it as JSON. */
export interface CreatedResource {
  readonly service: Service;
  readonly resource: string;
  readonly id: string;
  /** Ids in the path of the call, by resource, including configured ones. */
  readonly within: Readonly<Record<string, string>>;
  /** The lists in the body of the call: a removal repeats their items. */
  readonly json?: unknown;
}

/** A call that may create resources, reported before it is sent. */
export interface Intent {
  readonly id: string;
  readonly service: Service;
  readonly operationId: string;
  /** The resources that it would create. */
  readonly resources: readonly string[];
  /** The same as in `CreatedResource`. */
  readonly within: CreatedResource["within"];
}

/** `settled` is the id of an intent whose result is known. */
export type Change =
  | { readonly intended: Intent }
  | { readonly settled: string }
  | { readonly made: CreatedResource }
  | { readonly removed: CreatedResource };

/** @returns `undefined` for a call that creates nothing that the run has to remove */
export const intentOf = (contract: Contract, operation: Operation, call: Call): Intent | undefined => {
  const resources = operation.produces
    .map(({ resource }) => resource)
    .filter((resource) => remover(contract, resource) !== undefined);
  if (resources.length === 0 || isAnother(call)) return undefined;
  const { service } = contract;
  const { operationId } = operation;
  return { id: randomUUID(), service, operationId, resources, within: identifiersOf(operation, call) };
};

/** Whether the call replaces the method or path, so that it does not call the operation. */
const isAnother = ({ method, at }: Call): boolean => method !== undefined || at !== undefined;

/**
 * Whether the result of a call is known: it was not sent, it was refused, or its response names the resources. After a
 * 5xx, the server may have created something.
 */
export const isSettled = (exchange: Exchange, changes: readonly Change[]): boolean => {
  const status = statusOf(exchange);
  if (status === 0)
    return ["not-allowed", "connection-refused", "refused-certificate", "refused-by-proxy"].includes(
      exchange.failure?.kind ?? "",
    );
  if (isAccepted(exchange)) return changes.some((change) => "made" in change);
  return status < 500 || INTERRUPTIONS.includes(status);
};

/** Returns the operation that removes a resource. */
export const remover = (contract: Contract, resource: string): Operation | undefined =>
  removers(contract).get(resource);

/** Returns the name of a resource in paths, which may be another one than at its creation. */
export const nameInPaths = (contract: Contract, resource: string): string =>
  remover(contract, resource)?.removes[resource] ?? resource;

/** The operations that remove resources, by resource. */
const removers = memoize(({ operations }: Contract) => {
  const byResource = new Map<string, Operation>();
  for (const operation of operations)
    for (const resource of Object.keys(operation.removes)) getOrInsert(byResource, resource, () => operation);
  return byResource;
});

/** Names what an accepted call leaves on a target for good; `undefined` for nothing, and for what has no name. */
export const leftBy = (contract: Contract, operation: Operation): string | undefined =>
  mayLast(contract, operation)
    ? (operation.leaves ?? operation.produces[0]?.resource.replaceAll("-", " "))
    : undefined;

/** Whether a call may change the target. */
export const mayChange = (operation: Operation): boolean =>
  operation.method !== "GET" &&
  (operation.method !== "POST" || creates(operation) || !isReadByPost(operation));

const mayLast = (contract: Contract, operation: Operation): boolean =>
  operation.leaves !== undefined ||
  (operation.method === "POST" &&
    mayChange(operation) &&
    operation.produces.every(({ resource }) => remover(contract, resource) === undefined));

/** Whether a POST reads a resource, a list or a report. */
const isReadByPost = ({ finds, list, progress }: Operation): boolean =>
  finds.length > 0 || list !== undefined || progress !== undefined;

/** Whether an accepted call leaves something on a target that the run can't remove. The embedded sandbox is reset. */
export const lasts = (
  contract: Contract,
  operation: Operation,
  { embedded }: Pick<Target, "embedded">,
): boolean => !embedded && mayLast(contract, operation);

/** @param bindings JSON pointers by operationId that replace the pointers of the contract */
export const changesBy = (
  contract: Contract,
  operation: Operation,
  call: Call,
  exchange: Exchange,
  bindings: Readonly<Record<string, string>>,
): Change[] => {
  if (!isAccepted(exchange) || isAnother(call)) return [];
  const { service } = contract;
  const { method, operationId, produces, removes } = operation;
  const within = identifiersOf(operation, call);
  const common = { service, within, ...(listsIn(call.json).length > 0 && { json: listsOf(call.json) }) };
  const made = produces.flatMap(({ resource, pointer }) => {
    // A PUT creates what its path names.
    const own = method === "PUT" ? within[resource] : undefined;
    const answered = () => idsMade(contract, resource, exchange, bindings[operationId] ?? pointer);
    return (own === undefined ? answered() : [own]).map((id) => ({ ...common, resource, id }));
  });
  const removed = Object.entries(removes).flatMap(([resource, as]) => {
    const id = within[as] ?? named(call.json, exchange);
    return id === undefined ? [] : [{ ...common, resource, id }];
  });
  return [...made.map((one) => ({ made: one })), ...removed.map((one) => ({ removed: one }))];
};

/** Returns the identifiers in the path of a call, by resource. */
export const identifiersOf = ({ parameters }: Operation, { path = {} }: Call): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ in: place, name, resource }) =>
      place === "path" && resource !== undefined && path[name] !== undefined ? [[resource, path[name]]] : [],
    ),
  );

/** Returns the created ids of an answer, or else of the address that it names. */
const idsMade = (contract: Contract, resource: string, exchange: Exchange, pointer: string): string[] => {
  const ids = idsAt(exchange, pointer);
  const located = ids.length === 0 ? createdAt(contract, resource, exchange) : undefined;
  return located === undefined ? ids : [located];
};

/** Returns the id of a removal that has no id in its path: the text that both its body and its response contain. */
const named = (json: unknown, exchange: Exchange): string | undefined => {
  const answered = textsIn(exchange.response?.json);
  return textsIn(json).find((text) => answered.includes(text));
};

const textsIn = (json: unknown): string[] =>
  typeof json === "object" && json !== null
    ? Object.values(json).filter((value): value is string => typeof value === "string")
    : [];

export interface CreatedResources {
  note(change: Change): void;
  /** Returns the resources that were created and not yet removed, in order of creation. */
  all(): CreatedResource[];
  /** Returns the calls whose result is unknown. */
  unclear(): Intent[];
}

export const trackCreatedResources = (): CreatedResources => {
  let list: CreatedResource[] = [];
  const intents = new Map<string, Intent>();
  return {
    note(change) {
      if ("made" in change) list.push(change.made);
      else if ("intended" in change) intents.set(change.intended.id, change.intended);
      else if ("settled" in change) intents.delete(change.settled);
      else {
        const { removed } = change;
        list = list.flatMap((one) => (isSame(one, removed) ? remainder(one, removed) : [one]));
      }
    },
    all: () => [...list],
    unclear: () => [...intents.values()],
  };
};

export const isSame = (one: CreatedResource, other: CreatedResource): boolean =>
  one.service === other.service && one.resource === other.resource && one.id === other.id;

/** Returns the resources that remain after a removal. A removal that lists items removes only these items. */
const remainder = (one: CreatedResource, removed: CreatedResource): CreatedResource[] => {
  const taken = listsIn(removed.json).flat();
  if (taken.length === 0 || listsIn(one.json).length === 0) return [];
  const json = Object.fromEntries(
    Object.entries(one.json as object).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((item) => !taken.includes(item)) : value,
    ]),
  );
  return listsIn(json).some(({ length }) => length > 0) ? [{ ...one, json }] : [];
};

const listsIn = (json: unknown): unknown[][] => Object.values(listsOf(json));

/** Returns the lists in a body, by name. */
export const listsOf = (json: unknown): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries((json ?? {}) as object).filter(([, value]) => Array.isArray(value)));
