/**
 * Controls that trials share. A call that was accepted once shows the same next to every probe of its operation, so it is
 * not repeated in a run with a budget if it only reads, and on no target if the run can't remove what it makes.
 */
import type { Operation } from "../../contract/contract.ts";
import { isSame } from "../../contract/json.ts";
import { getOrInsert } from "../../contract/memoize.ts";
import { type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import { lasts } from "../created-resources.ts";
import type { TrialContext } from "../trial.ts";
import { consumes } from "./valid-calls.ts";

export interface Control {
  readonly call: Call;
  readonly exchange: Exchange;
}

/** By session, then by operation, in the order in which they were accepted. */
const controls = new WeakMap<object, Map<string, readonly Control[]>>();

/** Returns the controls of an operation that trials of the session share. */
export const sharedControls = (context: TrialContext, { operationId }: Operation): readonly Control[] =>
  context.isApart === true ? [] : (controls.get(context.session)?.get(operationId) ?? []);

/** Returns a control of an operation, if an earlier trial of the session sent one that may be shared. */
export const sharedControl = (context: TrialContext, operation: Operation): Control | undefined =>
  sharedControls(context, operation)[0];

/** Keeps an accepted call of an operation for other trials. */
export const shareControl = (context: TrialContext, operation: Operation, control: Control): void => {
  if (!mayShare(context, operation) || !isAccepted(control.exchange)) return;
  const [first, ...others] = sharedControls(context, operation);
  const kept = first === undefined ? [control] : [first, ...others.slice(-MOST), control];
  getOrInsert(controls, context.session, () => new Map()).set(operation.operationId, kept);
};

/**
 * Whether an accepted call shows why a probe beside it was refused: a second call of the same resources was accepted too,
 * so that the first one did not change whether they are.
 */
export const isRepeatable = (context: TrialContext, operation: Operation, { path }: Call): boolean =>
  operation.method === "GET" ||
  lasts(context.contract, operation, context.target) ||
  sharedControls(context, operation).filter(({ call }) => isSame(call.path, path)).length > 1;

/** The number of later controls that are kept of an operation. */
const MOST = 8;

/** Whether trials of an operation share a control: each call that is accepted costs a request, or leaves something behind. */
export const mayShare = (context: TrialContext, operation: Operation): boolean =>
  (context.savesRequests || lasts(context.contract, operation, context.target)) &&
  context.isApart !== true &&
  !consumes(operation);

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
