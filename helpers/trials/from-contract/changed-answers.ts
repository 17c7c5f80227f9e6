/** Looks in every answer for what an earlier version of the document does not describe. */
import { instancesAt } from "../../checks/rules.ts";
import { baseOf, isEarlier, responseChangesOf, versionOf } from "../../contract/changes.ts";
import type { Contract, Operation } from "../../contract/contract.ts";
import type { ContractChange } from "../../contract/contract-change.ts";
import { responseOf } from "../../contract/lookups.ts";
import { jsonIn } from "../../contract/media-type.ts";
import { oncePer } from "../../contract/once.ts";
import { createValidator, type ValidationError, type Validator } from "../../contract/schema-validator.ts";
import { HOLDS, shownValue, violation } from "../../exchange/check-result.ts";
import { type Exchange, statusOf } from "../../exchange/exchange.ts";
import type { ObservedContext } from "../trial.ts";

export const observeChanges = (operation: Operation, exchange: Exchange, context: ObservedContext): void => {
  const { contract, judge } = context;
  const changes = responseChangesOf(contract, operation.operationId);
  const own = changes.filter((one) => isOfStatus(one, operation, statusOf(exchange)));
  if (own.length === 0 || exchange.response === undefined) return;
  const now = isEarlier(contract) ? undefined : errorsOfAnswer(contract, operation, exchange);
  const isNew = (one: ValidationError) =>
    !now?.some(({ pointer, keyword }) => pointer === one.pointer && keyword === one.keyword);
  const before = errorsOfAnswer(baseOf(contract), operation, exchange);
  for (const change of own) {
    const { place, requirement, end = "", keyword } = change;
    if (place === "status") {
      judge.record(requirement, seen(baseOf(contract), `status ${statusOf(exchange)}`, ""), [exchange]);
      continue;
    }
    if (place !== "response body" || before === undefined) continue;
    const error = before.find((one) => one.keyword === keyword && endsWith(one.pointer, end) && isNew(one));
    if (error !== undefined) {
      const result = seen(baseOf(contract), `${error.pointer} ${error.message}`, error.pointer);
      const { value: actual } = instancesAt(exchange.response.json, error.pointer)[0] ?? {};
      judge.record(requirement, { ...result, actual: shownValue(actual) }, [exchange]);
    } else if (couldShow(change, exchange)) judge.record(requirement, HOLDS, [exchange]);
  }
};

const seen = (base: Contract, what: string, pointer: string) =>
  violation({
    pointer,
    message: `an answer is not as ${versionOf(base)} describes it: ${what}`,
    expected: `an answer that ${versionOf(base)} describes`,
    actual: what,
  });

const isOfStatus = (change: ContractChange, operation: Operation, status: number): boolean => {
  const listed = change.statuses?.[operation.operationId] ?? [];
  const isListed = (one: string): boolean => listed.includes(one);
  if (change.place === "status") return isListed(`${status}`);
  return isListed(`${status}`) || isListed(`${`${status}`[0]}XX`) || isListed("default");
};

/** @returns `undefined` if the contract describes no JSON of the answer */
const errorsOfAnswer = (
  contract: Contract,
  { operationId }: Operation,
  { response }: Exchange,
): ValidationError[] | undefined => {
  const operation = contract.operations.find((one) => one.operationId === operationId);
  const promised = operation && responseOf(operation, response?.status ?? 0);
  const [, schema] = jsonIn(promised)[0] ?? [];
  const body = response?.numeric ?? response?.json;
  return schema === undefined || body === undefined
    ? undefined
    : validatorOf(contract).validate(schema, body);
};

/** Whether the answer has the place of the change, so that it could have shown it. */
const couldShow = ({ pointer }: ContractChange, { response }: Exchange): boolean => {
  const around = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/"))).replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return instancesAt(response?.json, around).length > 0;
};

const endsWith = (pointer: string, end: string): boolean => {
  const [own, wanted] = [pointer, end].map((one) => one.split("/").slice(1).reverse());
  return (wanted ?? []).every((segment, at) => segment === "*" || segment === own?.[at]);
};

const validatorOf = oncePer((contract: Contract): Validator => createValidator(contract));
