/**
 * Controls that the trials of a run with a budget share. A call that only reads, and was accepted once, shows the same next
 * to every probe of its operation.
 */
import type { Operation } from "../../contract/contract.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";

export interface Control {
  readonly call: Call;
  readonly exchange: Exchange;
}

/** By session, then by operation. */
const controls = new WeakMap<object, Map<string, Control>>();

/** Returns the control of an operation, if the run is thrifty and an earlier trial sent it. */
export const sharedControl = (context: TrialContext, { operationId }: Operation): Control | undefined =>
  context.isThrifty ? controls.get(context.session)?.get(operationId) : undefined;

/** Keeps an accepted call of an operation for other trials. */
export const shareControl = (
  context: TrialContext,
  { operationId, method }: Operation,
  control: Control,
): void => {
  if (!context.isThrifty || method !== "GET" || !isAccepted(control.exchange)) return;
  const known = controls.get(context.session) ?? new Map<string, Control>();
  controls.set(context.session, known.set(operationId, control));
};
