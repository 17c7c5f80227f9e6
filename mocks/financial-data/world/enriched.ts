/** External customers: those whose transactions a partner submitted through enrichment. */
import { perWorld } from "./store.ts";
import type { World } from "./world.ts";

const submitted = perWorld(() => new Set<string>());
const gone = perWorld(() => new Set<string>());

export const rememberEnriched = (world: World, partnerId: string, externalCustomerId: string): void => {
  submitted(world).add(`${partnerId} ${externalCustomerId}`);
};

export const isEnrichedFor = (world: World, partnerId: string, externalCustomerId: string): boolean =>
  submitted(world).has(`${partnerId} ${externalCustomerId}`);

/** Nothing can be enriched for the external customer any more. */
export const forget = (world: World, externalCustomerId: string): void => {
  gone(world).add(externalCustomerId);
};

export const isForgotten = (world: World, externalCustomerId: string): boolean =>
  gone(world).has(externalCustomerId);
