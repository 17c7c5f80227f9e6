/**
 * The result of a check. The check does not know its requirement, level or severity. It shows values whole: only a judge
 * cuts them, after it has redacted them.
 */
export interface CheckResult {
  readonly holds: boolean;
  /** The place in the body (JSON pointer), or the header's name; empty for the whole response. */
  readonly pointer: string;
  /** One sentence about the violation, for example `firstName of 31 characters was accepted`. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** The promise that was broken, as a sentence, if the statement of the requirement covers more, or says less. */
  readonly promise?: string | undefined;
  /** The violated JSON Schema keyword, if the input was generated for it. */
  readonly keyword?: string;
  /** How plain an example the input is, if it was generated: 0 for the plainest of its kind. */
  readonly rank?: number;
  /** Whether the judged exchange shows the violation, and the others only what it is compared with. */
  readonly alone?: true;
  /** The exchanges suggest the violation but cannot prove it, so it is an advisory. */
  readonly suspected?: true;
}

export const HOLDS: CheckResult = { holds: true, pointer: "", message: "", expected: "", actual: "" };

/** Details of a violation; `pointer` may be left out if it is of the whole. */
export type Details = Omit<CheckResult, "holds" | "pointer"> & Partial<Pick<CheckResult, "pointer">>;

export const violation = (details: Details): CheckResult => ({ holds: false, pointer: "", ...details });

/** @param details details of the violation, used if the condition does not hold */
export const checkThat = (holds: boolean, details: Details): CheckResult =>
  holds ? HOLDS : violation(details);

/** Returns a value as JSON. */
export const shownValue = (value: unknown): string => JSON.stringify(value) ?? "nothing";
