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
  const { comparison } = certificate;
  if (hasStaleEntry(certificate)) return EXIT_VIOLATIONS;
  if (failOn === "violation") {
    // A run that broke off is incomplete, whatever it has found.
    if (certificate.outcome !== "incomplete" && unacceptedFailures(certificate) > 0) return EXIT_VIOLATIONS;
    return isIncomplete(certificate, certificate.summary.blocked) ? EXIT_INCOMPLETE : FINE;
  }
  if (comparison === undefined) return EXIT_INCOMPLETE;
  if (comparison.regressions > 0) return EXIT_VIOLATIONS;
  return isIncomplete(certificate, comparison.lost) ? EXIT_INCOMPLETE : FINE;
};

/** Failed requirements that something shows which nobody accepted. */
const unacceptedFailures = ({ summary }: Certificate): number => summary.failed - (summary.accepted ?? 0);

const hasStaleEntry = ({ accepted }: Certificate): boolean =>
  accepted?.entries.some(({ state }) => state === "stale") ?? false;

/** @param missing requirements without a verdict that there should be one of */
const isIncomplete = ({ summary, problems }: Certificate, missing: number): boolean =>
  missing > 0 || problems.length > 0 || summary.passed + summary.failed + summary.advisory === 0;
