/** What every answer shows by itself: its status, and the shape of its body. */
import { type CheckResult, HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkDocumentedStatus, INTERRUPTIONS } from "../../helpers/checks/documented-status.ts";
import { checkRules } from "../../helpers/checks/rules.ts";
import type { Contract, Operation, Rule } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";

export const observe = (exchange: Exchange, context: TrialContext): void => {
  const { contract, judge, validator } = context;
  const operation = contract.operations.find(({ operationId }) => operationId === exchange.operationId);
  if (exchange.response === undefined || operation === undefined) return;
  judge.record(
    `installments.${operation.operationId}.documented-statuses`,
    checkStatus(operation, exchange),
    [exchange],
  );
  for (const { rule, result } of checkRules(
    rulesFor(contract, operation, exchange),
    exchange.response.json,
    validator,
  )) {
    judge.record(rule.requirement, result, [exchange]);
  }
};

/** The document lists no statuses: any success and any refusal will do, unless the provider's own lists them. */
const checkStatus = (operation: Operation, exchange: Exchange): CheckResult => {
  const listed = Object.values(operation.responses).some(({ level }) => level !== "assumed");
  if (listed) return checkDocumentedStatus(operation, exchange);
  const status = statusOf(exchange);
  if (isAccepted(exchange) || (status >= 400 && status < 500) || INTERRUPTIONS.includes(status)) return HOLDS;
  return violation({
    pointer: "",
    message: `${operation.operationId} answered with ${status}`,
    expected: "a success or a client error",
    actual: `${status}`,
  });
};

const memory = new WeakMap<Contract, Map<string, Rule[]>>();

/** Of the response that has the status, else of the one that stands for it: the success, or the plain refusal. */
const rulesFor = (contract: Contract, operation: Operation, exchange: Exchange): Rule[] => {
  const status = statusOf(exchange);
  const statuses = Object.values(operation.responses).map((response) => response.status);
  const standsFor = statuses.includes(status)
    ? status
    : statuses.find((candidate) => (isAccepted(exchange) ? candidate < 300 : candidate >= 400));
  const known = memory.get(contract) ?? new Map<string, Rule[]>();
  memory.set(contract, known);
  const key = `${operation.operationId} ${standsFor}`;
  const rules =
    known.get(key) ??
    contract.rules.filter(
      (rule) =>
        rule.direction === "response" &&
        rule.operationId === operation.operationId &&
        rule.status === standsFor,
    );
  known.set(key, rules);
  return rules;
};
