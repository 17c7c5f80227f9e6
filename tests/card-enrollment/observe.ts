/** What every answer to an enrollment shows by itself: its status, its body, its error. */

import { HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkDocumentedStatus } from "../../helpers/checks/documented-status.ts";
import { checkErrorBody } from "../../helpers/checks/error-body.ts";
import { checkErrorStatus } from "../../helpers/checks/error-status.ts";
import { checkJsonBody, excerpt } from "../../helpers/checks/json-body.ts";
import { checkRules } from "../../helpers/checks/rules.ts";
import type { Contract, Operation, Rule } from "../../helpers/contract/contract.ts";
import { type Exchange, statusOf } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";

const id = (suffix: string): string => `card-enrollment.${suffix}`;

export const observe = (exchange: Exchange, context: TrialContext): void => {
  const operation = context.contract.operations.find(
    ({ operationId }) => operationId === exchange.operationId,
  );
  if (exchange.response === undefined || operation === undefined) return;
  const { judge } = context;
  const documented = checkDocumentedStatus(operation, exchange, [ENROLLED_BEFORE]);
  judge.record(id("putCard.documented-statuses"), documented, [exchange]);
  const json = checkJsonBody(exchange);
  if (json !== undefined) judge.record(id("response.json-body"), json, [exchange]);
  const status = statusOf(exchange);
  if (status === 200) observeSuccess(exchange, context);
  else if (status >= 400) observeError(exchange, operation, context);
};

/** An earlier run may have enrolled the card, and what a repeated enrollment gets is open (gaps: repeated enrollment). */
const ENROLLED_BEFORE = 409;

const observeSuccess = (exchange: Exchange, { contract, validator, judge }: TrialContext): void => {
  const body = exchange.response?.json;
  const results = checkRules(rulesFor(contract, 200), body, validator);
  for (const { rule, result } of results) {
    if (rule.pointer.endsWith("/iscobranded") && isShortString(body, judge, exchange)) continue;
    judge.record(rule.requirement, result, [exchange]);
  }
  const broken = results.find(({ result }) => !result.holds);
  judge.record(id("response.200.schema"), broken?.result ?? HOLDS, [exchange]);
};

/** The document types `iscobranded` a boolean and gives it a length: a short string is remarked on, never failed. */
const isShortString = (body: unknown, judge: TrialContext["judge"], exchange: Exchange): boolean => {
  const { maskedCard } = body as { maskedCard: { digitalCardData: { iscobranded: unknown } } };
  const value = maskedCard.digitalCardData.iscobranded;
  if (typeof value !== "string" || value.length > 8) return false;
  judge.observe("iscobranded", exchange.operationId, "sent as a string of at most 8 characters");
  judge.notTried(
    id("response.digitalCardData.iscobranded.boolean"),
    "the server sends a string of at most 8 characters, which the declared length allows",
  );
  return true;
};

const observeError = (exchange: Exchange, operation: Operation, context: TrialContext): void => {
  const { judge } = context;
  const status = statusOf(exchange);
  if (status === 503) {
    const told = exchange.response?.headers["retry-after"] === undefined ? "without" : "with";
    judge.observe("404 and 503", exchange.operationId, `503 ${told} Retry-After`);
  }
  const documented = operation.responses[String(status)];
  const body = exchange.response?.json;
  if (documented?.requirement !== undefined) {
    const missing = violation({
      pointer: "",
      message: `a ${status} response carries no error body`,
      expected: "an error body in JSON",
      actual: excerpt(exchange.response?.body ?? Buffer.alloc(0)),
    });
    judge.record(documented.requirement, body === undefined ? missing : HOLDS, [exchange]);
  }
  if (documented === undefined || exchange.response === undefined || exchange.response.body.length === 0)
    return;
  if (body === undefined) {
    judge.record(
      id("error.either-shape-complete"),
      violation({
        pointer: "",
        message: `the error body of a ${status} response is no JSON`,
        expected: "SampleError or DeclaredError",
        actual: excerpt(exchange.response.body),
      }),
      [exchange],
    );
    return;
  }
  const shape = observeErrorBody(exchange, context);
  if (shape !== undefined) observeShape(shape, exchange, context);
  if (status === 500 && shape === "SampleError") {
    const value = checkErrorStatus(body, ["INTERNAL"]);
    if (value !== undefined) judge.record(id("errors.INTERNAL.500"), value, [exchange]);
  }
};

/** @returns the name of the documented shape that the error body resembles */
export const observeErrorBody = (
  exchange: Exchange,
  { contract, judge, validator }: TrialContext,
): string | undefined => {
  const rules = rulesFor(contract, statusOf(exchange));
  const found = checkErrorBody(rules, exchange.response?.json, validator);
  judge.record(id("error.either-shape-complete"), found.whole, [exchange]);
  for (const { rule, result } of found.rules) judge.record(rule.requirement, result, [exchange]);
  return found.shape;
};

/** Which shape a server must answer in is contradictory in the document, except for one built after it. */
const observeShape = (shape: string, exchange: Exchange, { capabilities, judge }: TrialContext): void => {
  judge.observe("error body shape", exchange.operationId, `${statusOf(exchange)} in the ${shape} shape`);
  const requirement = id("error.builder-returns-sample-shape");
  if (shape === "SampleError") judge.passed(requirement, [exchange]);
  else if (!capabilities.has("new-implementation")) {
    judge.notTried(requirement, "the server answers in the declared shape, which one built earlier may do");
  } else {
    judge.record(
      requirement,
      violation({
        pointer: "",
        message: "a new implementation answers in the declared shape",
        expected: "code, status, message and details",
        actual: Object.keys((exchange.response?.json ?? {}) as object).join(", "),
      }),
      [exchange],
    );
  }
};

const memory = new WeakMap<Contract, Map<number, Rule[]>>();

const rulesFor = (contract: Contract, status: number): Rule[] => {
  const known = memory.get(contract) ?? new Map<number, Rule[]>();
  memory.set(contract, known);
  const rules =
    known.get(status) ??
    contract.rules.filter((rule) => rule.direction === "response" && rule.status === status);
  known.set(status, rules);
  return rules;
};
