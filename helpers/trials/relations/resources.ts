/** Arranges the resources of a call whose relation to others is tried, and finds them in answers. */
import type { Operation, Parameter } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import { requestRulesOf } from "../../contract/lookups.ts";
import { type ChangedView, viewsOf } from "../../contract/views.ts";
import { contentOf, type Exchange, statusOf } from "../../exchange/exchange.ts";
import type { Arranger } from "../arrange.ts";
import { lasts } from "../created-resources.ts";
import { having } from "../given-resources.ts";
import { type Call, NotTried, type Resources, type T } from "../kit/language.ts";
import { demandOf } from "../valid-call.ts";

/** A read, and what it showed of the resource before. */
export interface Look {
  readonly view: ChangedView;
  readonly exchange: Exchange;
  readonly shown: unknown;
}

/** Arranges each resource in the path of the operation, and the one that it changes. */
export const resourcesIn = async (
  arrange: Arranger,
  operation: Operation,
  changed: string,
): Promise<Resources> => {
  const about: Record<string, string> = {};
  const named = operation.parameters.flatMap(({ in: place, resource }) =>
    place === "path" && resource !== undefined ? [resource] : [],
  );
  // The last one brings those above it.
  for (const resource of new Set([changed, ...named.toReversed()]))
    about[resource] = await arrange.need(resource, demandOf(operation, resource));
  return about;
};

/** Returns the operation with the path of the call that creates the resource, too: it may name others above the resource. */
export const withMaker = ({ contract }: T, operation: Operation, resource: string): Operation => {
  const maker = contract.operations.find(({ produces }) =>
    produces.some((place) => place.resource === resource),
  );
  return { ...operation, parameters: [...(maker?.parameters ?? []), ...operation.parameters] };
};

/** Shares a sibling that would stay on the target for good and that reads show: then the trial leaves it as it is. */
export const arrangerOf = (t: T, resource: string): Arranger => {
  const { contract, target } = t;
  const stays = contract.operations.some(
    (one) => one.produces.some((place) => place.resource === resource) && lasts(contract, one, target),
  );
  return stays && viewsOf(contract, resource).length > 0 ? t.arrange : t.arrange.exclusive();
};

/**
 * Generates calls, and returns the one that tells most, or nothing if none tells anything.
 * @param tells how many values of a call its relation can be seen by
 */
export const mostTelling = async (
  t: T,
  operation: Operation,
  arrange: Arranger,
  tells: (call: Call) => number,
): Promise<Call | undefined> => {
  let best: { readonly call: Call; readonly telling: number } | undefined;
  const given = having(arrange, { ...addressesFor(t, operation), ...arrange.given });
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const call = await t.validCall(operation.operationId, given, { draw });
    const telling = tells(call);
    if (telling > (best?.telling ?? 0)) best = { call, telling };
    if (call.json === undefined) break;
  }
  return best?.call;
};

const MOST_DRAWS = 8;

/** Returns new addresses for the body of a call, at which nobody needs to listen. */
const addressesFor = ({ contract, seed }: T, { operationId }: Operation): Resources =>
  Object.fromEntries(
    requestRulesOf(contract, operationId).flatMap(({ schema }) =>
      schema["x-data"] === "uri" && schema["x-resource"] !== undefined
        ? [[schema["x-resource"], `https://listener.example.com/${seed >>> 0}`]]
        : [],
    ),
  );

/**
 * Returns the answer to a call that the target has carried out.
 * @throws NotTried when the target refuses the call, or may carry it out later (RFC 9110, 15.3.3)
 */
export const carriedOut = async (t: T, call: Call): Promise<Exchange> => {
  const change = await t.answerTo(call);
  t.assertAccepted(change);
  if (statusOf(change) === 202) throw new NotTried("answered", call.operationId, LATER);
  return change;
};

const LATER = "202, and may act later";

/** @param what what the operation changes */
export const leaveUnseen = (t: T, requirement: string, { operationId }: Operation, what: string): void =>
  t.leaveUntried(requirement, "part-not-shown", `no read shows what ${operationId} does to ${what}`);

export const isOfPath = ({ in: place }: Parameter): boolean => place === "path";

/** Returns the resources that a path names. */
export const namedIn = ({ parameters }: Operation, path: NonNullable<Call["path"]>): Resources =>
  Object.fromEntries(
    parameters
      .filter(isOfPath)
      .flatMap(({ name, resource }) => (resource === undefined ? [] : [[resource, path[name] ?? ""]])),
  );

/** Returns what a call names in its path and at the top of its body. */
export const givenIn = ({ path, json }: Call): Readonly<Record<string, unknown>> => ({
  ...path,
  ...fieldsIn(json),
});

/** Returns the fields of a call that a read shows. */
export const givenTo = ({ fields }: ChangedView, call: Call): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(givenIn(call)).filter(([name]) => fields.includes(name)));

/** Returns what an answer shows of the resource: the item with its identifier, or else the whole answer. */
export const shownOf = (exchange: Exchange, id: string): unknown =>
  partAbout(contentOf(exchange), id) ?? contentOf(exchange);

/** Returns the item of a list, at any depth, that has the identifier as one of its values. */
export const partAbout = (value: unknown, id: string): unknown => {
  if (typeof value !== "object" || value === null) return undefined;
  const own = Array.isArray(value) ? value.find((item) => isAbout(item, id)) : undefined;
  return (
    own ??
    Object.values(value)
      .map((one) => partAbout(one, id))
      .find((one) => one !== undefined)
  );
};

/** Whether an object has the identifier as one of its values. */
export const isAbout = (item: unknown, id: string): boolean =>
  Object.values(fieldsIn(item)).some((one) => String(one) === id);

export const fieldsIn = (body: unknown): Readonly<Record<string, unknown>> => (isObject(body) ? body : {});
