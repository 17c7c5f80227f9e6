/** Tries conditions about the state of a resource with the entity tags that reads give (RFC 9110, 13.1). */
import { checkAcceptedTag, checkContent } from "../../checks/entity-tags.ts";
import { checkGiven, tellingValues } from "../../checks/given-values.ts";
import type { Operation } from "../../contract/contract.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { changesShownBy, taggedReadOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { having } from "../given-resources.ts";
import { type Call, ifPossible, NotTried, type T } from "../kit/language.ts";
import { carriedOut, givenTo, leaveUnseen, mostTelling, namedIn } from "./resources.ts";

/** The header with the tag. */
const HEADER = "ETag";

/** Tries that a read whose condition names another state gives the content: a state that never was, and the one before a change. */
export const tryFresh = async (t: T, { requirement }: Relation, operationId: string): Promise<void> => {
  const operation = t.operationOf(operationId);
  const changes = changesShownBy(t.contract, operation);
  const call = await t.validCall(operationId, changes.length > 0 ? t.arrange.exclusive() : t.arrange);
  const read = () => t.answerTo(call);
  const before = await t.readUntil(read, isAccepted);
  t.assertAccepted(before);
  const ask = (tag: string) => t.answerTo(withHeader(call, "If-None-Match", tag));
  const unknown = await ask(OF_NOBODY);
  t.record(requirement, checkContent(unknown, "of no state"), [unknown, before]);
  t.showOccasion(requirement);
  const tag = tagIn(t, operation, "If-None-Match", before);
  if (tag === undefined) return;
  const same = await ask(tag);
  t.record(requirement, checkAcceptedTag(same, [304]), [same, before]);
  for (const change of changes.slice(0, 1)) {
    const after = await ifPossible(() => changed(t, change, call, before, read));
    if (after === undefined || after instanceof NotTried) return;
    const late = await t.readUntil(
      () => ask(tag),
      (one) => statusOf(one) !== NOT_MODIFIED,
    );
    t.record(requirement, checkContent(late, "of the state before a change"), [late, after, before]);
  }
};

/** An entity tag that no server has given (RFC 9110, 8.8.3). */
const OF_NOBODY = '"assay-of-no-state"';

const NOT_MODIFIED = 304;

const withHeader = (call: Call, name: string, value: string): Call => {
  const others = Object.entries(call.headers ?? {}).filter(
    ([one]) => one.toLowerCase() !== name.toLowerCase(),
  );
  return { ...call, headers: { ...Object.fromEntries(others), [name]: value } };
};

/** Changes what a read shows. @returns the first read that shows the change; `undefined` if none does */
const changed = async (
  t: T,
  { change, view }: ReturnType<typeof changesShownBy>[number],
  { path = {} }: Call,
  before: Exchange,
  read: () => Promise<Exchange>,
): Promise<Exchange | undefined> => {
  const shownIn = (exchange: Exchange) => atPointer(contentOf(exchange), view.at);
  const arrange = having(t.arrange.exclusive(), namedIn(view.operation, path));
  const tells = (call: Call) => tellingValues(givenTo(view, call), shownIn(before)).length;
  const call = await mostTelling(t, change, arrange, tells);
  if (call === undefined) return undefined;
  await carriedOut(t, call);
  const isShown = (exchange: Exchange): boolean =>
    isAccepted(exchange) &&
    checkGiven(givenTo(view, call), shownIn(before), shownIn(exchange))?.holds === true;
  const after = await t.readUntil(read, isShown);
  return isShown(after) ? after : undefined;
};

/** Tries that a call is accepted whose condition names the present state. */
export const tryCurrent = async (t: T, { requirement }: Relation, operationId: string): Promise<void> => {
  const operation = t.operationOf(operationId);
  const read = taggedReadOf(t.contract, operation);
  if (read === undefined) return leaveUnseen(t, requirement, operation, "the entity tag");
  const call = await t.validCall(operationId, t.arrange.exclusive());
  const about = namedIn(operation, call.path ?? {});
  // Another coding of the content has another tag.
  const look = () => t.answered(read.operationId, about, { headers: { "accept-encoding": "identity" } });
  const before = await t.readUntil(look, isAccepted);
  t.assertAccepted(before);
  const tag = tagIn(t, operation, "If-Match", before);
  // No condition of this kind is fulfilled by a weak tag (RFC 9110, 13.1.1).
  if (tag === undefined || /^W\//.test(tag))
    throw new NotTried("part-not-shown", `${read.operationId} shows no identifier at ${HEADER}`);
  const sent = await t.answerTo(withHeader(call, "If-Match", tag));
  const again = isAccepted(sent) ? before : await look();
  if (tagIn(t, operation, "If-Match", again) !== tag)
    return leaveUnseen(t, requirement, operation, "an entity tag that stays");
  const result = checkAcceptedTag(sent, []);
  if (result === undefined)
    return t.leaveUntried(requirement, "refused", operationId, "a valid call", statusOf(sent));
  t.record(requirement, result, [sent, before]);
  t.showOccasion(requirement);
};

/** Returns the entity tag of an answer; `undefined` if it has none, or none that the header of the operation allows. */
const tagIn = (
  { validator }: T,
  { parameters }: Operation,
  header: string,
  { response }: Exchange,
): string | undefined => {
  const { etag } = response?.headers ?? {};
  const { schema = {} } = parameters.find(({ name }) => name.toLowerCase() === header.toLowerCase()) ?? {};
  return etag !== undefined && validator.validate(schema, etag).length === 0 ? etag : undefined;
};
