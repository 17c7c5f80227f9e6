/** Known violations that a team accepts until a date. */

export interface Acceptance {
  /** The fingerprint in the report. */
  readonly fingerprint: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day of acceptance, in UTC: `2026-12-31`. */
  readonly expires: string;
}

/**
 * `in-force`: the entry accepts a finding; `expired`: the entry no longer accepts its finding; `stale`: the run tried
 * the requirement without this finding, so the entry must be removed; `not-tried`: the run did not try the requirement.
 */
export type AcceptanceState = "in-force" | "expired" | "stale" | "not-tried";

export interface AcceptList {
  /** The path as the user gave it. */
  readonly file: string;
  readonly entries: readonly Acceptance[];
}

/** Whether an entry has expired. An entry is still valid on its last day. */
export const isExpired = ({ expires }: Acceptance, on: Date): boolean =>
  expires < on.toISOString().slice(0, 10);
