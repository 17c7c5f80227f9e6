/** The receiver: takes deliveries of every service at addresses that it gives out, and lets trials wait for theirs. */
import { randomBytes } from "node:crypto";
import { type DeliveryServerOptions, openDeliveryServer } from "./delivery-server.ts";
import { createInbox, type Inbox } from "./inbox.ts";

export interface ReceiverOptions extends Pick<DeliveryServerOptions, "bodyLimitBytes" | "tls"> {
  /** Makes what its addresses end with, another one each time: 32 hex digits that nobody can guess unless given. */
  readonly word?: () => string;
}

export interface Receiver extends Inbox {
  /**
   * Address to register where one address is registered for good: the public one as the user wrote it, or one that
   * nobody can guess.
   */
  readonly url: string;
  /** A new address that nobody can guess, to tell apart what arrives there. */
  address(): string;
  close(): Promise<void>;
}

/** A receiver on a free port of this machine, which is its own. */
export const openReceiver = async ({
  word = unguessable,
  ...options
}: ReceiverOptions = {}): Promise<Receiver> => {
  const { inbox, take } = createInbox();
  const paths = new Set<string>();
  const takes = (path: string): boolean => paths.has(path);
  const { origin, close } = await openDeliveryServer({ ...options, takes, onDelivery: take });
  const address = (): string => {
    const path = `/${word()}`;
    paths.add(path);
    return `${origin}${path}`;
  };
  return { ...inbox, url: address(), address, close };
};

export const unguessable = (): string => randomBytes(16).toString("hex");
