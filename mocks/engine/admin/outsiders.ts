/**
 * Decides who may command a server on this machine: its own programs and pages. Otherwise, any page in a browser could,
 * because browsers send simple requests to every address, and a name can change to a loopback address.
 */
import type { IncomingMessage } from "node:http";
import { isLoopback } from "../deliveries/destinations.ts";

/** What identifies the sender of a request. */
export interface Sender extends Pick<IncomingMessage, "method" | "headers"> {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Tells why a sender may not give commands.
 * @param names host names that are allowed besides loopback, from any address
 * @returns `undefined` if it may
 */
export const outsider = (
  { method, headers, socket }: Sender,
  names: readonly string[] = [],
): string | undefined => {
  const { host = "", origin } = headers;
  const name = hostIn(`http://${host}`);
  if (!names.includes(name)) {
    if (!isLoopback(name)) return `The host "${host}" is not a loopback address.`;
    if (!isLoopback(socket.remoteAddress ?? "")) return "The request comes from another machine.";
  }
  return origin === undefined || method === "GET" || isOwnOrigin(origin, names)
    ? undefined
    : `Pages of the origin "${origin}" may only read.`;
};

/** Whether a page of this origin is a page of this machine, or of an allowed host. */
export const isOwnOrigin = (origin: string, names: readonly string[]): boolean => {
  const host = hostIn(origin);
  return isLoopback(host) || names.includes(host);
};

/** Returns the host of a URL; an empty text if it is not a URL, such as the origin `null`. */
export const hostIn = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "";
