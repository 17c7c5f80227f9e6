/** The receiver: accepts deliveries of every service at generated URLs, and lets trials wait for them. */
import { randomBytes } from "node:crypto";
import { type DeliveryServerOptions, openDeliveryServer } from "./delivery-server.ts";
import { createInbox, type Inbox } from "./inbox.ts";

export interface ReceiverOptions extends Pick<DeliveryServerOptions, "bodyLimitBytes" | "tls"> {
  /** Generates the unique last part of a URL; by default 32 random hex digits. */
  readonly word?: () => string;
}

export interface Receiver extends Inbox {
  /**
   * The URL for a target at which only one URL is registered permanently: the user's public URL, or a URL with an
   * unguessable path.
   */
  readonly url: string;
  /** Returns a new URL with an unguessable path, which separates its deliveries from others. */
  address(): string;
  close(): Promise<void>;
}

/** Opens a receiver with its own server on a free port of this machine. */
export const openReceiver = async ({
  word = unguessable,
  ...options
}: ReceiverOptions = {}): Promise<Receiver> => {
  const { inbox, take } = createInbox();
  const paths = new Set<string>();
  // The target may append a path of its own to the address.
  const takes = (path: string): boolean => paths.has(/^\/[^/]*/.exec(path)?.[0] ?? "");
  const { origin, close } = await openDeliveryServer({ ...options, takes, onDelivery: take });
  const address = (): string => {
    const path = `/${word()}`;
    paths.add(path);
    return `${origin}${path}`;
  };
  return { ...inbox, url: address(), address, close };
};

export const unguessable = (): string => randomBytes(16).toString("hex");
