/** What a budget left out, as a share of the faults that the left-out trials find. */
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import { leftOutBy } from "../../helpers/trials/trial-order.ts";
import type { Certificate } from "./certificate.ts";
import { proofOf } from "./scores.ts";
import { isLeftOut } from "./trial-facts.ts";
import { classesOf, trialOrder } from "./trial-order.ts";

/** @returns `undefined` for a run without a budget */
export const budgetUse = (
  { budget, services }: RunInfo,
  trialResults: readonly TrialResult[],
): Certificate["budget"] => {
  if (budget === undefined) return undefined;
  const tried = trialResults.filter(({ entries }) => !entries.some(isLeftOut));
  const { trials, found, classes } = leftOutBy(trialOrder(services), tried);
  const { faults = 0 } = proofOf("service", services).mutation ?? {};
  return {
    ...budget,
    trialsLeftOut: Math.max(trials, trialResults.length - tried.length),
    faultsLeftOut: shareLeft(found, faults),
    classesLeftOut: shareLeft(classes, classesOf(services)),
  };
};

/** Returns the share of what is not found, in percent. */
const shareLeft = (found: number, all: number): number =>
  all === 0 ? 0 : Math.max(0, Math.ceil(100 - (100 * found) / all));
