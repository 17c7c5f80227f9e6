/** What a run makes on a target, by the exchanges that made it, so that it can be removed in the end. */
import { randomUUID } from "node:crypto";
import { INTERRUPTIONS } from "../checks/documented-status.ts";
import { instancesAt } from "../checks/rules.ts";
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";

/** A resource that the run made; it travels as JSON between the processes of a run. */
export interface CreatedResource {
  readonly service: Service;
  readonly resource: string;
  readonly id: string;
  /** Ids by resource that the path of the call named, the configured ones too. */
  readonly within: Readonly<Record<string, string>>;
  /** Lists in the body of the call: a removal names the items again. */
  readonly json?: unknown;
}

/** A call that makes something if it is accepted, told before it is sent. */
export interface Intent {
  readonly id: string;
  readonly service: Service;
  readonly operationId: string;
  /** What it would make. */
  readonly resources: readonly string[];
  /** As of what is made. */
  readonly within: CreatedResource["within"];
}

/** `settled` is the id of an intent of which it is known what it made. */
export type Change =
  | { readonly intended: Intent }
  | { readonly settled: string }
  | { readonly made: CreatedResource }
  | { readonly removed: CreatedResource };

/** @returns `undefined` for a call that makes nothing which the run would have to remove */
export const intentOf = (contract: Contract, operation: Operation, call: Call): Intent | undefined => {
  const resources = operation.produces
    .map(({ resource }) => resource)
    .filter((resource) => remover(contract, resource) !== undefined);
  if (resources.length === 0 || isAnother(call)) return undefined;
  const { service } = contract;
  const { operationId } = operation;
  return { id: randomUUID(), service, operationId, resources, within: namedIn(operation, call) };
};

/** A call of another method or path is not the operation that it stands for. */
const isAnother = ({ method, at }: Call): boolean => method !== undefined || at !== undefined;

/**
 * Whether it is known what a call made: it was not sent, was refused, or its answer names what it made. A server that
 * failed may have made something.
 */
export const isSettled = (exchange: Exchange, changes: readonly Change[]): boolean => {
  const status = statusOf(exchange);
  if (status === 0) return ["not-allowed", "connection-refused"].includes(exchange.failure?.kind ?? "");
  if (isAccepted(exchange)) return changes.some((change) => "made" in change);
  return status < 500 || INTERRUPTIONS.includes(status);
};

/** The operation that removes a resource. */
export const remover = ({ operations }: Contract, resource: string): Operation | undefined =>
  operations.find(({ removes }) => removes[resource] !== undefined);

/** @param bindings JSON pointers by operationId in place of the contract's */
export const changesBy = (
  contract: Contract,
  operation: Operation,
  call: Call,
  exchange: Exchange,
  bindings: Readonly<Record<string, string>>,
): Change[] => {
  if (!isAccepted(exchange) || isAnother(call)) return [];
  const { service } = contract;
  const within = namedIn(operation, call);
  const common = { service, within, ...(listsIn(call.json).length > 0 && { json: listsOf(call.json) }) };
  const made = operation.produces
    .filter(({ resource }) => remover(contract, resource) !== undefined)
    .flatMap(({ resource, pointer }) =>
      idsAt(exchange, bindings[operation.operationId] ?? pointer).map((id) => ({ ...common, resource, id })),
    );
  const removed = Object.entries(operation.removes).flatMap(([resource, as]) => {
    const id = within[as] ?? named(call.json, exchange);
    return id === undefined ? [] : [{ ...common, resource, id }];
  });
  return [...made.map((one) => ({ made: one })), ...removed.map((one) => ({ removed: one }))];
};

const namedIn = ({ parameters }: Operation, { path = {} }: Call): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ in: place, name, resource }) =>
      place === "path" && resource !== undefined && path[name] !== undefined ? [[resource, path[name]]] : [],
    ),
  );

/** Where one of several is pointed at, all of them were made: a subscription may come as several records. */
const idsAt = (exchange: Exchange, pointer: string): string[] =>
  instancesAt(exchange.response?.json, pointer.replaceAll(/\/\d+(?=\/)/g, "/*")).flatMap(({ value }) =>
    typeof value === "number" || (typeof value === "string" && value !== "") ? [String(value)] : [],
  );

/** A removal without an id in its path names the resource in its body, by the same text as its answer. */
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
  /** What was made and not yet removed, in the order in which it was made. */
  all(): CreatedResource[];
  /** Calls of which it is not known what they made. */
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

const isSame = (one: CreatedResource, other: CreatedResource): boolean =>
  one.service === other.service && one.resource === other.resource && one.id === other.id;

/** A removal that lists items takes these alone away. */
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

/** The members of a body that are lists. */
export const listsOf = (json: unknown): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries((json ?? {}) as object).filter(([, value]) => Array.isArray(value)));
