/** Generates trials that call each operation with valid requests and expect a documented success. */
import { checkThat } from "../../checks/check.ts";
import type { Operation } from "../../contract/contract.ts";
import { successStatuses } from "../../contract/operation-requirements.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { TargetLost } from "../stopped.ts";
import type { Trial, TrialContext } from "../trial.ts";
import { isStated, operationTrial, type Subject } from "./operation-trial.ts";
import { isGone, requirementsOfResponses } from "./responses.ts";
import { sampleCalls } from "./valid-calls.ts";

export const successTrials = (subject: Subject): Trial[] => {
  const { contract, policy, operation } = subject;
  const success = `${contract.service}.${operation.operationId}.success`;
  const shown = requirementsOfResponses(contract, policy, operation);
  const row = {
    name: "success",
    title: "a valid call succeeds",
    requirements: [success, ...shown],
  };
  return operationTrial(subject, row, async (context) => {
    for (const call of await sampleCalls(context, policy, operation, CALLS[context.depth])) {
      const exchange = await context.send(call);
      if (exchange.failure !== undefined) throw new TargetLost(exchange.failure.message);
      if (isStated(contract, success)) judgeSuccess(context, operation, success, exchange);
    }
    for (const requirement of shown) {
      if (isStated(contract, requirement) && !context.judge.hasVerdict(requirement))
        context.judge.notTried(
          requirement,
          "no successful response contained the part that the requirement describes",
        );
    }
  });
};

const CALLS = { quick: 1, standard: 3, exhaustive: 10 } as const;

const judgeSuccess = (
  { judge, capabilities }: TrialContext,
  operation: Operation,
  requirement: string,
  exchange: Exchange,
): void => {
  const expected = successStatuses(operation);
  const status = statusOf(exchange);
  const holds = expected.includes(status);
  const doubt = holds ? undefined : doubtAbout(operation, exchange, capabilities.has("new-implementation"));
  const result = checkThat(holds, {
    pointer: "",
    message: `a valid call of ${operation.operationId} was answered with ${status}`,
    expected: expected.join(" or "),
    actual: `${status}`,
  });
  if (doubt === undefined) judge.record(requirement, result, [exchange]);
  else judge.notTried(requirement, doubt);
};

/** Returns the reason why an unsuccessful response shows nothing, if there is one. */
const doubtAbout = (operation: Operation, exchange: Exchange, isNew: boolean): string | undefined => {
  const status = statusOf(exchange);
  if (isGone(operation, exchange)) return `the operation ended after ${operation.ends}, as announced`;
  if (isAccepted(exchange))
    return operation.responses[status] && `the target requires another step first (${status})`;
  return status < 500 && !isNew && !isPlainRead(operation, status)
    ? `refused with ${status}: which payload is valid is assumed; give the provider's document with --contract`
    : undefined;
};

/** Whether the call does not depend on an assumption, because all ids in its path came from the server. */
const isPlainRead = (operation: Operation, status: number): boolean =>
  status === 404 &&
  operation.method === "GET" &&
  operation.ends === undefined &&
  !operation.legacy &&
  operation.accountTypes.length === 0 &&
  operation.parameters.every(({ in: place, required }) => place === "path" || !required);
