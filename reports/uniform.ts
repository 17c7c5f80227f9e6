/** Recognises a server that gives every request the same status: what it seems to keep shows nothing. */
import type { Service } from "../helpers/contract/contract.ts";
import type { TrialResult } from "../helpers/trials/ledger.ts";

/** The least number of answers to requests that should be refused, and to others. A right server gives both. */
const LEAST = 10;

/**
 * @param isWhole whether the run tries all requirements: a right server then accepts some requests
 * @returns the status of all answers, or `undefined` if there are several, or too few answers to tell
 */
export const onlyStatusOf = (
  service: Service,
  trialResults: readonly TrialResult[],
  isWhole: boolean,
): number | undefined => {
  const statuses = new Set<number>();
  const counts = { refusable: 0, others: 0 };
  for (const result of trialResults) {
    if (result.service !== service) continue;
    const answered = result.operations.filter(({ status }) => status !== 0);
    for (const { status } of answered) statuses.add(status);
    const { refusable = 0 } = result;
    counts.refusable += refusable;
    counts.others += answered.reduce((sum, { observed }) => sum + observed, 0) - refusable;
  }
  const [only, ...others] = statuses;
  if (others.length > 0 || only === undefined) return undefined;
  const isRefusal = isWhole && only >= 300;
  return isRefusal || Math.min(counts.refusable, counts.others) >= LEAST ? only : undefined;
};

/** The reason why no requirement passes. */
export const uniformReason = (status: number): string =>
  `every request was answered ${status}, valid or not, so that nothing is shown`;
