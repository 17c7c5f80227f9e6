/** Reads what the last mutation run found out about each trial, and the classes of faults. */
import { fileURLToPath } from "node:url";
import type { Service } from "../../helpers/contract/contract.ts";
import { readJson } from "../../helpers/run/files.ts";
import { proofOf, type RankedTrial } from "../../helpers/trials/trial-order.ts";

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
