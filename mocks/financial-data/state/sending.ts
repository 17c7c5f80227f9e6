/**
 * Sends deliveries in the background. The code that causes a delivery does not wait for it, but moving the clock does.
 */
import type { Delivery } from "../../engine/deliveries/deliveries.ts";
import { perState, type State } from "./state.ts";

/** Milliseconds that a late delivery waits. */
const LATE = 100;

/**
 * Sends the delivery, late or twice in a sandbox with such a difference. Returns after the first attempt, but does not wait
 * for a late one.
 */
export const send = async (state: State, delivery: Delivery): Promise<void> => {
  if (state.differs("late-deliveries")) {
    void state.deliveries.send({ ...delivery, lateBy: LATE });
    return;
  }
  if (state.differs("repeated-deliveries")) await state.deliveries.send(delivery);
  if (state.differs("deliveries-repeated-later"))
    void state.deliveries.send({ ...delivery, lateBy: 3 * LATE });
  await state.deliveries.send(delivery);
};

const underWay = perState(() => new Set<Promise<unknown>>());

export const sendAside = (state: State, delivery: Delivery): void => {
  const sending = send(state, delivery);
  const all = underWay(state);
  all.add(sending);
  void sending.then(() => all.delete(sending));
};

/** Waits for the first attempt of every delivery in flight. */
export const allSent = async (state: State): Promise<void> => {
  await Promise.all(underWay(state));
};
