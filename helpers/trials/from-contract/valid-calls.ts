/** Generates valid calls for trials. A call that uses up a resource gets a separate resource. */
import fc from "fast-check";
import type { Operation } from "../../contract/contract.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";
import { validCalls } from "../valid-call.ts";
import type { Policy } from "./policy.ts";

/** @throws NotTried or TargetLost when the resources of the calls can't be arranged */
export const sampleCalls = async (
  context: TrialContext,
  policy: Policy,
  operation: Operation,
  count: number,
): Promise<Call[]> => {
  const own = await policy.calls?.(context, operation, count);
  if (own !== undefined) return own;
  const calls: Call[] = [];
  for (let index = 0; index < count; index++) {
    const arrange = consumes(operation) ? context.arrange.exclusive() : context.arrange;
    const maker = await validCalls({ ...context, arrange }, operation);
    const [call] = fc.sample(maker.calls, { seed: context.seed + index, numRuns: 1, unbiased: true });
    calls.push(call as Call);
  }
  return calls;
};

/** Whether a call uses up its resource, or may conflict with an identical second call. */
export const consumes = (operation: Operation): boolean =>
  operation.hazards.includes("destructive") || operation.responses["409"] !== undefined;
