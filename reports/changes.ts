/** What changed between two certificates, as data. */
import type { Verdict } from "../helpers/trials/ledger.ts";
import type { Outcome } from "./outcome.ts";

/** In the order in which they are told: what needs somebody's eye first. */
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
  /** `null` where the requirement was, or is, not there. */
  readonly before: Verdict | null;
  readonly now: Verdict | null;
  /** Why it is not tried or blocked now. */
  readonly reason: string | null;
  /** Of the findings that the baseline does not have. */
  readonly fingerprints: readonly string[];
  /** A failure that the baseline does not have, and that nobody accepted. */
  readonly regression: boolean;
}

export interface Comparison {
  readonly baseline: { readonly target: string; readonly startedAt: string; readonly outcome: Outcome };
  /** How the two runs differ by what they were asked, each a few words: changes may come of these. */
  readonly differences: readonly string[];
  readonly changes: readonly Change[];
  readonly regressions: number;
  /** Requirements that were tried, or are new, and are blocked or not tried now. */
  readonly lost: number;
  /** Requirements that this run was not asked about. */
  readonly notCompared: number;
  /** Fingerprints that only the baseline has, though this run tried their requirements: it should be renewed. */
  readonly stale: readonly string[];
}
