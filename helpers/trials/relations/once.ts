/** Tries that a call with the same idempotency key and the same content makes one resource. */
import { randomUUID } from "node:crypto";
import { checkRepeated } from "../../checks/repeated.ts";
import type { Operation } from "../../contract/contract.ts";
import type { Relation } from "../../contract/relations.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import { KEY_NAME, withFreshKeys } from "../fresh-keys.ts";
import { answerTo } from "../kit/asking.ts";
import { parameterValue, validCall } from "../kit/calls.ts";
import { operationOf } from "../kit/names.ts";
import { identifierAt } from "../kit/reading.ts";
import { leaveUntried, leaveWithoutOccasion, record, showOccasion } from "../kit/verdicts.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { carriedOut } from "./resources.ts";

export const tryOnce = async (
  context: TrialContext,
  { requirement }: Relation,
  operationId: string,
): Promise<void> => {
  const operation = operationOf(context, operationId);
  const { resource = "", pointer } = operation.produces[0] ?? {};
  const [call, other] = await callsWithKeys(context, operation);
  const idIn = (exchange: Exchange) =>
    isAccepted(exchange) ? identifierAt(context, exchange, resource) : undefined;
  const made = await carriedOut(context, call);
  const id = idIn(made);
  if (id === undefined) throw new NotTried(`${operationId} shows no identifier at ${pointer}`);
  const repeated = await answerTo(context, call);
  const result = checkRepeated(id, { exchange: repeated, id: idIn(repeated) });
  if (result === undefined) {
    const unclear = `${statusOf(repeated)} does not show which ${resource} the repeated call made`;
    return leaveUntried(context, requirement, `${operationId}: ${unclear}`);
  }
  record(context, requirement, result, [repeated, made]);
  // Some services make only one resource with the same content, with any key.
  const beside = idIn(await answerTo(context, other));
  if (beside !== undefined && beside !== id) showOccasion(context, requirement);
  else leaveWithoutOccasion(context, requirement, `a second ${resource} of ${operationId} with another key`);
};

/** Returns two calls with the same content, and with different keys if the schema of keys allows several. */
const callsWithKeys = async (context: TrialContext, operation: Operation): Promise<readonly [Call, Call]> => {
  const { operationId, parameters } = operation;
  const key = parameters.find(({ in: place, name }) => place === "header" && KEY_NAME.test(name));
  const { name = "", schema = {} } = key ?? {};
  const isUuid = context.validator.validate(schema, randomUUID()).length === 0;
  const headers = { [name]: isUuid ? randomUUID() : parameterValue(context, operationId, name) };
  const call = await validCall(context, operationId, context.arrange.exclusive(), { headers });
  const fresh = (): Call => ({
    ...call,
    headers: withFreshKeys(context.contract, operation, call),
    isRepeated: true,
  });
  return [fresh(), fresh()];
};
