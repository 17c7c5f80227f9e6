/** Reads what the last mutation run found out about each trial. */
import { fileURLToPath } from "node:url";
import type { Service } from "../../helpers/contract/contract.ts";
import { readJson } from "../../helpers/run/files.ts";
import { proofOf, type RankedTrial } from "../../helpers/trials/trial-order.ts";
import { readScores } from "./scores.ts";

export const orderPath = (service: Service): string =>
  fileURLToPath(new URL(`../../mutation/order/${service}.json`, import.meta.url));

/** Returns the number of classes of faults of the services. */
export const classesOf = (services: readonly Service[]): number =>
  readScores().reduce((sum, { service, classes = 0 }) => sum + (services.includes(service) ? classes : 0), 0);

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
