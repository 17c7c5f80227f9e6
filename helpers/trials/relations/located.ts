/** Tries that the address in the answer to a creation leads to what the call created (RFC 9110, 10.2.2). */
import { checkLocated } from "../../checks/located.ts";
import { instancesAt } from "../../checks/rules.ts";
import type { Operation } from "../../contract/contract.ts";
import { withArticle } from "../../contract/names.ts";
import type { Relation } from "../../contract/relations.ts";
import { givenResource, memberReadOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { createMatcher } from "../../traffic/match.ts";
import { type Call, NotTried, type T } from "../kit/language.ts";
import { carriedOut, isOfPath, leaveUnseen, namedIn } from "./resources.ts";

/** The header with the address. */
const HEADER = "Location";

export const tryLocated = async (t: T, { requirement }: Relation, operationId: string): Promise<void> => {
  const operation = t.operationOf(operationId);
  const resource = givenResource(operation);
  const call = await t.validCall(operationId, t.arrange.exclusive());
  const made = await carriedOut(t, call);
  const [id] = operation.produces.flatMap(({ pointer }) => shownAt(made, pointer));
  const { location } = made.response?.headers ?? {};
  if (location === undefined)
    throw new NotTried("part-not-shown", `${operationId} shows no identifier at ${HEADER}`);
  const unclear = () => leaveUnseen(t, requirement, operation, `${withArticle(resource)} at its Location`);
  const read = await readAt(t, made, location, resource);
  if (read === undefined) return unclear();
  const reader = t.operationOf(read.operationId);
  const places = reader.shows.filter((place) => place.resource === resource);
  const idOf = (exchange: Exchange) => places.flatMap(({ pointer }) => shownAt(exchange, pointer))[0];
  const readOwn = (of: string) => t.readUntil(() => t.answerTo(ownRead(reader, read, call, of)), isAccepted);
  const own = id === undefined ? undefined : await readOwn(id);
  const judge = (exchange: Exchange) =>
    checkLocated({ exchange, id: idOf(exchange) }, own && { exchange: own, id: idOf(own) });
  const found = await t.readUntil(
    () => t.answerTo(read),
    (exchange) => judge(exchange)?.holds !== false,
  );
  const result = judge(found);
  if (result === undefined) return unclear();
  t.record(requirement, result, [found, made]);
  t.showOccasion(requirement);
};

const shownAt = (exchange: Exchange, pointer: string): string[] =>
  instancesAt(contentOf(exchange), pointer).map(({ value }) => String(value));

/**
 * Returns the call that the address of a creation leads to; `undefined` when it leads outside of the target, or to something
 * else than a read of the resource.
 */
const readAt = async (
  t: T,
  made: Exchange,
  location: string,
  resource: string,
): Promise<Call | undefined> => {
  const { contract, target } = t;
  if (!URL.canParse(location, made.request.url)) return undefined;
  const url = new URL(location, made.request.url);
  const { operation, path = {} } = createMatcher([contract], target.baseUrls)("GET", url) ?? {};
  if (operation === undefined || memberReadOf(contract, resource, operation.path) === undefined)
    return undefined;
  const call = await t.validCall(operation.operationId, namedIn(operation, path));
  const query = { ...call.query, ...Object.fromEntries(url.searchParams) };
  return { ...call, path, query };
};

/** Returns the read of the resource by the identifier that its creation showed. */
const ownRead = ({ parameters }: Operation, read: Call, { path = {} }: Call, id: string): Call => {
  const { name = "" } = parameters.findLast(isOfPath) ?? {};
  return { ...read, path: { ...read.path, ...path, [name]: id } };
};
