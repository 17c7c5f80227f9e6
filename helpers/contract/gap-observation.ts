/** What a run observes about a gap of the documents. */
export interface GapObservation {
  /** Distinguishes the observations of one gap. */
  readonly id?: string;
  /** Describes the observed behaviour for people. */
  readonly what: string;
  /** How the value is read from a behaviour; `answers` if not given. */
  readonly from?: string;
  /** A regular expression for the facts that are read; if not given, these are what trials noted about the gap. */
  readonly match?: string;
  /** The reason why no exchange can show it. */
  readonly unseen?: string;
}
