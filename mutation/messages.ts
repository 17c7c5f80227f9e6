/** What the parent of the mutation run and its worker processes tell each other over IPC. */
import type { Service } from "../helpers/contract/contract.ts";
import type { Fault } from "../mocks/engine/faults/fault.ts";
import type { CleanRun, FaultRun } from "../reports/mutation.ts";
import type { CleanSetting } from "./clean.ts";

export interface FaultTask {
  readonly kind: "runFault";
  readonly service: Service;
  readonly fault: Fault["id"];
}

export interface CleanTask extends CleanSetting {
  readonly kind: "clean";
  readonly service: Service;
}

/** Sent to a worker, one at a time. */
export type Task = FaultTask | CleanTask;

export type Result = FaultRun | CleanRun;

/** The answer of a worker to each task; `cpuMs`: CPU time that the task took, in milliseconds. */
export type Answer = { readonly done: Result; readonly cpuMs: number } | { readonly error: string };
