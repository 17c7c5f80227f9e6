/**
 * A shared receiver: one server listens on the port that the user gave, and each trial has a receiver of its own there,
 * in whichever process it runs. An address carries a callbackSignature, by which the server knows it without having been told.
 */
import { createHmac, randomBytes } from "node:crypto";
import { ConfigurationError } from "../target/load-target.ts";
import type { Delivery } from "./delivery.ts";
import { openDeliveryServer } from "./delivery-server.ts";
import { createInbox } from "./inbox.ts";
import { type Receiver, unguessable } from "./receiver.ts";

export interface ReceiverPlace {
  readonly port: number;
  /** Address at which the target reaches us; only this machine does when there is none. */
  readonly publicUrl?: string;
}

/** What it takes to give out addresses of a shared receiver. */
export interface CallbackSigner {
  /** What addresses start with, without a slash in the end. */
  readonly base: string;
  /** As the user wrote it. */
  readonly publicUrl?: string;
  /** What stamps are made with. */
  readonly key: string;
}

export interface SharedReceiver {
  readonly signer: CallbackSigner;
  /** @returns how to hear no more */
  subscribe(hear: (delivery: Delivery) => void): () => void;
}

/**
 * At a public address it takes whatever path it is called at, as the user may have registered any.
 * @throws ConfigurationError when the port can't be listened on
 */
export const openSharedReceiver = async ({
  port,
  publicUrl,
}: ReceiverPlace): Promise<SharedReceiver & { close(): Promise<void> }> => {
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

/** What comes to an address of nobody is for everybody: where one was registered for good, we did not make it up. */
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

/** Hex digits of which the first half tells addresses apart, and the second that they are ours. */
const HALF = 16;

const callbackSignature = (key: string, word: string): string => {
  const start = word.slice(0, HALF);
  return `${start}${createHmac("sha256", key).update(start).digest("hex").slice(0, HALF)}`;
};

const isSigned = (key: string, word: string): boolean =>
  /^[0-9a-f]{32}$/.test(word) && callbackSignature(key, word) === word;

/** A public address may add to the path in front, and the target in the end. */
const signedIn = (key: string, path: string): string | undefined =>
  path.split(/[/?#]/).find((part) => isSigned(key, part));

const unusable = (port: number, { code }: NodeJS.ErrnoException): string =>
  code === "EADDRINUSE"
    ? `RECEIVER_PORT: port ${port} is taken by another program or run (EADDRINUSE). End that one, or set another port, to which RECEIVER_PUBLIC_URL leads as well.`
    : `RECEIVER_PORT: port ${port} can't be listened on (${code}). Set another port, to which RECEIVER_PUBLIC_URL leads as well.`;
