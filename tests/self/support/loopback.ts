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

/** A request as the server of a test reads it. */
export interface Asked {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The members of the body; empty if the body is not an object in JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server of JSON. @param answer may give only a status */
export const api = (answer: (asked: Asked) => Answer | number): Promise<string> =>
  web(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const text = await textOf(request);
    const [encoded = "", search] = url.split("?");
    const [path, query] = [decodeURIComponent(encoded), new URLSearchParams(search)];
    const given = answer({ method, path, query, headers, text, fields: fieldsIn(text) });
    const { status, json, headers: own }: Answer = typeof given === "number" ? { status: given } : given;
    response.writeHead(status, { ...(json !== undefined && { "content-type": "application/json" }), ...own });
    response.end(json === undefined ? undefined : JSON.stringify(json));
  });

export const textOf = async (request: http.IncomingMessage): Promise<string> =>
  Buffer.concat(await request.toArray()).toString();

export const fieldsIn = (text: string): Asked["fields"] => {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && !Array.isArray(json) ? { ...json } : {};
  } catch {
    return {};
  }
};

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
