/** Generates valid calls for trials. A call that uses up a resource gets a separate resource. */
import fc from "fast-check";
import type { Contract, Operation } from "../../contract/contract.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";
import { hasStatedValues, type ValueSource, validCalls } from "../valid-call.ts";
import type { Policy } from "./policy.ts";

/**
 * @param first how the first call is drawn
 * @throws NotTried or TargetLost when the resources of the calls can't be arranged
 */
export const sampleCalls = async (
  context: TrialContext,
  policy: Policy,
  operation: Operation,
  count: number,
  first: ValueSource = firstSource(context.contract, policy, operation),
): Promise<Call[]> => {
  const own = await policy.calls?.(context, operation, count);
  if (own !== undefined) return own;
  const calls: Call[] = [];
  for (let index = 0; index < count; index++) {
    const arrange = consumes(operation) ? context.arrange.exclusive() : context.arrange;
    const source = index === 0 ? first : undefined;
    const maker = await validCalls({ ...context, arrange }, operation, undefined, source);
    const [call] = fc.sample(maker.calls, { seed: context.seed + index, numRuns: 1, unbiased: true });
    calls.push(call as Call);
  }
  return calls;
};

/** The values that a document states are in the first call, unless it creates something: a second equal one may be refused. */
export const firstSource = (contract: Contract, policy: Policy, operation: Operation): ValueSource => {
  const isRepeatable = operation.produces.length === 0 && operation.creates === undefined;
  return policy.judgesControls && isRepeatable && hasStatedValues(operation, contract)
    ? "stated"
    : "plausible";
};

/** Whether a call uses up its resource, or may conflict with an identical second call. */
export const consumes = (operation: Operation): boolean =>
  operation.hazards.includes("destructive") || operation.responses["409"] !== undefined;
