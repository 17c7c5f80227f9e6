/** Each operation, called as the contract asks: a documented success with a body of its shape. */
import fc from "fast-check";
import { isGone } from "../../fixtures/financial-data/gone.ts";
import { shapeOf } from "../../fixtures/financial-data/observe.ts";
import { id, operationTrial } from "../../fixtures/financial-data/trial.ts";
import { HOLDS, violation } from "../../helpers/checks/check.ts";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { successStatuses } from "../../helpers/contract/operation-requirements.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { Arranger } from "../../helpers/trials/arrange.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { TargetLost } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { validCalls } from "../../helpers/trials/valid-call.ts";

export const successTrials = (contract: Contract): Trial[] => {
  const known = new Set(contract.requirements.map((requirement) => requirement.id));
  // Each log-in more is one that may fail or replace a token: credentials have scenarios of their own.
  const operations = contract.operations.filter(({ refusalHazards }) => refusalHazards.length === 0);
  return operations.map((operation) => {
    const { operationId } = operation;
    const shape = known.has(shapeOf(operationId)) ? [`${operationId}.response.shape`] : [];
    const requirements = [`${operationId}.success`, `${operationId}.documented-statuses`, ...shape];
    return operationTrial(operation, "success", "a valid call succeeds", requirements, async (context) => {
      for (const call of await sampleCalls(context, operation, callsAt(context))) {
        judgeSuccess(context, operation, await context.send(call));
      }
      if (!context.judge.hasVerdict(shapeOf(operationId)) && shape.length > 0) {
        context.judge.notTried(shapeOf(operationId), "no success carried a body to hold against it");
      }
    });
  });
};

const callsAt = ({ depth }: TrialContext): number => ({ quick: 1, standard: 3, exhaustive: 10 })[depth];

/**
 * Valid calls; each of a destructive operation names resources of its own.
 * @throws NotTried or TargetLost when what the calls need can't be arranged
 */
export const sampleCalls = async (
  context: TrialContext,
  operation: Operation,
  count: number,
): Promise<Call[]> => {
  const calls: Call[] = [];
  for (let index = 0; index < count; index++) {
    const arrange: Arranger = consumes(operation) ? context.arrange.apart() : context.arrange;
    const maker = await validCalls({ ...context, arrange }, operation);
    const [call] = fc.sample(maker.calls, { seed: context.seed + index, numRuns: 1, unbiased: true });
    if (call !== undefined) calls.push(call);
  }
  return calls;
};

/** Whether a call uses up what it names, or makes a second like it impossible. */
export const consumes = (operation: Operation): boolean =>
  operation.hazards.includes("destructive") || operation.responses["409"] !== undefined;

const judgeSuccess = (context: TrialContext, operation: Operation, exchange: Exchange): void => {
  const { judge } = context;
  const requirement = id(`${operation.operationId}.success`);
  const expected = successStatuses(operation);
  const status = statusOf(exchange);
  if (exchange.failure !== undefined) throw new TargetLost(exchange.failure.message);
  if (expected.includes(status)) {
    judge.record(requirement, HOLDS, [exchange]);
    return;
  }
  if (isGone(operation, exchange)) {
    judge.notTried(requirement, `it is gone since ${operation.ends}, as announced`);
    return;
  }
  const listed = operation.responses[String(status)] !== undefined;
  if (isAccepted(exchange) && listed) {
    judge.notTried(requirement, `the target asks for more first (${status})`);
    return;
  }
  const certain = context.capabilities.has("new-implementation") || isPlainRead(operation, status);
  if (!isAccepted(exchange) && status < 500 && !certain) {
    judge.notTried(
      requirement,
      `refused with ${status}: which payload is valid is assumed; give the provider's document with --contract`,
    );
    return;
  }
  judge.record(
    requirement,
    violation({
      pointer: "",
      message: `a valid call of ${operation.operationId} was answered with ${status}`,
      expected: expected.join(" or "),
      actual: `${status}`,
    }),
    [exchange],
  );
};

/** Nothing about such a call is assumed: the ids in its path came from the server itself. */
const isPlainRead = (operation: Operation, status: number): boolean =>
  status === 404 &&
  operation.method === "GET" &&
  operation.ends === undefined &&
  !operation.legacy &&
  operation.accountTypes.length === 0 &&
  operation.parameters.every(({ in: place, required }) => place === "path" || !required);
