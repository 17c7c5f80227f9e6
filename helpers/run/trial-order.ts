/**
 * The order of the trials by what they prove for their requests. It is data, which the mutation run writes: for each
 * trial the requests that it sends at quick depth, the faults of the sandbox that it finds first, and the classes of faults
 * that no trial before it finds.
 */
import { fileURLToPath } from "node:url";
import type { Service } from "../contract/contract.ts";
import { services } from "../contract/services.ts";
import { readJson } from "./files.ts";

export interface RankedTrial {
  readonly service: Service;
  readonly trial: string;
  readonly requests: number;
  readonly faults: number;
  readonly classes: number;
}

export const orderPath = (service: Service): string =>
  fileURLToPath(new URL(`../../mutation/order/${service}.json`, import.meta.url));

/** The number of faults of each class of a service. */
export const classesPath = (service: Service): string =>
  fileURLToPath(new URL(`../../mutation/classes/${service}.json`, import.meta.url));

/** Returns the number of classes of faults of the services. */
export const classesOf = (services: readonly Service[]): number =>
  services.reduce((sum, one) => sum + Object.keys(readJson<object>(classesPath(one)) ?? {}).length, 0);

/** Returns the trials of the services, the most proof for a request first. A service without data has no such trials. */
export const trialOrder = (services: readonly Service[]): RankedTrial[] =>
  services
    .flatMap((service) =>
      Object.entries(
        readJson<Record<string, readonly [requests: number, faults: number, classes: number]>>(
          orderPath(service),
        ) ?? {},
      ).map(([trial, [requests, faults, classes]]) => ({ service, trial, requests, faults, classes })),
    )
    .sort((a, b) => proofOf(b) - proofOf(a) || a.requests - b.requests || (a.trial < b.trial ? -1 : 1));

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
export const sharesOf = (requests: number, services: readonly Service[]): Record<Service, number> => {
  const shares: Record<Service, number> = Object.fromEntries(services.map((service) => [service, 0]));
  let left = requests;
  for (const ranked of trialOrder(services)) {
    if (left <= 0) break;
    const taken = Math.min(left, ranked.requests);
    shares[ranked.service] = (shares[ranked.service] ?? 0) + taken;
    left -= taken;
  }
  return shares;
};

/** The requests of a run of all services at quick depth; finding and removing resources takes some more. */
const AT_QUICK_DEPTH = 4_100;

/** A service with so few requests is tried in full. */
const FEW = 1_000;

/** Returns the trials of a service that quick depth leaves out: they find the fewest classes of faults for their requests. */
export const leftOutAtQuickDepth = (service: Service): ReadonlySet<string> => {
  const sizes = services().map((one) => sumOf(trialOrder([one])));
  const order = trialOrder([service]);
  const size = sumOf(order);
  if (size <= FEW) return new Set();
  const [small, large] = [sizes.filter((one) => one <= FEW), sizes.filter((one) => one > FEW)];
  let left = ((AT_QUICK_DEPTH - total(small)) * size) / total(large);
  const least = order.filter(({ requests }) => {
    left -= requests;
    return left < 0;
  });
  return new Set(least.map(({ trial }) => trial));
};

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const sumOf = (trials: readonly RankedTrial[]): number => total(trials.map(({ requests }) => requests));

/** Counts the trials that were not tried, and the faults and classes of faults that the others find. */
export const leftOutBy = (
  services: readonly Service[],
  tried: readonly { readonly service: Service; readonly trial: string }[],
): { readonly trials: number; readonly found: number; readonly classes: number } => {
  const done = new Set(tried.map(({ service, trial }) => `${service} ${trial}`));
  const all = trialOrder(services);
  const kept = all.filter(({ service, trial }) => done.has(`${service} ${trial}`));
  return {
    trials: all.length - kept.length,
    found: kept.reduce((sum, { faults }) => sum + faults, 0),
    classes: kept.reduce((sum, one) => sum + one.classes, 0),
  };
};
