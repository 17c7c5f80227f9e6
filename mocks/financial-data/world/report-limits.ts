/** Customers whose report lists were asked for too often, and partners that resell reports of others. */
import { perWorld } from "./store.ts";
import type { World } from "./world.ts";

const limited = perWorld(() => new Set<string>());

/** The lists of the customer and of its consumer refuse from now on. */
export const limit = (world: World, customerId: string): void => {
  limited(world).add(customerId);
};

export const isLimited = (world: World, customerId: string): boolean => limited(world).has(customerId);

const setUp = perWorld(() => new Map<string, string[]>());

export const resell = (world: World, resellerId: string, partnerId: string): void => {
  setUp(world).set(resellerId, [...(setUp(world).get(resellerId) ?? []), partnerId]);
};

/** Ids of the partners whose reports the partner may read. */
export const resoldBy = (world: World, partnerId: string): readonly string[] => [
  ...(world.partners.all.get(partnerId)?.resells ?? []),
  ...(setUp(world).get(partnerId) ?? []),
];
