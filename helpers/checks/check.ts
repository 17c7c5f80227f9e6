/** What a check observed: it never knows which requirement, level or severity its caller gives it. */
export interface CheckResult {
  readonly holds: boolean;
  /** Where in the body (JSON pointer), or the header's name; empty for the whole. */
  readonly pointer: string;
  /** One sentence about what does not hold, for example `firstName of 31 characters was accepted`. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON Schema keyword that does not hold, where an input drawn for it shows so. */
  readonly keyword?: string;
}

export const HOLDS: CheckResult = { holds: true, pointer: "", message: "", expected: "", actual: "" };

type Details = Omit<CheckResult, "holds">;

export const violation = (details: Details): CheckResult => ({ holds: false, ...details });

/** @param details of the violation, where it does not hold */
export const checkThat = (holds: boolean, details: Details): CheckResult =>
  holds ? HOLDS : violation(details);
