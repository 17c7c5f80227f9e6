/** Recognises a server that gives every request the same answer or status: what it seems to keep shows nothing. */
import type { Service } from "../../helpers/contract/contract.ts";
import { because, type Reason } from "../../helpers/reasons/reason.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";

/** The least number of answers to requests that should be refused, and to others. A right server gives both. */
const LEAST = 10;

/**
 * @param isWhole whether the run tries all requirements: a right server then accepts some requests, and answers them
 *   differently
 * @returns the status of all answers, or `undefined` if there are several, or too few answers to tell
 */
export const onlyStatusOf = (
  service: Service,
  trialResults: readonly TrialResult[],
  isWhole: boolean,
): number | undefined => {
  const results = trialResults.filter((result) => result.service === service);
  const answered = results.flatMap(({ operations }) => operations).filter(({ status }) => status !== 0);
  const [only, ...others] = new Set(answered.map(({ status }) => status));
  if (others.length > 0 || only === undefined) return undefined;
  const all = sum(answered.map(({ observed }) => observed));
  const refusable = sum(answered.map((one) => one.refusable ?? 0));
  const isRefusal = isWhole && only >= 300;
  const isSame = isWhole && all >= LEAST && areSame(results);
  return isRefusal || isSame || Math.min(refusable, all - refusable) >= LEAST ? only : undefined;
};

const areSame = (results: readonly TrialResult[]): boolean =>
  results.every(({ answers, exchanges }) => answers !== undefined || exchanges === 0) &&
  new Set(results.flatMap(({ answers = [] }) => answers)).size === 1;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** The reason why no requirement passes. */
export const uniformReason = (status: number): Reason => because("uniform", status);
