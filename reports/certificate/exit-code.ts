/** The exit codes of commands. */
import type { Certificate } from "./certificate.ts";

/**
 * What fails a run: any violation that is not accepted, or only a violation that the baseline does not have; `drift`
 * adds any change of behaviour since the baseline, and `advisory` adds advisories to the violations.
 */
export type FailOn = "violation" | "regression" | "drift" | "advisory";

/** Whether a run is compared with a baseline. */
export const needsBaseline = (failOn: FailOn): boolean => failOn === "regression" || failOn === "drift";

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
  const byRegression = needsBaseline(failOn);
  if (byRegression && comparison === undefined) return EXIT_INCOMPLETE;
  if (failOn === "drift" && comparison?.drift === undefined) return EXIT_INCOMPLETE;
  if (failOn === "drift" && comparison?.drift?.length !== 0) return EXIT_VIOLATIONS;
  // An interrupted run is incomplete, even with violations.
  const counted = summary.failed + (failOn === "advisory" ? advisoriesIn(certificate) : 0);
  const unaccepted = outcome === "incomplete" ? 0 : counted - (summary.accepted ?? 0);
  if ((byRegression ? (comparison?.regressions ?? 0) : unaccepted) > 0) return EXIT_VIOLATIONS;
  const missing = byRegression ? comparison?.lost : summary.blocked;
  const judged = summary.passed + summary.failed + summary.advisory;
  return missing || problems.length > 0 || judged === 0 ? EXIT_INCOMPLETE : FINE;
};

/** Returns the number of advisories that the user has not accepted. */
const advisoriesIn = ({ requirements, findings }: Certificate): number =>
  requirements.filter(
    ({ id, verdict }) =>
      verdict === "advisory" &&
      !findings
        .filter(({ requirement }) => requirement === id)
        .every(({ accepted }) => accepted !== undefined),
  ).length;
