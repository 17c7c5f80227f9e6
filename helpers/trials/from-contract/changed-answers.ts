/** Looks in every answer for what an earlier version of the document does not describe. */
import { instancesAt } from "../../checks/rules.ts";
import { baseOf, errorsIn, isAt, responseChangesOf, versionOf } from "../../contract/changes.ts";
import type { Contract, Operation } from "../../contract/contract.ts";
import type { ContractChange } from "../../contract/contract-change.ts";
import { responseOf } from "../../contract/lookups.ts";
import { jsonIn } from "../../contract/media-type.ts";
import type { ValidationError } from "../../contract/schemas/schema-validator.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../../exchange/check-result.ts";
import { type Exchange, statusOf } from "../../exchange/exchange.ts";

/** Returns the checks of the changes of an operation's answers, by requirement. */
export const changeParts = (contract: Contract, operation: Operation) =>
  responseChangesOf(contract, operation.operationId).map((change) => ({
    requirement: change.requirement,
    check: (exchange: Exchange): CheckResult | undefined =>
      isOfStatus(change, operation, statusOf(exchange))
        ? checkChange(contract, operation, change, exchange)
        : undefined,
  }));

const checkChange = (
  contract: Contract,
  operation: Operation,
  change: ContractChange,
  exchange: Exchange,
): CheckResult | undefined => {
  const { place, end = "", keyword } = change;
  const base = baseOf(contract);
  if (place === "status") return seen(base, `status ${statusOf(exchange)}`, "");
  const before = place === "response body" ? errorsOfAnswer(base, operation, exchange) : undefined;
  if (before === undefined) return undefined;
  const now = errorsOfAnswer(contract, operation, exchange) ?? [];
  const isNew = (one: ValidationError) =>
    !now.some(({ pointer, keyword }) => pointer === one.pointer && keyword === one.keyword);
  const error = before.find((one) => one.keyword === keyword && isAt(one.pointer, end) && isNew(one));
  if (error === undefined) return couldShow(change, exchange) ? HOLDS : undefined;
  const { value: actual } = instancesAt(exchange.response?.json, error.pointer)[0] ?? {};
  return { ...seen(base, `${error.pointer} ${error.message}`, error.pointer), actual: shownValue(actual) };
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
const errorsOfAnswer = (contract: Contract, operation: Operation, { response }: Exchange) => {
  const body = response?.numeric ?? response?.json;
  const schemaIn = (one: Operation) => jsonIn(responseOf(one, response?.status ?? 0))[0]?.[1];
  return body === undefined ? undefined : errorsIn(contract, operation, schemaIn, body);
};

/** Whether the answer has the place of the change, so that it could have shown it. */
const couldShow = ({ pointer }: ContractChange, { response }: Exchange): boolean => {
  const around = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/"))).replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return instancesAt(response?.json, around).length > 0;
};
