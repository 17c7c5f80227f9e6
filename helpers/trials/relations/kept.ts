/** Tries that a partial change leaves the fields that its body does not name. */
import { checkKept } from "../../checks/given-values.ts";
import { requestRulesOf } from "../../contract/lookups.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { givenResource, type PartView, partViewOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { readUntil } from "../../flows/read-until.ts";
import { applyEdit } from "../../generate/edit.ts";
import type { Arranger } from "../arrange.ts";
import type { Call } from "../call.ts";
import { having } from "../given-resources.ts";
import { answered } from "../kit/asking.ts";
import { validCall } from "../kit/calls.ts";
import { operationOf } from "../kit/names.ts";
import { record, showOccasion } from "../kit/verdicts.ts";
import type { TrialContext } from "../trial.ts";
import { carriedOut, leaveUnseen, resourcesIn } from "./resources.ts";

export const tryKept = async (
  context: TrialContext,
  { requirement }: Relation,
  operationId: string,
): Promise<void> => {
  const operation = operationOf(context, operationId);
  const view = partViewOf(context.contract, operation);
  const leave = () => leaveUnseen(context, requirement, operation, "a field that it leaves out");
  if (view === undefined) return leave();
  const arrange = context.arrange.exclusive();
  const about = await resourcesIn(arrange, operation, givenResource(operation));
  const read = () => answered(context, view.operation.operationId, about);
  const before = await readUntil(context, read, isAccepted);
  const call = await partialCall(context, operationId, having(arrange, about), view, before);
  if (call === undefined) return leave();
  const change = await carriedOut(context, call);
  const judge = (after: Exchange) =>
    checkKept(restOf(view, call.json, before), isAccepted(after) ? contentOf(after) : undefined);
  const after = await readUntil(context, read, (exchange) => judge(exchange)?.holds !== false);
  record(context, requirement, judge(after), [after, change, before]);
  showOccasion(context, requirement);
};

/** Returns the fields that were shown and that a body does not name. */
const restOf = ({ fields }: PartView, body: unknown, before: Exchange): readonly string[] =>
  fields.filter((field) => isThere(contentOf(before), field) && atPointer(body, field) === undefined);

const isThere = (value: unknown, pointer: string): boolean => (atPointer(value, pointer) ?? null) !== null;

/** Generates a call that names as few fields as its schema allows, and leaves out one that the read shows. */
const partialCall = async (
  context: TrialContext,
  operationId: string,
  arrange: Arranger,
  view: PartView,
  before: Exchange,
): Promise<Call | undefined> => {
  const { content } = operationOf(context, operationId).requestBody ?? {};
  const schema = content?.["application/json"] ?? {};
  for (let draw = 1; draw <= MOST_DRAWS; draw++) {
    const call = await validCall(context, operationId, arrange, { draw });
    const sent = view.fields.filter((field) => isThere(call.json, field));
    // A change of a kind may clear the fields of another kind.
    for (const own of [...sent.filter((field) => !isChoice(context, operationId, field)), ...sent]) {
      const least = withOnly(own, view, call.json);
      const json = context.validator.validate(schema, least).length === 0 ? least : call.json;
      if (restOf(view, json, before).length > 0) return { ...call, json };
    }
  }
  return undefined;
};

const MOST_DRAWS = 6;

/** Returns the body without all other fields that it may leave out. */
const withOnly = (own: string, { optional }: PartView, body: unknown): unknown =>
  optional.reduce<unknown>(
    (rest, pointer) =>
      pointer === own || atPointer(rest, pointer) === undefined
        ? rest
        : applyEdit(rest, { pointer, remove: true }),
    body,
  );

const isChoice = ({ contract }: TrialContext, operationId: string, field: string): boolean =>
  requestRulesOf(contract, operationId).some(
    ({ pointer, schema, place }) =>
      place === undefined && pointer === field && (schema.enum !== undefined || schema.type === "boolean"),
  );
