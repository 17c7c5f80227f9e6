/** Deliveries that nobody waits for where they are caused, and that whoever moves the clock waits for. */

import type { Delivery } from "../../engine/deliveries/deliveries.ts";
import { perWorld, type World } from "./world.ts";

const underWay = perWorld(() => new Set<Promise<unknown>>());

export const sendAside = (world: World, delivery: Delivery): void => {
  const sending = world.deliveries.send(delivery);
  const all = underWay(world);
  all.add(sending);
  void sending.then(() => all.delete(sending));
};

/** Waits for the first attempt of each that is on its way. */
export const allSent = async (world: World): Promise<void> => {
  await Promise.all(underWay(world));
};
