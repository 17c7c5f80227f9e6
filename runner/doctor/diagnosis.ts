/** The result of an examination: what was checked, and the causes that make a run useless. */

/** `wrong` stops a run; `note` does not. */
export type State = "ok" | "note" | "wrong";

export interface Checked {
  /** A service, or `receiver`. */
  readonly of: string;
  readonly check: "connection" | "path" | "credentials" | "log-in" | "call" | "clock" | "deliveries";
  readonly state: State;
  readonly result: string;
}

/** A cause, and what to change. */
export interface Cause {
  readonly of: string;
  /** `unreachable`: there is no answer of the service, so nothing is known about the configuration of its calls. */
  readonly kind: "configuration" | "unreachable";
  readonly text: string;
}

export interface Diagnosis {
  readonly checked: readonly Checked[];
  readonly causes: readonly Cause[];
  readonly requests: number;
  readonly durationMs: number;
}
