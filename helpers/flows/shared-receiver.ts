/**
 * A shared receiver: one server listens on the user's port, and each trial in any process has its own receiver there.
 * URLs contain a signature, so the server recognises them without registration.
 */
import { createHmac, randomBytes } from "node:crypto";
import { ConfigurationError } from "../target/load-target.ts";
import type { Delivery } from "./delivery.ts";
import { openDeliveryServer } from "./delivery-server.ts";
import { createInbox } from "./inbox.ts";
import { type Receiver, unguessable } from "./receiver.ts";

export interface SharedReceiver {
  /** The data for generating URLs of the receiver. */
  readonly signer: {
    /** The start of all URLs, without a trailing slash. */
    readonly base: string;
    /** The public URL as the user wrote it. */
    readonly publicUrl?: string;
    /** The key of the signatures. */
    readonly key: string;
  };
  /** @returns a function that ends the subscription */
  subscribe(hear: (delivery: Delivery) => void): () => void;
}

/**
 * Opens the server. With a public URL, it accepts every path, because the user may have registered any of them.
 * @throws ConfigurationError when the server can't listen on the port
 */
export const openSharedReceiver = async ({
  port,
  publicUrl,
}: {
  readonly port: number;
  /** The URL at which the target reaches us; without it, only this machine can connect. */
  readonly publicUrl?: string;
}): Promise<SharedReceiver & { close(): Promise<void> }> => {
  const key = randomBytes(16).toString("hex");
  const { subscribe, announce } = createAnnouncer();
  const server = await openDeliveryServer({
    port,
    isPublic: publicUrl !== undefined,
    takes: (path) => publicUrl !== undefined || isSigned(key, path.slice(1)),
    onDelivery: announce,
  }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(unusable(port, error));
  });
  const base = publicUrl?.replace(/\/+$/, "") ?? server.origin;
  return {
    signer: { base, ...(publicUrl !== undefined && { publicUrl }), key },
    subscribe,
    close: server.close,
  };
};

export const createAnnouncer = (): Pick<SharedReceiver, "subscribe"> & {
  announce(delivery: Delivery): void;
} => {
  const listeners = new Set<(delivery: Delivery) => void>();
  return {
    subscribe(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    announce(delivery) {
      for (const hear of [...listeners]) hear(delivery);
    },
  };
};

/**
 * Returns a receiver. Deliveries to an unknown path go to every subscriber, because the user may have registered the
 * path.
 */
export const receiverOf = (
  { signer: { base, publicUrl, key }, subscribe }: SharedReceiver,
  word: () => string = unguessable,
): Receiver => {
  const { inbox, take } = createInbox();
  const own = new Set<string>();
  const stop = subscribe((delivery) => {
    const signed = signedIn(key, delivery.path);
    if (signed === undefined || own.has(signed)) take(delivery);
  });
  const address = (): string => {
    const signed = callbackSignature(key, word());
    own.add(signed);
    return `${base}/${signed}`;
  };
  return { ...inbox, url: publicUrl ?? address(), address, close: async () => stop() };
};

/** The number of hex digits in each half: the first identifies the URL, the second is the signature. */
const HALF = 16;

const callbackSignature = (key: string, word: string): string => {
  const start = word.slice(0, HALF);
  return `${start}${createHmac("sha256", key).update(start).digest("hex").slice(0, HALF)}`;
};

const isSigned = (key: string, word: string): boolean =>
  /^[0-9a-f]{32}$/.test(word) && callbackSignature(key, word) === word;

/** Finds a signed part in a path. A public URL may add a prefix, and the target a suffix. */
const signedIn = (key: string, path: string): string | undefined =>
  path.split(/[/?#]/).find((part) => isSigned(key, part));

const unusable = (port: number, { code }: NodeJS.ErrnoException): string =>
  code === "EADDRINUSE"
    ? `RECEIVER_PORT: port ${port} is in use by another program or run (EADDRINUSE). Stop it, or set another port that RECEIVER_PUBLIC_URL leads to as well.`
    : `RECEIVER_PORT: can't listen on port ${port} (${code}). Set another port that RECEIVER_PUBLIC_URL leads to as well.`;
