/** Arranges resources: from the user's configuration if possible, or else by finding or creating them. */
import type { Contract, Operation } from "../contract/contract.ts";
import { isEmptyList } from "../contract/list-end.ts";
import { getOrInsert } from "../contract/memoize.ts";
import type { Setting } from "../contract/services.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import { because, type Reason } from "../reasons/reason.ts";
import type { Capabilities } from "../target/capabilities.ts";
import { idName } from "../target/names.ts";
import type { Target } from "../target/target.ts";
import {
  createdAt,
  identifiersAt,
  isOfStart,
  type Kind,
  lastNameIn,
  lastsInLists,
  providersOf,
  type ResourceProvider,
} from "./resource-providers.ts";
import { hintForEmpty, isWithinKept, type Sources } from "./sources.ts";
import { NotArranged, NotTried, TargetLost } from "./stopped.ts";
import {
  type Arranged,
  answerOf,
  isRefusal,
  notReturned,
  refusalWords,
  unarranged,
  whyMissing,
} from "./unarranged.ts";

/** What a resource has to be. */
export interface Demand {
  /** Accepted types of the resource; any if absent or empty. */
  readonly types?: readonly string[];
  /** The other resources in the path of the call: the resource has to belong to them, not only to its owner. */
  readonly within?: readonly string[];
  /** Whether the call may change the resource, or what belongs to it. */
  readonly isChanged?: boolean;
}

export interface Arranger {
  /** Returns the identifier of a resource, which is arranged once for all trials. */
  get(resource: string, demand?: Demand): Promise<Arranged>;
  /**
   * Returns the identifier of a resource that a trial requires.
   * @throws NotTried when nothing provides it, TargetLost when creating it was tried and failed
   */
  need(resource: string, demand?: Demand): Promise<string>;
  /** Returns an arranger for a trial that changes or deletes resources. It shares only configured resources. */
  exclusive(): Arranger;
  /** Returns an arranger for resources that trials share and may change; never those that the user keeps. */
  mutable(): Arranger;
  /** Returns an arranger for further resources, which trials share too. */
  others(): Arranger;
  /** Whether a list showed the identifier, or the document as an example: another client may remove it, or the target may lack it. */
  isFound(resource: string, id: string): boolean;
  /** Identifiers that the arranger was given, by resource. */
  readonly given?: Readonly<Record<string, string>>;
}

/** Arrangers for the resources that the trials of a session share, and for the resources of each trial. */
export interface SharedArranger extends Arranger {
  /** Returns the arranger of one trial. Its exclusive resources do not depend on earlier trials. */
  inTrial(trialId: string): Arranger;
}

export interface ArrangerOptions {
  readonly contract: Contract;
  readonly target: Target;
  readonly sources: Sources;
  readonly capabilities: Capabilities;
  /**
   * Generates a valid call of the operation, arranges the resources that it needs, and sends it.
   * @param draw a name for the random draw of this call
   */
  readonly call: (operation: Operation, arranger: Arranger, draw: string) => Promise<Exchange>;
  /** Returns an identifier of a resource that clients name; `undefined` if a server gives it. */
  readonly choose?: (resource: string, draw: string) => string | undefined;
  /** Prepares a new resource for use, for example links accounts to a customer. */
  readonly prepare?: (resource: string, value: string) => Promise<void>;
  /** JSON pointers by operationId, given by the user, that replace the pointers of the contract. */
  readonly bindings: Readonly<Record<string, string>>;
}

export const createArranger = (given: ArrangerOptions): SharedArranger => {
  const found = new Set<string>();
  const options = { ...given, found, lasting: new Map<string, Promise<Arranged>>() };
  const others = branch(options, "exclusive", "others");
  const shared = {
    ...branch(options, "shared", "shared"),
    others: () => others,
  };
  return { ...shared, inTrial: (trialId) => ({ ...shared, exclusive: setApart(options, trialId) }) };
};

interface Arranging extends ArrangerOptions {
  /** The resources with their identifiers that lists showed, or that are examples of the document. */
  readonly found: Set<string>;
  /** What a list shows and no operation removes: each trial would find the same. */
  readonly lasting: Map<string, Promise<Arranged>>;
}

/** @param name name of the branch, unique in the session */
const branch = (options: Arranging, kind: Kind, name: string): Arranger => {
  const known = new Map<string, Promise<Arranged>>();
  /** What was asked for while a resource that it needs was arranged: it may be arranged later. */
  const tooEarly = new Set<string>();
  const exclusive = setApart(options, name);
  let mutable: Arranger | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const below = (path: readonly string[]): Arranger => {
    const get: Arranger["get"] = (resource, { types = [], within = [], isChanged = false } = {}) => {
      const ways = providersOf(options.contract, resource, kind, within);
      const list = isChanged ? ways.list.filter((way) => mayChange(options.target, way)) : ways.list;
      const isKeptApart = list.length < ways.list.length;
      const key = [resource, ...types, ...ways.scope, ...(isKeptApart ? ["changed"] : [])].join(" ");
      if (path.includes(key)) {
        for (const one of path.slice(path.indexOf(key) + 1)) tooEarly.add(one);
        return Promise.resolve({ missing: because("lacks", `${resource}, which depends on itself`) });
      }
      const begin = async (): Promise<Arranged> => {
        const wanted = { resource, types, ways: list, isParent: path.length > 0, isKeptApart };
        const isLasting = path.length > 0 && lastsInLists(options.contract, resource, list);
        const arranged = await getOrInsert(isLasting ? options.lasting : known, key, () =>
          arrange(options, below([...path, key]), wanted, { kind, name: isLasting ? "lasting" : name }),
        );
        if (tooEarly.delete(key) && !("value" in arranged)) known.delete(key);
        return arranged;
      };
      if (path.length > 0) return begin();
      // Arranges one resource at a time, so that two requests cannot wait for each other.
      const arranged = last.then(begin);
      last = arranged.catch(() => {});
      return arranged;
    };
    const arranger: Arranger = {
      ...needing(get),
      exclusive,
      mutable() {
        if (kind === "exclusive") return arranger;
        mutable ??= branch(options, "exclusive", `${name} mutable`);
        return mutable;
      },
      others: exclusive,
      isFound: (resource, id) => options.found.has(`${resource} ${id}`),
    };
    return arranger;
  };
  return below([]);
};

/** Whether a run may change what the provider shows. */
const mayChange = ({ embedded, permissions }: Target, { place }: ResourceProvider): boolean =>
  !place.isForeign || embedded || permissions.destructive;

/** Adds `need` to `get`: it returns the identifier, or throws the reason why there is none. */
export const needing = (get: Arranger["get"]): Pick<Arranger, "get" | "need"> => ({
  get,
  async need(resource, demand) {
    const arranged = await get(resource, demand);
    if ("value" in arranged) return arranged.value;
    if ("missing" in arranged) throw new (arranged.asked ? NotArranged : NotTried)(arranged.missing);
    throw new TargetLost(arranged.failed);
  },
});

const setApart = (options: Arranging, name: string): (() => Arranger) => {
  let count = 0;
  return () => {
    count += 1;
    return branch(options, "exclusive", `${name} ${count}`);
  };
};

interface Wanted {
  readonly resource: string;
  readonly types: readonly string[];
  readonly ways: readonly ResourceProvider[];
  /** Whether another resource needs it. */
  readonly isParent: boolean;
  /** Whether the resources of a list were left out, because they may belong to others. */
  readonly isKeptApart: boolean;
}

const arrange = async (
  options: Arranging,
  arranger: Arranger,
  wanted: Wanted,
  { kind, name }: { readonly kind: Kind; readonly name: string },
): Promise<Arranged> => {
  const { resource } = wanted;
  const source = options.sources[resource];
  const isOwn = kind === "exclusive" && source?.kept === true;
  const configured =
    source === undefined
      ? undefined
      : await (isOwn ? spare(options, source, wanted) : configuredBy(options, source));
  if (configured !== undefined) return { value: configured };
  const missing: Extract<Arranged, { readonly missing: Reason }>[] = [];
  const failed: Reason[] = [];
  for (const way of wanted.ways) {
    const arranged = await through(options, arranger, wanted, { ...way, name });
    if ("value" in arranged) return arranged;
    if ("failed" in arranged) failed.push(arranged.failed);
    else missing.push(arranged);
  }
  const [failure] = failed;
  if (failure !== undefined) return { failed: failure };
  const value = wanted.ways.length === 0 ? (options.choose?.(resource, name) ?? source?.example) : undefined;
  if (value !== undefined && value === source?.example) options.found.add(`${resource} ${value}`);
  if (value !== undefined) return { value };
  const isUnnamed = kind === "exclusive" && source?.kept === true;
  const reasons = missing.map((one) => one.missing);
  const needs = whyMissing(wanted, isUnnamed ? undefined : source, reasons);
  return { missing: needs, ...(missing.some(({ asked }) => asked) && { asked: true }) };
};

/** Returns a resource that one trial may use up, if a new one would lack what others need of it. */
const spare = async (
  options: ArrangerOptions,
  { situation, linked, name }: Setting,
  { isParent }: Wanted,
): Promise<string | undefined> => {
  const { capabilities, contract } = options;
  const isComplete = linked && capabilities.linkAccounts !== undefined;
  if (situation === undefined || !isParent || isComplete || !capabilities.offers(situation)) return undefined;
  try {
    return (await capabilities.arrange(situation))[idName(contract.service, name)];
  } catch (error) {
    // All are used.
    if (error instanceof NotTried) return undefined;
    throw error;
  }
};

const configuredBy = async (options: ArrangerOptions, source: Setting): Promise<string | undefined> => {
  const value = options.target.values[source.name];
  const { situation } = source;
  if (value !== undefined || situation === undefined || !options.capabilities.offers(situation)) return value;
  const ids = await options.capabilities.arrange(situation);
  return ids[idName(options.contract.service, source.name)];
};

const through = async (
  options: Arranging,
  arranger: Arranger,
  wanted: Wanted,
  { operation, place, isNew, name }: ResourceProvider & { readonly name: string },
): Promise<Arranged> => {
  const { resource, types } = wanted;
  const draw = [name, operation.operationId, resource, ...types].join(" ");
  const exchange = await options.call(operation, arranger, draw).catch(unarranged);
  if (!("request" in exchange)) return exchange;
  if (exchange.failure?.kind === "not-allowed")
    return { missing: exchange.failure.reason ?? because("unanswered", exchange.failure.message) };
  if (isNew && statusOf(exchange) === 409) {
    // Another worker that shares the parent resource was faster, after this one looked for the resource.
    for (const way of wanted.ways.filter((one) => !one.isNew)) {
      const found = await through(options, arranger, wanted, { ...way, name });
      if ("value" in found) return found;
    }
    if (isWithinKept(exchange, options.sources, options.target))
      return { missing: because("answered", operation.operationId, "409: one already exists") };
  }
  if (isRefusal(exchange))
    return { missing: notReturned(operation, place, refusalWords(exchange)), asked: true };
  if (!isAccepted(exchange)) {
    return { failed: notReturned(operation, place, answerOf(exchange)) };
  }
  const pointer = options.bindings[operation.operationId] ?? place.pointer;
  const body = isNew && isOfStart(operation, exchange) ? undefined : exchange.response?.json;
  const located = isNew ? createdAt(options.contract, place.resource, exchange) : undefined;
  const named = operation.creates === place.resource ? lastNameIn(exchange) : undefined;
  const id = named ?? identifiersAt(body, pointer, types)[0]?.value ?? located;
  if (id === undefined) {
    if (statusOf(exchange) === 202)
      return { missing: because("answered", operation.operationId, "202, and may act later"), asked: true };
    if (isEmptyList(body, pointer))
      return {
        missing: because("lists-none", operation.operationId, hintForEmpty(options, operation)),
      };
    return {
      missing: because("name-left-open", operation.operationId, `${resource} at ${pointer}`),
      asked: true,
    };
  }
  const value = String(id);
  if (isNew) await options.prepare?.(place.resource, value);
  // A list without an owner in its path shows what other clients made, too.
  else if (place.isForeign || !operation.path.includes("{")) options.found.add(`${place.resource} ${value}`);
  return { value };
};
