/**
 * Controls that trials share. A call that was accepted once shows the same next to every probe of its operation, so it is
 * not repeated in a run with a budget if it only reads, and on no target if the run can't remove what it makes.
 */
import type { Operation } from "../../contract/contract.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import { lasts } from "../created-resources.ts";
import type { TrialContext } from "../trial.ts";
import { consumes } from "./valid-calls.ts";

export interface Control {
  readonly call: Call;
  readonly exchange: Exchange;
}

/** By session, then by operation. */
const controls = new WeakMap<object, Map<string, Control>>();

/** Returns the control of an operation, if an earlier trial of the session sent one that may be shared. */
export const sharedControl = (context: TrialContext, { operationId }: Operation): Control | undefined =>
  controls.get(context.session)?.get(operationId);

/** Keeps an accepted call of an operation for other trials. */
export const shareControl = (context: TrialContext, operation: Operation, control: Control): void => {
  if (!mayShare(context, operation) || !isAccepted(control.exchange)) return;
  const known = controls.get(context.session) ?? new Map<string, Control>();
  controls.set(context.session, known.set(operation.operationId, control));
};

const mayShare = (context: TrialContext, operation: Operation): boolean =>
  (context.isThrifty && operation.method === "GET") ||
  (lasts(context.contract, operation, context.target) && !consumes(operation));

/**
 * Returns the shared control if the probes were refused as they should be: a violation is shown next to a control of its
 * own, because the target may have changed since. Otherwise, sends the call.
 */
export const controlBeside = async (
  context: TrialContext,
  call: Call,
  { known, holds }: { readonly known: Control | undefined; readonly holds: boolean },
): Promise<Exchange> =>
  known !== undefined && holds ? known.exchange : context.send({ ...call, role: "control" });
