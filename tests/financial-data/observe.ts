/** What every answer shows by itself: its status, that it is JSON, and the shape of its body. */
import { HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkDocumentedStatus } from "../../helpers/checks/documented-status.ts";
import { checkJsonBody } from "../../helpers/checks/json-body.ts";
import { checkRules, shorten } from "../../helpers/checks/rules.ts";
import type { Contract, JsonSchema, Rule } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { isGone } from "./gone.ts";

const id = (suffix: string): string => `financial-data.${suffix}`;

export const observe = (exchange: Exchange, context: TrialContext): void => {
  const { contract, judge } = context;
  const operation = contract.operations.find(({ operationId }) => operationId === exchange.operationId);
  if (exchange.response === undefined || operation === undefined) return;
  const gone = isGone(operation, exchange);
  const status = gone ? HOLDS : checkDocumentedStatus(operation, exchange, contract.generalStatuses);
  judge.record(id(`${operation.operationId}.documented-statuses`), status, [exchange]);
  // What answers in place of an operation that is gone may be anything.
  if (gone) return;
  const response = operation.responses[String(statusOf(exchange))];
  const types = Object.keys(response?.content ?? {});
  if (types.length > 0 && types.every((type) => !/json/.test(type))) return;
  const json = types.length > 1 && isBinary(exchange) ? undefined : checkJsonBody(exchange);
  if (json !== undefined) judge.record(id("bodies.json"), json, [exchange]);
  const schema = response?.content["application/json"];
  if (schema !== undefined && isAccepted(exchange) && exchange.response.json !== undefined) {
    observeShape(exchange, schema, context);
  }
};

const isBinary = ({ response }: Exchange): boolean =>
  !/json/.test(response?.headers["content-type"] ?? "json");

/** One requirement for the shape as a whole, and those that rules name themselves. */
const observeShape = (
  exchange: Exchange,
  schema: JsonSchema,
  { contract, validator, judge }: TrialContext,
): void => {
  const { operationId } = exchange;
  const body = exchange.response?.json;
  const own = ownRules(contract, operationId, statusOf(exchange));
  for (const { rule, result } of checkRules(own, body, validator))
    judge.record(rule.requirement, result, [exchange]);
  const [error] = validator.validate(schema, body);
  const result =
    error === undefined
      ? HOLDS
      : violation({
          pointer: error.pointer,
          message: `${error.pointer.slice(1) || "the body"} ${error.message}`,
          expected: `the shape of a ${operationId} response`,
          actual: shorten(body),
        });
  judge.record(shapeOf(operationId), result, [exchange]);
};

export const shapeOf = (operationId: string): string => id(`${operationId}.response.shape`);

const memory = new WeakMap<Contract, Map<string, Rule[]>>();

/** Rules that stand for a requirement of their own, by operation and status. */
const ownRules = (contract: Contract, operationId: string, status: number): Rule[] => {
  const known = memory.get(contract) ?? groupRules(contract);
  memory.set(contract, known);
  return known.get(`${operationId} ${status}`) ?? [];
};

const groupRules = (contract: Contract): Map<string, Rule[]> => {
  const groups = new Map<string, Rule[]>();
  for (const rule of contract.rules) {
    if (rule.direction !== "response" || rule.requirement === shapeOf(rule.operationId)) continue;
    const key = `${rule.operationId} ${rule.status}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [rule]);
    else group.push(rule);
  }
  return groups;
};
