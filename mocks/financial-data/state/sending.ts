/**
 * Sends deliveries in the background. The code that causes a delivery does not wait for it, but moving the clock does.
 */

import type { Delivery } from "../../engine/deliveries/deliveries.ts";
import { perState, type State } from "./state.ts";

const underWay = perState(() => new Set<Promise<unknown>>());

export const sendAside = (state: State, delivery: Delivery): void => {
  const sending = state.deliveries.send(delivery);
  const all = underWay(state);
  all.add(sending);
  void sending.then(() => all.delete(sending));
};

/** Waits for the first attempt of every delivery in flight. */
export const allSent = async (state: State): Promise<void> => {
  await Promise.all(underWay(state));
};
