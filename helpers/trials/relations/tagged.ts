/** Tries conditions about the state of a resource with the entity tags that reads give (RFC 9110, 13.1). */
import { checkAcceptedTag, checkContent } from "../../checks/entity-tags.ts";
import { checkGiven, tellingValues } from "../../checks/given-values.ts";
import type { Operation } from "../../contract/contract.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { changesShownBy, taggedReadOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { readUntil } from "../../flows/read-until.ts";
import type { Call } from "../call.ts";
import { having } from "../given-resources.ts";
import { answered, answerTo, assertAccepted } from "../kit/asking.ts";
import { ifPossible } from "../kit/attempt.ts";
import { validCall } from "../kit/calls.ts";
import { operationOf } from "../kit/names.ts";
import { leaveUntried, record, showOccasion } from "../kit/verdicts.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { givenTo } from "./given.ts";
import { carriedOut, leaveUnseen, mostTelling, namedIn } from "./resources.ts";

/** The header with the tag. */
const HEADER = "ETag";

/** Tries that a read whose condition names another state gives the content: a state that never was, and the one before a change. */
export const tryFresh = async (
  context: TrialContext,
  { requirement }: Relation,
  operationId: string,
): Promise<void> => {
  const operation = operationOf(context, operationId);
  const changes = changesShownBy(context.contract, operation);
  const call = await validCall(
    context,
    operationId,
    changes.length > 0 ? context.arrange.exclusive() : context.arrange,
  );
  const read = () => answerTo(context, call);
  const before = await readUntil(context, read, isAccepted);
  assertAccepted(context, before);
  const ask = (tag: string) => answerTo(context, withHeader(call, "If-None-Match", tag));
  const unknown = await ask(OF_NOBODY);
  record(context, requirement, checkContent(unknown, "of no state"), [unknown, before]);
  showOccasion(context, requirement);
  const tag = tagIn(context, operation, "If-None-Match", before);
  if (tag === undefined) return;
  const same = await ask(tag);
  record(context, requirement, checkAcceptedTag(same, [304]), [same, before]);
  for (const change of changes.slice(0, 1)) {
    const after = await ifPossible(() => changed(context, change, call, before, read));
    if (after === undefined || after instanceof NotTried) return;
    const late = await readUntil(
      context,
      () => ask(tag),
      (one) => statusOf(one) !== NOT_MODIFIED,
    );
    record(context, requirement, checkContent(late, "of the state before a change"), [late, after, before]);
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
  context: TrialContext,
  { change, view }: ReturnType<typeof changesShownBy>[number],
  { path = {} }: Call,
  before: Exchange,
  read: () => Promise<Exchange>,
): Promise<Exchange | undefined> => {
  const shownIn = (exchange: Exchange) => atPointer(contentOf(exchange), view.at);
  const arrange = having(context.arrange.exclusive(), namedIn(view.operation, path));
  const tells = (call: Call) => tellingValues(givenTo(view, call), shownIn(before)).length;
  const call = await mostTelling(context, change, arrange, tells);
  if (call === undefined) return undefined;
  await carriedOut(context, call);
  const isShown = (exchange: Exchange): boolean =>
    isAccepted(exchange) &&
    checkGiven(givenTo(view, call), shownIn(before), shownIn(exchange))?.holds === true;
  const after = await readUntil(context, read, isShown);
  return isShown(after) ? after : undefined;
};

/** Tries that a call is accepted whose condition names the present state. */
export const tryCurrent = async (
  context: TrialContext,
  { requirement }: Relation,
  operationId: string,
): Promise<void> => {
  const operation = operationOf(context, operationId);
  const read = taggedReadOf(context.contract, operation);
  if (read === undefined) return leaveUnseen(context, requirement, operation, "the entity tag");
  const call = await validCall(context, operationId, context.arrange.exclusive());
  const about = namedIn(operation, call.path ?? {});
  // Another coding of the content has another tag.
  const look = () =>
    answered(context, read.operationId, about, { headers: { "accept-encoding": "identity" } });
  const before = await readUntil(context, look, isAccepted);
  assertAccepted(context, before);
  const tag = tagIn(context, operation, "If-Match", before);
  // No condition of this kind is fulfilled by a weak tag (RFC 9110, 13.1.1).
  if (tag === undefined || /^W\//.test(tag))
    throw new NotTried(`${read.operationId} shows no identifier at ${HEADER}`);
  const sent = await answerTo(context, withHeader(call, "If-Match", tag));
  const again = isAccepted(sent) ? before : await look();
  if (tagIn(context, operation, "If-Match", again) !== tag)
    return leaveUnseen(context, requirement, operation, "an entity tag that stays");
  const result = checkAcceptedTag(sent, []);
  if (result === undefined)
    return leaveUntried(context, requirement, `${operationId} was refused with ${statusOf(sent)}`);
  record(context, requirement, result, [sent, before]);
  showOccasion(context, requirement);
};

/** Returns the entity tag of an answer; `undefined` if it has none, or none that the header of the operation allows. */
const tagIn = (
  { validator }: TrialContext,
  { parameters }: Operation,
  header: string,
  { response }: Exchange,
): string | undefined => {
  const { etag } = response?.headers ?? {};
  const { schema = {} } = parameters.find(({ name }) => name.toLowerCase() === header.toLowerCase()) ?? {};
  return etag !== undefined && validator.validate(schema, etag).length === 0 ? etag : undefined;
};
