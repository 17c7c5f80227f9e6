/** Tries that a partial change leaves the fields that its body does not name. */
import { checkKept } from "../../checks/given-values.ts";
import { requestRulesOf } from "../../contract/lookups.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { givenResource, type PartView, partViewOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { applyEdit } from "../../generate/edit.ts";
import type { Arranger } from "../arrange.ts";
import { having } from "../given-resources.ts";
import type { Call, T } from "../kit/language.ts";
import { carriedOut, leaveUnseen, resourcesIn } from "./resources.ts";

export const tryKept = async (t: T, { requirement }: Relation, operationId: string): Promise<void> => {
  const operation = t.operationOf(operationId);
  const view = partViewOf(t.contract, operation);
  const leave = () => leaveUnseen(t, requirement, operation, "a field that it leaves out");
  if (view === undefined) return leave();
  const arrange = t.arrange.exclusive();
  const about = await resourcesIn(arrange, operation, givenResource(operation));
  const read = () => t.answered(view.operation.operationId, about);
  const before = await t.readUntil(read, isAccepted);
  const call = await partialCall(t, operationId, having(arrange, about), view, before);
  if (call === undefined) return leave();
  const change = await carriedOut(t, call);
  const judge = (after: Exchange) =>
    checkKept(restOf(view, call.json, before), isAccepted(after) ? contentOf(after) : undefined);
  const after = await t.readUntil(read, (exchange) => judge(exchange)?.holds !== false);
  t.record(requirement, judge(after), [after, change, before]);
  t.showOccasion(requirement);
};

/** Returns the fields that were shown and that a body does not name. */
const restOf = ({ fields }: PartView, body: unknown, before: Exchange): readonly string[] =>
  fields.filter((field) => isThere(contentOf(before), field) && atPointer(body, field) === undefined);

const isThere = (value: unknown, pointer: string): boolean => (atPointer(value, pointer) ?? null) !== null;

/** Generates a call that names as few fields as its schema allows, and leaves out one that the read shows. */
const partialCall = async (
  t: T,
  operationId: string,
  arrange: Arranger,
  view: PartView,
  before: Exchange,
): Promise<Call | undefined> => {
  const { content } = t.operationOf(operationId).requestBody ?? {};
  const schema = content?.["application/json"] ?? {};
  for (let draw = 1; draw <= MOST_DRAWS; draw++) {
    const call = await t.validCall(operationId, arrange, { draw });
    const sent = view.fields.filter((field) => isThere(call.json, field));
    // A change of a kind may clear the fields of another kind.
    for (const own of [...sent.filter((field) => !isChoice(t, operationId, field)), ...sent]) {
      const least = withOnly(own, view, call.json);
      const json = t.validator.validate(schema, least).length === 0 ? least : call.json;
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

const isChoice = ({ contract }: T, operationId: string, field: string): boolean =>
  requestRulesOf(contract, operationId).some(
    ({ pointer, schema, place }) =>
      place === undefined && pointer === field && (schema.enum !== undefined || schema.type === "boolean"),
  );
