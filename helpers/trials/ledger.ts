/** The ledger: every verdict of a trial, with its evidence. It is stored as JSON, so that shards can be merged. */
import type { Behaviour, Examples } from "../behaviour/behaviour.ts";
import type { Contract, Requirement, Service } from "../contract/contract.ts";
import { because, type Reason } from "../reasons/reason.ts";
import type { Failure } from "./failure.ts";

export type Verdict = "not-tried" | "passed" | "blocked" | "advisory" | "failed";

/** Verdicts from weakest to strongest. A requirement gets its strongest verdict. */
export const STRENGTH: readonly Verdict[] = ["not-tried", "passed", "blocked", "advisory", "failed"];

export interface LedgerEntry {
  readonly requirement: string;
  readonly verdict: Verdict;
  /** The reason for `not-tried` or `blocked`. */
  readonly reason?: Reason;
  /** The number of exchanges that this verdict is based on. */
  readonly exchanges: number;
  readonly failure?: Failure;
}

/** Returns the strongest entry of each requirement, the first of equal ones. */
export const strongestOf = <Entry extends LedgerEntry>(
  entries: readonly Entry[],
): ReadonlyMap<string, Entry> => {
  const strongest = new Map<string, Entry>();
  for (const entry of entries) {
    const known = strongest.get(entry.requirement);
    if (known === undefined || STRENGTH.indexOf(known.verdict) < STRENGTH.indexOf(entry.verdict))
      strongest.set(entry.requirement, entry);
  }
  return strongest;
};

/** The reasons of requirements that oblige another half than the one that is judged. */
export const OBLIGES: Readonly<Record<Requirement["subject"], Reason>> = {
  service: because("obliges-service"),
  client: because("obliges-client", "the caller"),
  listener: because("obliges-client", "the listener"),
};

export interface OperationCount {
  readonly operationId: string;
  readonly status: number;
  readonly documented: boolean;
  readonly observed: number;
  /** The number of answers to valid requests among them; absent if there were none. */
  readonly valid?: number;
  /** The number of answers to requests that should be refused; absent if there were none. */
  readonly refusable?: number;
  /** What the first valid request was told that was not accepted, redacted: `400 {"message":"unknown site"}`. */
  readonly said?: string;
}

/** The server's behaviour in a case that the documents do not define. */
export interface Observation {
  /** The subject of the gap. */
  readonly subject: string;
  readonly operationId: string;
  readonly observed: string;
}

/** What one trial adds to the ledger. */
export interface TrialResult {
  readonly trial: string;
  readonly service: Service;
  readonly entries: readonly LedgerEntry[];
  readonly operations: readonly OperationCount[];
  readonly observations: readonly Observation[];
  /** The behaviour of the target in normal form; absent if no target was tried. */
  readonly behaviour?: Behaviour;
  /** Requests that show it. */
  readonly examples?: Examples;
  readonly exchanges: number;
  readonly billableCalls: number;
  /** The digests of two different answers, or of the only one; absent in results that were made without a target. */
  readonly answers?: readonly string[];
  /** The operations of a trial that had to end, because the target's answers did not give what they need, and why. */
  readonly unarranged?: { readonly operations: readonly string[]; readonly reason: Reason };
  /** The redacted stack trace of the crash that ended the trial. */
  readonly crash?: string;
}

/** Adds the reason for each requirement that the trial did not judge. */
export const withReasons = (
  result: TrialResult,
  { requirements }: Contract,
  reasonOf: (requirement: Requirement) => Reason,
): TrialResult => {
  const judged = new Set(result.entries.map(({ requirement }) => requirement));
  const others = requirements.filter(({ id }) => !judged.has(id));
  const entries = others.map(
    (one): LedgerEntry => ({
      requirement: one.id,
      verdict: "not-tried",
      reason: reasonOf(one),
      exchanges: 0,
    }),
  );
  return { ...result, entries: [...result.entries, ...entries] };
};
