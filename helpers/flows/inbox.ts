/** An inbox: stores deliveries, and lets callers wait for later ones. */
import { carries, type Delivery } from "./delivery.ts";

export interface Inbox {
  /** All deliveries so far, in order. */
  readonly deliveries: readonly Delivery[];
  /** Returns the deliveries that contain the identifier in their path, query or body, in order. */
  about(identifier: string): Delivery[];
  /**
   * Waits for `count` deliveries with the identifier.
   * @returns the deliveries with the identifier, possibly fewer after `limitMs`
   */
  wait(identifier: string, limitMs: number, count?: number): Promise<Delivery[]>;
}

/** Further deliveries are answered, but not stored. */
const MOST = 10_000;

/** A pause of the whole machine is one tick: a delivery may have waited as long. */
const TICKS = 20;

export const createInbox = (): { readonly inbox: Inbox; take(delivery: Delivery): void } => {
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  const about = (identifier: string) => deliveries.filter((delivery) => carries(delivery, identifier));
  const wait: Inbox["wait"] = (identifier, limitMs, count = 1) =>
    new Promise((resolve) => {
      const finish = () => {
        clearInterval(timer);
        waiting.delete(resolveIfEnough);
        resolve(about(identifier));
      };
      const resolveIfEnough = () => {
        if (about(identifier).length >= count) finish();
      };
      let left = TICKS;
      const timer = setInterval(() => {
        left -= 1;
        if (left === 0) finish();
      }, limitMs / TICKS);
      waiting.add(resolveIfEnough);
      resolveIfEnough();
    });
  return {
    inbox: { deliveries, about, wait },
    take(delivery) {
      if (deliveries.length >= MOST) return;
      deliveries.push(delivery);
      for (const resolveWait of [...waiting]) resolveWait();
    },
  };
};
