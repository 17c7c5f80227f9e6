/**
 * The half of the proxy for clients whose base URLs are fixed (RFC 9110, 9.3.6): they ask for a tunnel to the target,
 * and the proxy answers in it as the target, with a certificate of its own authority.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { hostIn } from "../../../mocks/engine/admin/outsiders.ts";
import type { Authority } from "../../../mocks/engine/gateway/authority.ts";

/** @param origin the origin of the target that the client of a tunnel speaks to */
type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, origin: string) => void;

/**
 * @param origins the origins of the target; tunnels to all others are refused
 * @param settings the settings of the proxy's server
 */
export const createTunnels = (
  origins: readonly string[],
  authority: Authority | undefined,
  settings: object,
  listener: Listener,
  onRefused: () => void,
) => {
  const servers = new Map<string, Server>();
  const open = new Set<Duplex>();
  const serverFor = (origin: string): Server =>
    getOrInsert(servers, origin, () => {
      const listen = (incoming: IncomingMessage, outgoing: ServerResponse) =>
        listener(incoming, outgoing, origin);
      if (origin.startsWith("http:")) return Object.assign(createServer(listen), settings);
      const identity = authority?.identityFor([hostIn(origin)]);
      return Object.assign(createSecureServer({ ...identity }, listen), settings);
    });
  return {
    /** Answers CONNECT. */
    connect({ url = "" }: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on("error", () => socket.destroy());
      const origin = origins.find((one) => authorityOf(one) === url.toLowerCase());
      if (origin === undefined) {
        onRefused();
        socket.end(forbidden(JSON.stringify({ message: refusal(origins) })));
        return;
      }
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      serverFor(origin).emit("connection", socket as Socket);
    },
    close(): void {
      for (const socket of open) socket.destroy();
    },
  };
};

const forbidden = (body: string): string =>
  `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;

/** Returns the host and port of an origin, as CONNECT names them. */
const authorityOf = (origin: string): string => {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
};

export const refusal = (origins: readonly string[]): string =>
  `As a forward proxy, it serves the target only: ${origins.join(", ")}.`;
