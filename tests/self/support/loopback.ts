/** Servers on this machine and clients for them; `closeAll` closes both after each test. */
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { type Client, type ClientOptions, createClient } from "../../../helpers/exchange/client.ts";
import type { ClientRequest } from "../../../helpers/exchange/draft.ts";

export const ALLOW_ALL = { billableCalls: Number.POSITIVE_INFINITY, destructive: true, locking: true };

/** Starts listening on a free port. @returns the server's origin */
export async function listen(server: net.Server): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

export const web = (listener: http.RequestListener): Promise<string> => listen(http.createServer(listener));

/** Starts a server that answers every request with these bytes and closes the connection unless `stay` is set. */
export const raw = (bytes: string, stay = false): Promise<string> =>
  listen(
    net.createServer((socket) => {
      socket.once("data", () => (stay ? socket.write(bytes) : socket.end(bytes)));
    }),
  );

export function client(options: Partial<ClientOptions> = {}): Client {
  const created = createClient({ prefix: "t0", permissions: ALLOW_ALL, ...options });
  closers.unshift(() => created.close());
  return created;
}

export const get = (url: string, more: Partial<ClientRequest> = {}): ClientRequest => ({
  service: "example",
  operationId: "GetThing",
  method: "GET",
  url,
  ...more,
});

const closers: (() => unknown)[] = [];

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
