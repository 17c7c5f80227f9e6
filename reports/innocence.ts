/** The results of runs with permitted differences: nobody may be convicted for one. */
import type { Service } from "../helpers/contract/contract.ts";
import type { FalseAlarm } from "./mutation.ts";

export type { FalseAlarm } from "./mutation.ts";

/**
 * `convicted`: a requirement failed or was blocked; `not-shown`: a requirement that the difference does not name is no
 * longer shown; `without-effect`: no exchange changed.
 */
export type DifferenceStatus = "acquitted" | "convicted" | "not-shown" | "without-effect";

export interface DifferenceRun {
  readonly difference: string;
  readonly service: Service;
  readonly status: DifferenceStatus;
  readonly convictions: readonly FalseAlarm[];
  /** Requirements that pass without the difference and no longer do, although the difference does not name them. */
  readonly lost: readonly { readonly requirement: string; readonly reason: string }[];
  readonly trials: number;
  readonly exchanges: number;
  /** The number of exchanges that differ from all exchanges without the difference. */
  readonly changed: number;
  readonly seconds: number;
}
