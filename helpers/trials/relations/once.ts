/** Tries that a call with the same idempotency key and the same content makes one resource. */
import { randomUUID } from "node:crypto";
import { checkRepeated } from "../../checks/repeated.ts";
import type { Operation } from "../../contract/contract.ts";
import type { Relation } from "../../contract/relations.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { KEY_NAME, withFreshKeys } from "../fresh-keys.ts";
import { type Call, NotTried, type T } from "../kit/language.ts";
import { carriedOut } from "./resources.ts";

export const tryOnce = async (t: T, { requirement }: Relation, operationId: string): Promise<void> => {
  const operation = t.operationOf(operationId);
  const { resource = "", pointer } = operation.produces[0] ?? {};
  const [call, other] = await callsWithKeys(t, operation);
  const idIn = (exchange: Exchange) =>
    isAccepted(exchange) ? t.identifierAt(exchange, resource) : undefined;
  const made = await carriedOut(t, call);
  const id = idIn(made);
  if (id === undefined)
    throw new NotTried("part-not-shown", `${operationId} shows no identifier at ${pointer}`);
  const repeated = await t.answerTo(call);
  const result = checkRepeated(id, { exchange: repeated, id: idIn(repeated) });
  if (result === undefined) {
    const unclear = `${statusOf(repeated)}, which does not show which ${resource} the repeated call made`;
    return t.leaveUntried(requirement, "answered", operationId, unclear);
  }
  t.record(requirement, result, [repeated, made]);
  // Some services make only one resource with the same content, with any key.
  const beside = idIn(await t.answerTo(other));
  if (beside !== undefined && beside !== id) t.showOccasion(requirement);
  else t.leaveWithoutOccasion(requirement, `a second ${resource} of ${operationId} with another key`);
};

/** Returns two calls with the same content, and with different keys if the schema of keys allows several. */
const callsWithKeys = async (t: T, operation: Operation): Promise<readonly [Call, Call]> => {
  const { operationId, parameters } = operation;
  const key = parameters.find(({ in: place, name }) => place === "header" && KEY_NAME.test(name));
  const { name = "", schema = {} } = key ?? {};
  const isUuid = t.validator.validate(schema, randomUUID()).length === 0;
  const headers = { [name]: isUuid ? randomUUID() : t.parameterValue(operationId, name) };
  const call = await t.validCall(operationId, t.arrange.exclusive(), { headers });
  const fresh = (): Call => ({
    ...call,
    headers: withFreshKeys(t.contract, operation, call),
    isRepeated: true,
  });
  return [fresh(), fresh()];
};
