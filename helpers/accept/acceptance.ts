/** Known violations that a team accepts until a date. */

export interface Acceptance {
  /** The fingerprint in the report. */
  readonly fingerprint: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day of acceptance, in UTC: `2026-12-31`. */
  readonly expires: string;
}

export interface AcceptList {
  /** The path as the user gave it. */
  readonly file: string;
  readonly entries: readonly Acceptance[];
}

/** Whether an entry has expired. An entry is still valid on its last day. */
export const isExpired = ({ expires }: Acceptance, on: Date): boolean =>
  expires < on.toISOString().slice(0, 10);
