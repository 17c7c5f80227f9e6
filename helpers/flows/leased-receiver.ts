/** The shared receivers of this process: one for each place, open as long as anybody has a lease of it. */
import { openSharedReceiver, type ReceiverPlace, type SharedReceiver } from "./shared-receiver.ts";

export interface Lease extends SharedReceiver {
  /** The last one closes the receiver. */
  release(): Promise<void>;
}

interface Leased {
  readonly receiver: ReturnType<typeof openSharedReceiver>;
  leases: number;
}

const leased = new Map<string, Leased>();

/** @throws ConfigurationError when the port can't be listened on */
export const leaseReceiver = async (place: ReceiverPlace): Promise<Lease> => {
  const key = `${place.port} ${place.publicUrl ?? ""}`;
  const shared = leased.get(key) ?? open(key, place);
  shared.leases += 1;
  const { letterhead, subscribe, close } = await shared.receiver;
  return {
    letterhead,
    subscribe,
    async release() {
      shared.leases -= 1;
      if (shared.leases > 0) return;
      leased.delete(key);
      await close();
    },
  };
};

const open = (key: string, place: ReceiverPlace): Leased => {
  const shared = { receiver: openSharedReceiver(place), leases: 0 };
  leased.set(key, shared);
  shared.receiver.catch(() => leased.delete(key));
  return shared;
};
