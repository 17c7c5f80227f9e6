/** Lists the operations that find or create a resource, and finds the identifiers that requests and answers name. */
import { instancesAt } from "../checks/rules.ts";
import type { Contract, Operation, ResourcePlace } from "../contract/contract.ts";
import { isSame } from "../contract/json.ts";
import { placesIn } from "../contract/lookups.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { atPointer, percentDecoded } from "../contract/pointer.ts";
import { type Exchange, isAccepted, type PlacedId, statusOf } from "../exchange/exchange.ts";
import type { GivenId } from "../exchange/repeatable.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";

/** Whether trials share the arranged resource, or only one trial uses it. */
export type Kind = "shared" | "exclusive";

export interface ResourceProvider {
  readonly operation: Operation;
  readonly place: ResourcePlace;
  readonly isNew: boolean;
}

/**
 * Returns the ways to get a resource. Finding one is cheapest, then creating one. Slow and billable calls are last.
 * @param within resources to which it has to belong
 */
export const providersOf = (
  contract: Contract,
  resource: string,
  kind: Kind,
  within: readonly string[] = [],
): {
  readonly list: readonly ResourceProvider[];
  /** The resources to which another way might return one that does not belong. */
  readonly scope: readonly string[];
} => {
  const all = getOrInsert(known(contract), resource, () => cheapestFirst(contract, resource));
  // A list without an owner in its path returns resources that other trials use too.
  const own = all.filter(({ operation, isNew }) => isNew || operation.path.includes("{"));
  const ways = kind === "exclusive" && own.length > 0 ? ownFirst(own) : all;
  const scope = within.filter((parent) => ways.some(({ operation }) => concerns(operation, parent)));
  const list = ways.filter(({ operation }) => scope.every((parent) => concerns(operation, parent)));
  return list.length === 0 || list.length === ways.length ? { list: ways, scope: [] } : { list, scope };
};

/** Whether only the user can name a resource: nothing lists or creates it. */
export const isUnprovided = (contract: Contract, resource: string): boolean =>
  providersOf(contract, resource, "shared").list.length === 0;

/**
 * Whether clients choose the identifier, as a PUT creates what is below the resource, which nothing else provides. Others
 * may have chosen a number or a short name.
 */
export const isChosen = (contract: Contract, resource: string, id: string): boolean =>
  /\p{L}{3}/u.test(id) &&
  isUnprovided(contract, resource) &&
  contract.operations.some(
    ({ creates, parameters }) =>
      creates !== undefined && parameters.some((one) => one.in === "path" && one.resource === resource),
  );

/** A trial that uses up a resource takes none from a list that other trials share, if it can create one. */
const ownFirst = (ways: readonly ResourceProvider[]): readonly ResourceProvider[] => {
  const isShared = ({ place, isNew }: ResourceProvider): boolean => place.isForeign === true && !isNew;
  return [...ways.filter((way) => !isShared(way)), ...ways.filter(isShared)];
};

/** The ways by contract, then by resource. */
const known = memoize((_: Contract) => new Map<string, readonly ResourceProvider[]>());

const cheapestFirst = ({ operations }: Contract, resource: string): readonly ResourceProvider[] => {
  const ofOthers = operations.some(({ removes }) => removes[resource] !== undefined) ? OF_OTHERS : 0;
  const owners = new Set(operations.flatMap((operation) => ownersIn(operation, resource)));
  // What belongs to another resource may mention this one, as an order mentions its products.
  const isMention = ({ operation: { parameters }, place }: ResourceProvider): boolean =>
    place.isForeign === true &&
    parameters.some((one) => one.in === "path" && one.resource !== undefined && !owners.has(one.resource));
  return operations
    .flatMap((operation): ResourceProvider[] => [
      ...placesOf(operation.finds, resource).map((place) => ({ operation, place, isNew: false })),
      ...placesOf(operation.produces, resource).map((place) => ({ operation, place, isNew: true })),
      ...(operation.creates === resource
        ? [{ operation, place: { resource, pointer: "" }, isNew: true }]
        : []),
    ])
    .map((way) => [way, costOf(way) + (isOwnerless(way) || isMention(way) ? ofOthers : 0)] as const)
    .sort(([, a], [, b]) => a - b)
    .map(([way]) => way);
};

/** Returns the resources before a resource in the path of an operation. */
const ownersIn = ({ parameters }: Operation, resource: string): string[] => {
  const path = parameters.flatMap((one) =>
    one.in === "path" && one.resource !== undefined ? [one.resource] : [],
  );
  return path.slice(0, Math.max(0, path.indexOf(resource)));
};

/** Another client may remove what a list without an owner in its path shows, so that an own resource is better. */
const OF_OTHERS = 3;

const isOwnerless = ({ operation, isNew }: ResourceProvider): boolean =>
  !isNew && !operation.path.includes("{");

/** Whether only lists without an owner in their paths show the resource, and no operation removes it. */
export const lastsInLists = (
  { operations }: Contract,
  resource: string,
  ways: readonly ResourceProvider[],
): boolean =>
  ways.length > 0 &&
  ways.every(isOwnerless) &&
  !operations.some(({ removes }) => removes[resource] !== undefined);

/** Whether what the operation returns belongs to the resource: its path names the resource, or the resource exists before. */
const concerns = ({ parameters, needs }: Operation, resource: string): boolean =>
  needs.includes(resource) || parameters.some((one) => one.in === "path" && one.resource === resource);

const costOf = ({ operation, isNew }: ResourceProvider): number =>
  // Finding a resource with another method than GET may create something else.
  (operation.method === "GET" ? 0 : 1) +
  (operation.hazards.includes("billable") ? 4 : 0) +
  (operation.hazards.includes("slow") ? 2 : 0) +
  (isNew ? 1 : 0);

const placesOf = (places: readonly ResourcePlace[], resource: string): ResourcePlace[] =>
  places.filter((place) => place.resource === resource);

/** Returns the identifiers at a pointer, of one of the types if there are any. */
export const identifiersAt = (
  body: unknown,
  pointer: string,
  types: readonly string[],
): readonly { readonly pointer: string; readonly value: unknown }[] =>
  instancesAt(body, pointer).filter(
    (instance) => isIdentifier(instance.value) && isOfType(body, instance.pointer, types),
  );

const isIdentifier = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || typeof value === "number";

/** Whether the type matches. The spelling varies (gaps: account type spellings), so only letters and digits count. */
const isOfType = (body: unknown, pointer: string, types: readonly string[]): boolean => {
  if (types.length === 0) return true;
  const [type] = instancesAt(body, pointer.replace(/\/[^/]*$/, "/type"));
  return types.map(spelling).includes(spelling(String(type?.value)));
};

const spelling = (type: string): string => type.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * Returns the identifier at the end of the address in an answer (RFC 9110, 10.2.2); `undefined` if the address is the one of the
 * request, with any query.
 */
export const locatedIn = (exchange: Exchange): string | undefined => {
  const { own, path } = addressIn(exchange) ?? {};
  const last = path?.at(-1);
  return last === undefined || path?.join("/") === own?.join("/") ? undefined : percentDecoded(last);
};

/** Returns the name at the end of the path of a request. */
export const lastNameIn = ({ request }: Exchange): string | undefined =>
  percentDecoded(new URL(request.url).pathname.split("/").at(-1) ?? "");

/** Returns the segments of the address in an answer, and of the address of its request. */
const addressIn = ({ request, response }: Exchange) => {
  const location = response?.headers.location;
  if (location === undefined || !URL.canParse(location, request.url)) return undefined;
  const segmentsIn = (url: string): string[] =>
    new URL(url, request.url).pathname.split("/").filter((one) => one !== "");
  return { own: segmentsIn(request.url), path: segmentsIn(location) };
};

/** Returns the identifier of a created resource at the end of its address. A 202 may have the address of a monitor (15.3.3). */
export const createdAt = (
  { operations }: Contract,
  resource: string,
  exchange: Exchange,
): string | undefined => {
  const { path = [] } = addressIn(exchange) ?? {};
  const isOfResource = operations.some((one) =>
    one.parameters.some(({ in: place, name, resource: named }) => {
      const own = one.path
        .slice(0, one.path.indexOf(`{${name}}`))
        .split("/")
        .slice(1);
      const end = path.slice(-own.length);
      const isAlike = own.every((part, index) => /^$|^\{/.test(part) || part === end[index]);
      return place === "path" && named === resource && isAlike;
    }),
  );
  return statusOf(exchange) !== 202 || isOfResource ? locatedIn(exchange) : undefined;
};

/** Whether an answer describes what the call only started, and not what it creates, as the document tells them apart. */
export const isOfStart = ({ responses }: Operation, exchange: Exchange): boolean =>
  statusOf(exchange) === 202 &&
  responses[201] !== undefined &&
  !isSame(responses[201].content, responses[202]?.content);

/** Returns the identifiers that an accepted call gives to resources. The caller may have chosen them. */
export const idsGivenBy = (
  { operationId, method, produces }: Operation,
  exchange: Exchange,
  bindings: Readonly<Record<string, string>>,
): GivenId[] => {
  if (!isAccepted(exchange)) return [];
  const { ids: sent = [], requestJson } = exchange;
  return produces.flatMap(({ resource, pointer: stated }) => {
    const own = sent.filter((one) => one.resource === resource && (method === "PUT" || one.in === "body"));
    const pointer = bindings[operationId] ?? stated;
    const answered = idsAt(exchange, pointer).map((value) => ({
      ...{ resource, value, pointer },
      isChosen: String(atPointer(requestJson, pointer)) === value,
    }));
    return [...own.map(({ value }) => ({ resource, value, pointer, isChosen: true })), ...answered];
  });
};

/**
 * Returns the identifiers that an accepted call names and that no answer gives: a caller chose them, so that a later call
 * which names them may need this one.
 */
export const idsChosenBy = (contract: Contract, { values }: Target, exchange: Exchange): GivenId[] =>
  exchange.request.method === "GET" || !isAccepted(exchange)
    ? []
    : (exchange.ids ?? [])
        .filter(({ in: place, value }) => place === "body" && value.length >= SHORTEST_CHOSEN)
        .filter(
          ({ value, resource }) => isUnprovided(contract, resource) && !Object.values(values).includes(value),
        )
        .map(({ resource, value, name }) => ({ resource, value, pointer: name, isChosen: true }));

/** A shorter value that a client chooses, for example a currency, identifies nothing. */
const SHORTEST_CHOSEN = 10;

/** Returns the identifiers that an accepted answer shows. */
export const idsShownBy = (
  contracts: readonly Contract[],
  exchange: Exchange,
): Pick<GivenId, "resource" | "value">[] =>
  (isAccepted(exchange) ? contracts : [])
    .filter(({ service }) => service === exchange.service)
    .flatMap((contract) => placesIn(contract, exchange))
    .flatMap(({ resource, pointer }) => idsAt(exchange, pointer).map((value) => ({ resource, value })));

/** Returns the identifiers of resources in a call, with their places. */
export const idsSentBy = (contract: Contract, operation: Operation, call: Call): PlacedId[] => {
  const { path = {}, query = {}, headers = {}, json, raw } = call;
  const given = { ...(call.at === undefined && { path }), query, header: headers };
  const steps = operation.path.split(/[?#]/)[0]?.split("/") ?? [];
  const parameters = PLACES.flatMap((place) =>
    operation.parameters.flatMap(({ in: stated, name, resource }): PlacedId[] => {
      const value: unknown = given[place]?.[name];
      if (stated !== place || resource === undefined || !isIdentifier(value)) return [];
      const after = steps.length - 1 - steps.findIndex((step) => step.includes(`{${name}}`));
      return [{ in: place, name, resource, value: String(value), ...(place === "path" && { after }) }];
    }),
  );
  const fields = placesIn(contract, operation, "request").flatMap(({ resource, pointer }) =>
    instancesAt(json ?? raw?.form, pointer).flatMap((one): PlacedId[] =>
      isIdentifier(one.value) ? [{ in: "body", name: one.pointer, resource, value: String(one.value) }] : [],
    ),
  );
  return [...parameters, ...fields];
};

const PLACES = ["path", "query", "header"] as const;

/**
 * Returns all created ids. If the pointer names one list item, all items count, because a call may create several
 * records.
 */
export const idsAt = (exchange: Exchange, pointer: string): string[] =>
  instancesAt(exchange.response?.json, pointer.replaceAll(/\/\d+(?=\/)/g, "/*")).flatMap(({ value }) =>
    isIdentifier(value) ? [String(value)] : [],
  );
