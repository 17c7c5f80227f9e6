/** What a run makes on a target, by the exchanges that made it, so that it can be removed in the end. */
import { instancesAt } from "../checks/rules.ts";
import type { Contract, Operation, Service } from "../contract/contract.ts";
import { type Exchange, isAccepted } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";

/** A resource that the run made; it travels as JSON between the processes of a run. */
export interface Made {
  readonly service: Service;
  readonly resource: string;
  readonly id: string;
  /** Ids by resource that the path of the call named, the configured ones too. */
  readonly within: Readonly<Record<string, string>>;
  /** Body of the call. */
  readonly json?: unknown;
}

export type Change = { readonly made: Made } | { readonly removed: Made };

/** Whether the run has to remove what an accepted call of it makes. */
export const makes = (contract: Contract, operation: Operation): boolean =>
  operation.produces.some(({ resource }) => remover(contract, resource) !== undefined);

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
  // A call of another method or path is not the operation that it stands for.
  if (!isAccepted(exchange) || call.method !== undefined || call.at !== undefined) return [];
  const { service } = contract;
  const within = namedIn(operation, call);
  const common = { service, within, ...(call.json !== undefined && { json: call.json }) };
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

/** What was made and not yet removed, in the order in which it was made. */
export interface MadeList {
  note(change: Change): void;
  all(): Made[];
}

/** @param kept values that are the user's: whatever an answer says, what they name is never taken for made by us */
export const createMadeList = (kept: readonly string[]): MadeList => {
  let list: Made[] = [];
  return {
    note(change) {
      if ("made" in change) {
        if (!kept.includes(change.made.id)) list.push(change.made);
        return;
      }
      const { removed } = change;
      list = list.flatMap((one) => (isSame(one, removed) ? remainder(one, removed) : [one]));
    },
    all: () => [...list],
  };
};

const isSame = (one: Made, other: Made): boolean =>
  one.service === other.service && one.resource === other.resource && one.id === other.id;

/** A removal that lists items takes these alone away. */
const remainder = (one: Made, removed: Made): Made[] => {
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

const listsIn = (json: unknown): unknown[][] =>
  typeof json === "object" && json !== null ? Object.values(json).filter(Array.isArray) : [];
