/** The changes between two certificates, as data. */
import type { Service } from "../../helpers/contract/contract.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Outcome } from "./outcome.ts";

/** The kinds in the order of the report: the most urgent kinds first. */
export const CHANGE_KINDS = [
  "newly-failing",
  "failing-otherwise",
  "newly-blocked",
  "no-longer-tried",
  "newly-advisory",
  "fixed",
  "no-longer-advisory",
  "no-longer-blocked",
  "newly-tried",
  "added",
  "gone",
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly requirement: string;
  readonly kind: ChangeKind;
  /** `null` if the certificate does not have the requirement. The same applies to `now`. */
  readonly before: Verdict | null;
  readonly now: Verdict | null;
  /** The reason why it is now `not-tried` or `blocked`; what a change of the document took back. */
  readonly reason: string | null;
  /** Fingerprints of the findings that the baseline does not have. */
  readonly fingerprints: readonly string[];
  /** Whether this is a failure that the baseline does not have and the user did not accept. */
  readonly regression: boolean;
}

/** A change of behaviour that no requirement forbids. */
export interface Drift {
  /** The id of the changed observation; `null` for a change in the fingerprint of behaviour. */
  readonly observation: string | null;
  readonly service: Service;
  /** The operations that show the change; empty for an observation. */
  readonly operations: readonly string[];
  readonly words: string;
  /** In normal form. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** A command that shows the behaviour of now; `null` if no request of the run does. */
  readonly curl: string | null;
}

export interface Comparison {
  readonly baseline: { readonly target: string; readonly startedAt: string; readonly outcome: Outcome };
  /**
   * Differences in target, depth, seed, selection or contracts, each described in a few words. They may have caused
   * changes.
   */
  readonly differences: readonly string[];
  readonly changes: readonly Change[];
  readonly regressions: number;
  /** The number of requirements that are now blocked or not tried, and that were tried before or are new. */
  readonly lost: number;
  /** The number of requirements that this run did not select. */
  readonly notCompared: number;
  /**
   * Fingerprints that only the baseline has, even though this run tried their requirements. The user should renew the
   * baseline.
   */
  readonly stale: readonly string[];
  /** Absent if the baseline or the run has no behaviour. */
  readonly drift?: readonly Drift[];
}
