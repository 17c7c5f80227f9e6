/** The IPC messages between the parent of a matrix run and its worker processes. */
import type { Service } from "../helpers/contract/contract.ts";
import type { Opening } from "../helpers/situations/sandbox-capabilities.ts";
import type { Depth } from "../helpers/trials/trial.ts";
import type { Difference, Fault } from "../mocks/engine/deviations/deviation.ts";
import type { MatrixRow } from "../reports/certificate/matrix.ts";
import type { Baseline } from "./baseline.ts";

/** A sandbox on which the suite may know or see less than on the usual one. */
export type OtherSandbox = Pick<Opening, "differences" | "plain" | "situations">;

export interface CleanTask {
  readonly kind: "clean";
  readonly service: Service;
  readonly seed: number;
  readonly depth: Depth;
  /** Name of a set of permitted differences. */
  readonly variant?: string;
}

export interface DifferenceTask {
  readonly kind: "difference";
  readonly service: Service;
  /** The id of the only difference, or the name of a combination. */
  readonly name: string;
  readonly differences: readonly Difference["id"][];
}

export type Task =
  | {
      readonly kind: "fault";
      readonly service: Service;
      readonly fault: Fault["id"];
      readonly sandbox?: OtherSandbox;
    }
  | CleanTask
  | DifferenceTask;

/**
 * A task, with which a baseline may come that the worker keeps, or the order to run a part of the trials of a service without
 * a difference: all workers compare with the results.
 */
export type Order =
  | (Task & { readonly baseline?: Baseline })
  | { readonly kind: "baseline"; readonly service: Service; readonly part: number };

/** A message from the parent to a worker, which performs several orders at a time. */
export interface NumberedOrder {
  readonly number: number;
  readonly order: Order;
}

/**
 * A worker's answer to the order with that number; `cpuMs` is the CPU time that the worker used since its last answer, in
 * milliseconds.
 */
export type Answer = { readonly number: number } & (
  | { readonly done: MatrixRow | Baseline; readonly cpuMs: number }
  | { readonly error: string }
);
