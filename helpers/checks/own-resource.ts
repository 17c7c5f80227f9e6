/** Checks that an answer is about the resource that the path names, and about no other. */
import type { Operation } from "../contract/contract.ts";
import type { OwnPlace } from "../contract/own-places.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import { type CheckResult, HOLDS, violation } from "./check.ts";
import { instancesAt } from "./rules.ts";

/** Identifiers that accepted calls named in their paths, by resource, in lower case. */
export type KnownIds = Map<string, Set<string>>;

/** Adds the identifiers in the path of an accepted call. */
export const learnIds = (known: KnownIds, operation: Operation, exchange: Exchange): void => {
  if (!isAccepted(exchange)) return;
  const values = pathValues(operation, exchange.request.url);
  for (const { in: place, name, resource } of operation.parameters) {
    const value = values.get(name);
    if (place !== "path" || resource === undefined || value === undefined) continue;
    known.set(resource, (known.get(resource) ?? new Set()).add(comparable(value)));
  }
};

/**
 * Only an identifier that the server knows as another resource of the same kind is a violation: no document shows the
 * names and forms of most fields.
 * @returns `undefined` if the answer shows no such identifier
 */
export const checkOwnResource = (
  { operationId, path, parameters }: Operation,
  places: readonly OwnPlace[],
  exchange: Exchange,
  known: KnownIds,
): CheckResult | undefined => {
  if (!isAccepted(exchange)) return undefined;
  const values = pathValues({ path, parameters }, exchange.request.url);
  let shown: CheckResult | undefined;
  for (const { parameter, status, pointer } of places) {
    const own = values.get(parameter.name);
    if (own === undefined || status !== statusOf(exchange)) continue;
    const all = known.get(parameter.resource ?? "") ?? new Set();
    for (const { value, pointer: at } of instancesAt(exchange.response?.json, pointer)) {
      const found = comparable(value);
      if (found === comparable(own)) shown = HOLDS;
      else if (all.has(found))
        return violation({
          pointer: at,
          message: `${operationId} answered about another ${parameter.resource} than its path names`,
          expected: own,
          actual: String(value),
        });
    }
  }
  return shown;
};

/** Whether another resource is known that the answer could be about. */
export const couldShowAnother = (places: readonly OwnPlace[], known: KnownIds): boolean =>
  places.some(({ parameter }) => (known.get(parameter.resource ?? "")?.size ?? 0) > 1);

const comparable = (value: unknown): string => String(value).toLowerCase();

/** Returns the values of the path parameters. The address may have more segments before the path. */
const pathValues = ({ path }: Pick<Operation, "path" | "parameters">, url: string): Map<string, string> => {
  const template = path.split("/").slice(1);
  const sent = new URL(url).pathname.split("/").slice(-template.length);
  return new Map(
    template.flatMap((segment, index) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(sent[index] ?? "")]];
    }),
  );
};
