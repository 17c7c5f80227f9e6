/** What a team knows to be wrong and accepts, until a day. */

export interface Acceptance {
  /** What is accepted, as a report tells it. */
  readonly fingerprint: string;
  readonly owner: string;
  readonly reason: string;
  /** Last day on which it is accepted, in UTC: `2026-12-31`. */
  readonly expires: string;
}

export interface AcceptList {
  /** As the user gave it. */
  readonly file: string;
  readonly entries: readonly Acceptance[];
}

/** On its last day an entry still accepts. */
export const isExpired = ({ expires }: Acceptance, on: Date): boolean =>
  expires < on.toISOString().slice(0, 10);
