/** Arranges resources: from the user's configuration first, else by creating or finding them, else not at all. */

import { instancesAt } from "../checks/rules.ts";
import type { Contract, Operation, ResourcePlace } from "../contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Target } from "../target/target.ts";
import { NotTried, TargetLost } from "./trial.ts";

/** The value; or what is missing, as in `needs src-client-id: set CARD_ENROLLMENT_SRC_CLIENT_ID`; or what failed. */
export type Arranged =
  | { readonly value: string }
  | { readonly missing: string }
  | { readonly failed: string };

export interface Arranger {
  /** The identifier of a resource, arranged once for all trials that ask. */
  get(resource: string): Promise<Arranged>;
  /**
   * The identifier of a resource that a trial cannot do without.
   * @throws NotTried when nothing provides it, TargetLost when creating it was tried and failed
   */
  need(resource: string): Promise<string>;
  /** Resources of its own, for a trial that changes or deletes them: nothing but the configuration is shared. */
  apart(): Arranger;
}

/** How a user names a resource that exists. */
export interface Source {
  /** Configuration value that names one. */
  readonly configuration: string;
  /** Whether a trial may change or delete what it names; what the user configured is kept otherwise. */
  readonly disposable?: true;
}

export type Sources = Readonly<Record<string, Source>>;

export interface ArrangerOptions {
  readonly contract: Contract;
  readonly target: Target;
  readonly sources: Sources;
  /** Makes a valid call of the operation, itself arranging what the call needs, and sends it. */
  readonly call: (operation: Operation, arranger: Arranger) => Promise<Exchange>;
  /** What has to be done with a new resource before it serves, for example linking accounts to a customer. */
  readonly prepare?: (resource: string, value: string) => Promise<void>;
  /** JSON pointer that the user binds to an operation, in place of the contract's. */
  readonly bindings: Readonly<Record<string, string>>;
}

export const createArranger = (options: ArrangerOptions): Arranger => branch(options, "shared");

const branch = (options: ArrangerOptions, kind: "shared" | "apart"): Arranger => {
  const known = new Map<string, Arranged>();
  const underWay = new Set<string>();
  const arranger: Arranger = {
    async get(resource) {
      const before = known.get(resource);
      if (before !== undefined) return before;
      if (underWay.has(resource)) return { missing: `needs ${resource}, and that needs itself` };
      underWay.add(resource);
      try {
        const arranged = await arrange(options, arranger, resource, kind);
        known.set(resource, arranged);
        return arranged;
      } finally {
        underWay.delete(resource);
      }
    },
    async need(resource) {
      const arranged = await arranger.get(resource);
      if ("value" in arranged) return arranged.value;
      if ("missing" in arranged) throw new NotTried(arranged.missing);
      throw new TargetLost(arranged.failed);
    },
    apart: () => branch(options, "apart"),
  };
  return arranger;
};

const arrange = async (
  options: ArrangerOptions,
  arranger: Arranger,
  resource: string,
  kind: "shared" | "apart",
): Promise<Arranged> => {
  const source = options.sources[resource];
  const configured = source === undefined ? undefined : options.target.values[source.configuration];
  if (configured !== undefined && (kind === "shared" || source?.disposable === true))
    return { value: configured };
  const missing: string[] = [];
  const failed: string[] = [];
  for (const way of waysTo(options.contract, resource, kind)) {
    const arranged = await through(options, arranger, way);
    if ("value" in arranged) return arranged;
    if ("failed" in arranged) failed.push(arranged.failed);
    else missing.push(arranged.missing);
  }
  const [failure] = failed;
  if (failure !== undefined) return { failed: failure };
  const remedy = source === undefined ? missing[0] : `set ${source.configuration}`;
  return { missing: `needs ${resource}${remedy === undefined ? ", which nothing provides" : `: ${remedy}`}` };
};

interface Way {
  readonly operation: Operation;
  readonly place: ResourcePlace;
  readonly isNew: boolean;
}

/** Finding one that exists costs nothing; creating one comes next, and what is slow or billed last. */
const waysTo = (contract: Contract, resource: string, kind: "shared" | "apart"): Way[] => {
  const all = contract.operations.flatMap((operation): Way[] => [
    ...placesOf(operation.finds, resource).map((place) => ({ operation, place, isNew: false })),
    ...placesOf(operation.produces, resource).map((place) => ({ operation, place, isNew: true })),
  ]);
  // What a list without an owner in its path shows is everybody's.
  const own = all.filter(({ operation, isNew }) => isNew || operation.path.includes("{"));
  const ways = kind === "apart" && own.length > 0 ? own : all;
  return ways.sort((a, b) => costOf(a) - costOf(b));
};

const costOf = ({ operation, isNew }: Way): number =>
  // What finds one by making another thing is no mere look.
  (operation.method === "GET" ? 0 : 1) +
  (operation.hazards.includes("billable") ? 4 : 0) +
  (operation.hazards.includes("slow") ? 2 : 0) +
  (isNew ? 1 : 0);

const placesOf = (places: readonly ResourcePlace[], resource: string): ResourcePlace[] =>
  places.filter((place) => place.resource === resource);

const through = async (
  options: ArrangerOptions,
  arranger: Arranger,
  { operation, place, isNew }: Way,
): Promise<Arranged> => {
  const called = await attempt(() => options.call(operation, arranger));
  if (!("exchange" in called)) return called;
  const { exchange } = called;
  if (exchange.failure?.kind === "not-allowed")
    return { missing: `needs permission: ${exchange.failure.message}` };
  if (!isAccepted(exchange)) {
    return {
      failed: `${operation.operationId} was to give a ${place.resource} and answered ${answerOf(exchange)}`,
    };
  }
  const pointer = options.bindings[operation.operationId] ?? place.pointer;
  const [found] = instancesAt(exchange.response?.json, pointer).filter(({ value }) => isIdentifier(value));
  if (found === undefined) {
    return {
      missing: `${operation.operationId} shows none at ${pointer}: bind ${operation.operationId} in BINDINGS to where it stands`,
    };
  }
  const value = String(found.value);
  if (isNew) await options.prepare?.(place.resource, value);
  return { value };
};

const attempt = async (
  call: () => Promise<Exchange>,
): Promise<{ readonly exchange: Exchange } | Arranged> => {
  try {
    return { exchange: await call() };
  } catch (error) {
    if (error instanceof NotTried) return { missing: error.message };
    if (error instanceof TargetLost) return { failed: error.message };
    throw error;
  }
};

const isIdentifier = (value: unknown): boolean =>
  (typeof value === "string" && value !== "") || typeof value === "number";

const answerOf = (exchange: Exchange): string =>
  exchange.failure === undefined ? `${statusOf(exchange)}` : exchange.failure.message;
