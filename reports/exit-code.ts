/** What a command says to the shell about a run. */
import type { Certificate } from "./certificate.ts";

/** What makes a run fail: any violation that is not accepted, or only one that the baseline does not have. */
export type FailOn = "violation" | "regression";

const FINE = 0;
export const EXIT_VIOLATIONS = 1;
export const EXIT_INCOMPLETE = 3;

/** For bad arguments or configuration, which come before any outcome. */
export const BAD_ARGUMENTS = 2;

/**
 * A stale entry of an accept list fails a run as a violation does, so that the list never says more than is so.
 * @param certificate `undefined` when the run left none
 */
export const exitCodeOf = (certificate: Certificate | undefined, failOn: FailOn = "violation"): number => {
  if (certificate === undefined) return EXIT_INCOMPLETE;
  const { summary, outcome, problems, comparison, accepted } = certificate;
  if (accepted?.entries.some(({ state }) => state === "stale")) return EXIT_VIOLATIONS;
  const byRegression = failOn === "regression";
  if (byRegression && comparison === undefined) return EXIT_INCOMPLETE;
  // A run that broke off is incomplete, whatever it has found.
  const unaccepted = outcome === "incomplete" ? 0 : summary.failed - (summary.accepted ?? 0);
  if ((byRegression ? (comparison?.regressions ?? 0) : unaccepted) > 0) return EXIT_VIOLATIONS;
  const missing = byRegression ? comparison?.lost : summary.blocked;
  const judged = summary.passed + summary.failed + summary.advisory;
  return missing || problems.length > 0 || judged === 0 ? EXIT_INCOMPLETE : FINE;
};
