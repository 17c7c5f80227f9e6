/** The ledger: every verdict of a trial, with what shows it. It travels as JSON, so that shards can be merged. */
import type { Service } from "../contract/contract.ts";
import type { Act, Must } from "../sequences/model.ts";

export type Verdict = "not-tried" | "passed" | "blocked" | "advisory" | "failed";

/** A requirement takes the strongest of its verdicts: the later in this list, the stronger. */
export const STRENGTH: readonly Verdict[] = ["not-tried", "passed", "blocked", "advisory", "failed"];

/** An exchange as it may be written to disk: redacted at capture. */
export interface RecordedExchange {
  readonly id: string;
  readonly operationId: string;
  readonly request: { method: string; url: string; headers: Record<string, string>; body?: string };
  readonly response?: { status: number; headers: Record<string, string>; body: string };
  readonly failure?: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** What a violation looks like; prose is rendered from it last. Nothing in it is secret: redacted at capture. */
export interface Failure {
  readonly operationId: string;
  /** Where in the request or response, as a JSON pointer or a header name; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON Schema keyword that does not hold, where an input drawn for it shows so. */
  readonly keyword?: string;
  /** The exchange that shows it, smallest example first, then its twin if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  readonly curl: string;
  /** The steps that lead there, where one exchange alone shows nothing. */
  readonly sequence?: readonly RecordedStep[];
}

/** A step of a sequence, as a person can take it again. */
export interface RecordedStep {
  readonly title: string;
  /** Whether it was sent at the same time as the one before. */
  readonly beside: boolean;
  readonly exchange?: RecordedExchange;
  /** What was done by other means than a call. */
  readonly act?: Act;
  /** Values of the answer, by JSON pointer, that later requests are made of. */
  readonly gives?: Readonly<Record<string, string>>;
  /** What the answer would have to be like, where it shows the violation. */
  readonly must?: Must;
}

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
export interface LedgerPage {
  readonly trial: string;
  readonly service: Service;
  readonly entries: readonly LedgerEntry[];
  readonly operations: readonly OperationCount[];
  readonly observations: readonly Observation[];
  readonly exchanges: number;
  readonly billableCalls: number;
}
