/** The ledger: every verdict of a trial, with what shows it. It travels as JSON, so that shards can be merged. */

import type { Service } from "../contract/contract.ts";
import type { Failure } from "./failure.ts";

export type Verdict = "not-tried" | "passed" | "blocked" | "advisory" | "failed";

/** A requirement takes the strongest of its verdicts: the later in this list, the stronger. */
export const STRENGTH: readonly Verdict[] = ["not-tried", "passed", "blocked", "advisory", "failed"];

export interface LedgerEntry {
  readonly requirement: string;
  readonly verdict: Verdict;
  /** Why `not-tried` or `blocked`. */
  readonly reason?: string;
  /** How many exchanges this verdict rests on. */
  readonly exchanges: number;
  readonly failure?: Failure;
}

export interface OperationCount {
  readonly operationId: string;
  readonly status: number;
  readonly documented: boolean;
  readonly observed: number;
}

/** What a server did where the documents are silent. */
export interface Observation {
  /** `subject` of the gap. */
  readonly subject: string;
  readonly operationId: string;
  readonly observed: string;
}

/** All that one trial has to tell. */
export interface TrialResult {
  readonly trial: string;
  readonly service: Service;
  readonly entries: readonly LedgerEntry[];
  readonly operations: readonly OperationCount[];
  readonly observations: readonly Observation[];
  readonly exchanges: number;
  readonly billableCalls: number;
  /** Trace of the crash that ended it, redacted. */
  readonly crash?: string;
}
