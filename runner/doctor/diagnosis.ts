/** The result of an examination: what was checked, and the causes that make a run useless. */

export interface Checked {
  /** A service, or `receiver`. */
  readonly of: string;
  readonly check: "connection" | "path" | "credentials" | "log-in" | "call" | "clock" | "deliveries";
  /** `wrong` stops a run; `note` does not. */
  readonly state: "ok" | "note" | "wrong";
  readonly result: string;
}

/** A cause, and what to change. */
export interface Cause {
  readonly of: string;
  /** `unreachable`: there is no answer of the service, so nothing is known about the configuration of its calls. */
  readonly kind: "configuration" | "unreachable";
  readonly text: string;
}

/** The result of one check. With `text`, it is a cause that stops a run, of the configuration by default. */
export type Conclusion = Pick<Checked, "state" | "result"> & Partial<Pick<Cause, "text" | "kind">>;

export interface Diagnosis {
  readonly checked: readonly Checked[];
  readonly causes: readonly Cause[];
  readonly requests: number;
  readonly durationMs: number;
}

export const wrong = (result: string, text: string, kind: Cause["kind"] = "configuration"): Conclusion => ({
  state: "wrong",
  result,
  text,
  kind,
});

export const note = (result: string): Conclusion => ({ state: "note", result });

export const ok = (result: string): Conclusion => ({ state: "ok", result });
