/** The exit codes of commands. */
import type { Certificate } from "./certificate.ts";

/**
 * What fails a run: any violation that is not accepted, or only a violation that the baseline does not have; `drift`
 * adds any change of behaviour since the baseline.
 */
export type FailOn = "violation" | "regression" | "drift";

const FINE = 0;
export const EXIT_VIOLATIONS = 1;
export const EXIT_INCOMPLETE = 3;

/** The exit code for bad arguments or configuration: the run does not start. */
export const BAD_ARGUMENTS = 2;

/**
 * Returns the exit code of a run. A stale accept list entry fails the run, which keeps the list up to date.
 * @param certificate `undefined` when the run wrote none
 */
export const exitCodeOf = (certificate: Certificate | undefined, failOn: FailOn = "violation"): number => {
  if (certificate === undefined) return EXIT_INCOMPLETE;
  const { summary, outcome, problems, comparison, accepted } = certificate;
  if (accepted?.entries.some(({ state }) => state === "stale")) return EXIT_VIOLATIONS;
  const byRegression = failOn !== "violation";
  if (byRegression && comparison === undefined) return EXIT_INCOMPLETE;
  if (failOn === "drift" && comparison?.drift === undefined) return EXIT_INCOMPLETE;
  if (failOn === "drift" && comparison?.drift?.length !== 0) return EXIT_VIOLATIONS;
  // An interrupted run is incomplete, even with violations.
  const unaccepted = outcome === "incomplete" ? 0 : summary.failed - (summary.accepted ?? 0);
  if ((byRegression ? (comparison?.regressions ?? 0) : unaccepted) > 0) return EXIT_VIOLATIONS;
  const missing = byRegression ? comparison?.lost : summary.blocked;
  const judged = summary.passed + summary.failed + summary.advisory;
  return missing || problems.length > 0 || judged === 0 ? EXIT_INCOMPLETE : FINE;
};
