/**
 * The order of the trials by what they prove for their requests. It is data, which the mutation run writes: for each
 * trial the requests that it sends at quick depth, and the faults of the sandbox that it finds first.
 */
import { fileURLToPath } from "node:url";
import type { Service } from "../contract/contract.ts";
import { readJson } from "./files.ts";

export interface RankedTrial {
  readonly service: Service;
  readonly trial: string;
  readonly requests: number;
  readonly faults: number;
}

export const orderPath = (service: Service): string =>
  fileURLToPath(new URL(`../../mutation/order/${service}.json`, import.meta.url));

/** Returns the trials of the services, the most faults for a request first. A service without data has no such trials. */
export const trialOrder = (services: readonly Service[]): RankedTrial[] =>
  services
    .flatMap((service) =>
      Object.entries(
        readJson<Record<string, readonly [requests: number, faults: number]>>(orderPath(service)) ?? {},
      ).map(([trial, [requests, faults]]) => ({ service, trial, requests, faults })),
    )
    .sort((a, b) => proofOf(b) - proofOf(a) || a.requests - b.requests || (a.trial < b.trial ? -1 : 1));

const proofOf = ({ requests, faults }: RankedTrial): number => faults / Math.max(1, requests);

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

/** Counts the trials that were not tried, and the faults that the others find. */
export const leftOutBy = (
  services: readonly Service[],
  tried: readonly { readonly service: Service; readonly trial: string }[],
): { readonly trials: number; readonly found: number } => {
  const done = new Set(tried.map(({ service, trial }) => `${service} ${trial}`));
  const all = trialOrder(services);
  const kept = all.filter(({ service, trial }) => done.has(`${service} ${trial}`));
  return { trials: all.length - kept.length, found: kept.reduce((sum, { faults }) => sum + faults, 0) };
};
