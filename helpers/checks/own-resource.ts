/** Checks that an answer is about the resource that the path names, and about no other. */
import type { Operation } from "../contract/contract.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import type { OwnPlace } from "../contract/own-places.ts";
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, type SentRequest, statusOf } from "../exchange/exchange.ts";
import { instancesAt } from "./rules.ts";

/** The identifiers of a run by resource, in lower case. */
export interface KnownIds {
  /** Identifiers in the paths of accepted calls. */
  readonly named: Map<string, Set<string>>;
  /** The same identifiers, by operationId and resource. */
  readonly asked: Map<string, Set<string>>;
  /** Identifiers in the items of lists. */
  readonly listed: Map<string, Set<string>>;
}

export const noIds = (): KnownIds => ({
  named: new Map(),
  asked: new Map(),
  listed: new Map(),
});

/** Adds the identifiers in the path of an accepted call, and those that its answer lists. */
export const learnIds = (
  { named, asked, listed }: KnownIds,
  operation: Operation,
  exchange: Exchange,
): void => {
  if (!isAccepted(exchange)) return;
  const add = (ids: Map<string, Set<string>>, key: string, id: string) =>
    getOrInsert(ids, key, () => new Set()).add(comparable(id));
  for (const { in: place, name, resource } of operation.parameters) {
    if (place !== "path" || resource === undefined) continue;
    const value = pathValue(operation, exchange.request, name);
    if (value === undefined) continue;
    add(named, resource, value);
    add(asked, askedKey(operation, resource), value);
  }
  for (const { resource, pointer } of operation.finds) {
    for (const { value } of instancesAt(exchange.response?.json, pointer))
      add(listed, resource, String(value));
  }
};

/**
 * Only an identifier that the server knows as another resource of the same kind is a violation: no document shows the
 * names and forms of most fields. One that only a list showed counts beside an item that shows the own identifier.
 * @returns `undefined` if the answer shows no such identifier
 */
export const checkOwnResource = (
  operation: Operation,
  places: readonly OwnPlace[],
  exchange: Exchange,
  known: KnownIds,
): CheckResult | undefined => {
  if (!isAccepted(exchange)) return undefined;
  let shown: CheckResult | undefined;
  for (const { parameter, status, pointer } of places) {
    if (status !== statusOf(exchange)) continue;
    const own = pathValue(operation, exchange.request, parameter.name);
    if (own === undefined) continue;
    const { resource = "" } = parameter;
    const instances = instancesAt(exchange.response?.json, pointer);
    const isOwnShown = instances.some(({ value }) => comparable(value) === comparable(own));
    const isOther = (id: string): boolean =>
      known.named.get(resource)?.has(id) === true ||
      (isOwnShown && known.listed.get(resource)?.has(id) === true);
    for (const { value, pointer: at } of instances) {
      const found = comparable(value);
      if (found === comparable(own)) shown = HOLDS;
      else if (isOther(found))
        return violation({
          pointer: at,
          message: `${operation.operationId} answered about another ${parameter.resource} than its path names`,
          expected: own,
          actual: String(value),
        });
    }
  }
  return shown;
};

/** Whether the operation was called for two resources. One that repeats its first answer shows only then. */
export const wasAskedForTwo = (
  operation: Operation,
  places: readonly OwnPlace[],
  { asked }: KnownIds,
): boolean =>
  places.some(
    ({ parameter: { resource = "" } }) => (asked.get(askedKey(operation, resource))?.size ?? 0) > 1,
  );

const askedKey = ({ operationId }: Operation, resource: string): string => `${operationId} ${resource}`;

const comparable = (value: unknown): string => String(value).toLowerCase();

/** Returns the value of a path parameter. The address may have more segments before the path. */
const pathValue = (operation: Operation, request: SentRequest, name: string): string | undefined => {
  const template = templateOf(operation);
  const index = template.indexOf(`{${name}}`);
  if (index < 0) return undefined;
  const sent = segmentsOf(request);
  return decodeURIComponent(sent[Math.max(0, sent.length - template.length) + index] ?? "");
};

const templateOf = memoize(({ path }: Operation): readonly string[] => path.split("/").slice(1));

/** Changed copies of an exchange share its request. */
const segmentsOf = memoize(({ url }: SentRequest): readonly string[] => new URL(url).pathname.split("/"));
