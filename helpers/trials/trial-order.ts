/** The order of the trials by what they prove for their requests. It is an input of a run. */
import type { Service } from "../contract/contract.ts";

/**
 * What a trial proves: the requests that it sends at quick depth, the faults of the sandbox that it finds first, and the
 * classes of faults that no trial before it finds.
 */
export interface RankedTrial {
  readonly service: Service;
  readonly trial: string;
  readonly requests: number;
  readonly faults: number;
  readonly classes: number;
}

/**
 * Returns what a trial proves for a request. A server seldom has one of our faults, but may well have one of its class. So
 * a class counts as much as ten faults of classes that are found already.
 */
export const proofOf = ({
  requests,
  faults,
  classes,
}: Pick<RankedTrial, "requests" | "faults" | "classes">): number =>
  (10 * classes + faults) / Math.max(1, requests);

/**
 * Returns the requests that each service may send of a budget, in the order of all their trials.
 * @param requests the budget of all services together
 */
export const sharesOf = (
  requests: number,
  services: readonly Service[],
  order: readonly RankedTrial[],
): Record<Service, number> => {
  const shares: Record<Service, number> = Object.fromEntries(services.map((service) => [service, 0]));
  let left = requests;
  for (const ranked of order) {
    if (left <= 0) break;
    const taken = Math.min(left, ranked.requests);
    shares[ranked.service] = (shares[ranked.service] ?? 0) + taken;
    left -= taken;
  }
  return shares;
};

/** The requests of one service at quick depth; finding and removing resources takes some more. */
const AT_QUICK_DEPTH = 3_012;

/**
 * Returns the trials of a service that quick depth leaves out: they find the fewest classes of faults for their requests.
 * @param order the trials of one service
 */
export const leftOutAtQuickDepth = (order: readonly RankedTrial[]): ReadonlySet<string> => {
  let left = AT_QUICK_DEPTH;
  const least = order.filter(({ requests }) => {
    left -= requests;
    return left < 0;
  });
  return new Set(least.map(({ trial }) => trial));
};

/** Counts the trials that were not tried, and the faults and classes of faults that the others find. */
export const leftOutBy = (
  order: readonly RankedTrial[],
  tried: readonly { readonly service: Service; readonly trial: string }[],
): { readonly trials: number; readonly found: number; readonly classes: number } => {
  const done = new Set(tried.map(({ service, trial }) => `${service} ${trial}`));
  const kept = order.filter(({ service, trial }) => done.has(`${service} ${trial}`));
  return {
    trials: order.length - kept.length,
    found: kept.reduce((sum, { faults }) => sum + faults, 0),
    classes: kept.reduce((sum, one) => sum + one.classes, 0),
  };
};
