/** Arranges resources: from the user's configuration first, else by creating or finding them, else not at all. */

import { instancesAt } from "../checks/rules.ts";
import type { Contract, Operation, ResourcePlace } from "../contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Capabilities } from "../target/capabilities.ts";
import type { Target } from "../target/target.ts";
import { NotTried, TargetLost } from "./trial.ts";

/** The value; or what is missing, as in `needs src-client-id: set CARD_ENROLLMENT_SRC_CLIENT_ID`; or what failed. */
export type Arranged =
  | { readonly value: string }
  | { readonly missing: string }
  | { readonly failed: string };

export interface Arranger {
  /**
   * The identifier of a resource, arranged once for all trials that ask.
   * @param types it has to be of one of them; of any if empty
   */
  get(resource: string, types?: readonly string[]): Promise<Arranged>;
  /**
   * The identifier of a resource that a trial cannot do without.
   * @throws NotTried when nothing provides it, TargetLost when creating it was tried and failed
   */
  need(resource: string, types?: readonly string[]): Promise<string>;
  /** Resources of its own, for a trial that changes or deletes them: nothing but the configuration is shared. */
  apart(): Arranger;
}

/** How a user names a resource that exists. */
export interface Source {
  /** Configuration value that names one. */
  readonly configuration: string;
  /** What it names is the user's: a trial that changes or deletes takes one of its own. */
  readonly kept?: true;
  /** Situation of the target under which there is one. */
  readonly situation?: string;
}

export type Sources = Readonly<Record<string, Source>>;

export interface ArrangerOptions {
  readonly contract: Contract;
  readonly target: Target;
  readonly sources: Sources;
  readonly capabilities: Capabilities;
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
    async get(resource, types = []) {
      const key = [resource, ...types].join(" ");
      const before = known.get(key);
      if (before !== undefined) return before;
      if (underWay.has(key)) return { missing: `needs ${resource}, and that needs itself` };
      underWay.add(key);
      try {
        const arranged = await arrange(options, arranger, { resource, types }, kind);
        known.set(key, arranged);
        return arranged;
      } finally {
        underWay.delete(key);
      }
    },
    async need(resource, types) {
      const arranged = await arranger.get(resource, types);
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
  wanted: Wanted,
  kind: "shared" | "apart",
): Promise<Arranged> => {
  const { resource } = wanted;
  const source = options.sources[resource];
  const configured = source === undefined ? undefined : await configuredBy(options, source);
  if (configured !== undefined && (kind === "shared" || source?.kept !== true)) return { value: configured };
  const missing: string[] = [];
  const failed: string[] = [];
  for (const way of waysTo(options.contract, resource, kind)) {
    const arranged = await through(options, arranger, wanted, way);
    if ("value" in arranged) return arranged;
    if ("failed" in arranged) failed.push(arranged.failed);
    else missing.push(arranged.missing);
  }
  const [failure] = failed;
  if (failure !== undefined) return { failed: failure };
  const remedy = source === undefined ? missing[0] : `set ${source.configuration}`;
  return { missing: `needs ${resource}${remedy === undefined ? ", which nothing provides" : `: ${remedy}`}` };
};

const configuredBy = async (options: ArrangerOptions, source: Source): Promise<string | undefined> => {
  const value = options.target.values[source.configuration];
  const { situation } = source;
  if (value !== undefined || situation === undefined || !options.capabilities.offers(situation)) return value;
  return (await options.capabilities.arrange(situation))[source.configuration];
};

interface Wanted {
  readonly resource: string;
  readonly types: readonly string[];
}

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

/** Types are spelt in several ways (gaps: account type spellings): letters and digits decide. */
const isOfType = (body: unknown, pointer: string, types: readonly string[]): boolean => {
  if (types.length === 0) return true;
  const [type] = instancesAt(body, pointer.replace(/\/[^/]*$/, "/type"));
  return types.map(spelling).includes(spelling(String(type?.value)));
};

const spelling = (type: string): string => type.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

const through = async (
  options: ArrangerOptions,
  arranger: Arranger,
  { types }: Wanted,
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
  const body = exchange.response?.json;
  const [found] = instancesAt(body, pointer).filter(
    (instance) => isIdentifier(instance.value) && isOfType(body, instance.pointer, types),
  );
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
