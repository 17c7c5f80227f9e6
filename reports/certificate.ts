/** The certificate of a run: a verdict for every requirement, and what shows it. */

import type { Acceptance } from "../helpers/accept/acceptance.ts";
import type { Contract, Operation, Requirement, Service } from "../helpers/contract/contract.ts";
import type { Upgrade } from "../helpers/diff/upgrade.ts";
import type { Failure } from "../helpers/trials/failure.ts";
import type { OperationCount, Verdict } from "../helpers/trials/ledger.ts";
import type { PlannedContract, RunInfo } from "../helpers/trials/run-info.ts";
import type { Comparison } from "./changes.ts";
import type { Total } from "./mutation.ts";
import type { Outcome } from "./outcome.ts";

export interface CertifiedRequirement
  extends Pick<Requirement, "id" | "service" | "level" | "statement" | "source"> {
  readonly verdict: Verdict;
  /** Why `not-tried` or `blocked`, or why no more than `advisory`. */
  readonly reason: string | null;
  readonly exchanges: number;
  /** Ids of findings. */
  readonly findings: readonly string[];
  /** It failed, and everything that shows so is accepted by the user. */
  readonly accepted?: true;
}

export interface CertifiedOperation
  extends Pick<Operation, "service" | "operationId" | "method" | "path" | "section" | "deprecated"> {
  /** All that took place, also those without a response. */
  readonly exchanges: number;
  readonly statuses: readonly Omit<OperationCount, "operationId">[];
}

export interface Finding extends Omit<Failure, "keyword"> {
  readonly id: string;
  readonly requirement: string;
  /** Command line that shows it again. */
  readonly replay: string;
  /** The same in every run that finds the same; several findings never share one. */
  readonly fingerprint: string;
  /** Who accepts it, where the user's accept list does: it stays a violation, but decides nothing. */
  readonly accepted?: Omit<Acceptance, "fingerprint">;
}

/** What the target did where the documents are silent. */
export interface ObservedGap {
  readonly service: Service;
  readonly subject: string;
  readonly gap: string | null;
  readonly observed: readonly string[];
}

/** How many there are of each. */
export interface Summary
  extends Readonly<
    Record<"requirements" | Exclude<Verdict, "not-tried"> | "notTried" | "exchanges", number>
  > {
  /** How many of the failed ones are accepted; there with an accept list only. */
  readonly accepted?: number;
}

interface CertifiedContract extends Omit<PlannedContract, "providerFile"> {
  /** The frozen set that it was judged by; `null` where its version has none. */
  readonly requirementSet?: Contract["requirementSet"];
}

export interface Certificate
  extends Pick<RunInfo, "target" | "seed" | "depth" | "startedAt" | "selection" | "shard"> {
  readonly format: "certificate/1";
  readonly contracts: readonly CertifiedContract[];
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly summary: Summary;
  readonly operations: readonly CertifiedOperation[];
  readonly requirements: readonly CertifiedRequirement[];
  readonly findings: readonly Finding[];
  readonly observations: readonly ObservedGap[];
  /** What went wrong with the run itself, each a message to a person; with any the run is incomplete. */
  readonly problems: readonly string[];
  /** What became of the entries of the user's accept list. */
  readonly accepted?: AcceptListUse;
  /** What the checks were proved against: faults, each of which they had to find; `null` where they were not. */
  readonly mutation?: Total | null;
  /** What changed since the baseline that the user gave. */
  readonly comparison?: Comparison;
  /** The upgrade of a provider's document of which the run tried what is touched. */
  readonly since?: Upgrade;
}

export interface TrialFact {
  readonly trial: string;
  readonly requirements: readonly string[];
  /** `interrupted` by the end of the run; `broken` did not come to its end by itself. */
  readonly state: "planned" | "finished" | "interrupted" | "broken";
  /** Why it is interrupted or broken. */
  readonly reason?: string;
}

export interface RunFacts {
  readonly trials: readonly TrialFact[];
  readonly problems: readonly string[];
  readonly durationMs: number;
  /** Until it has come to its end, and if it never does, a run is incomplete, whatever it has found. */
  readonly brokenOff?: boolean;
}

/**
 * `in-force` accepts a finding; `expired` no longer accepts the one it names; `stale` names what the run, which tried
 * the requirement, did not find: it has to be removed; `not-tried` names what the run could not find.
 */
export type AcceptanceState = "in-force" | "expired" | "stale" | "not-tried";

export interface AcceptListUse {
  readonly file: string;
  readonly entries: readonly (Acceptance & { readonly state: AcceptanceState })[];
}
