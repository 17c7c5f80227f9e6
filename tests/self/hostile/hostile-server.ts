/** A server that misbehaves in one way: it answers by itself, or changes the answers of a correct server. */
import http from "node:http";
import type net from "node:net";
import { Pool } from "undici";
import { listen } from "../support/loopback.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The number of requests before this one. */
  readonly index: number;
  /** The number of requests before this one on its connection. */
  readonly earlier: number;
}

/** The response to a client. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | string;
  /** Sent in place of a response, byte for byte; then the connection ends. */
  readonly raw?: readonly (Buffer | string)[];
  /** How the response ends, if not as it should. */
  readonly end?: "reset-before" | "reset-within" | "hang-before" | "hang-within" | "drip" | "close-after";
}

/** Answers a request before its body is read. @returns undefined if the request is answered afterwards */
export type AnswerEarly = (request: http.IncomingMessage) => Reply | undefined;

/** @param headers replace headers of the request with the same names */
export type Correct = (headers?: Readonly<Record<string, string>>) => Promise<Reply>;

export type Misbehave = (request: Received, correct: Correct) => Reply | Promise<Reply>;

/** @param origin the origin of the correct server */
export const hostileServer = async (
  origin: string,
  misbehave: Misbehave,
  early: AnswerEarly = () => undefined,
): Promise<string> => {
  const pool = new Pool(origin, { connections: 32 });
  let requests = 0;
  const onConnection = new WeakMap<net.Socket, number>();
  const server = http.createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const index = requests++;
    const earlier = onConnection.get(request.socket) ?? 0;
    onConnection.set(request.socket, earlier + 1);
    const atOnce = early(request);
    if (atOnce !== undefined) return send(response, atOnce);
    try {
      const body = Buffer.concat(await request.toArray());
      const received = { ...receivedFrom(request), body, index, earlier };
      send(
        response,
        await misbehave(received, (headers) =>
          forwarded(pool, { ...received, headers: { ...received.headers, ...headers } }),
        ),
      );
    } catch {
      // The client has closed the connection.
      response.destroy();
    }
  });
  server.once("close", () => void pool.destroy());
  return listen(server);
};

/** The same before a service. @returns its base URL */
export const hostileService = async (baseUrl = "", ...how: [Misbehave, AnswerEarly?]): Promise<string> => {
  const { origin, pathname } = new URL(baseUrl);
  return `${await hostileServer(origin, ...how)}${pathname}`;
};

const receivedFrom = (request: http.IncomingMessage): Pick<Received, "method" | "path" | "headers"> => ({
  method: request.method ?? "GET",
  path: request.url ?? "/",
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
});

const HOP_BY_HOP = ["host", "connection", "keep-alive", "content-length", "transfer-encoding", "expect"];

const forwarded = async (pool: Pool, { method, path, headers, body }: Received): Promise<Reply> => {
  const kept = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.includes(name) && name !== "accept-encoding",
  );
  const answer = await pool.request({
    method: method as "GET",
    path,
    headers: Object.fromEntries(kept),
    body: body.length > 0 ? body : null,
  });
  const received = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(received.map(([name, value]) => [name, value ?? ""])),
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
};

const send = (response: http.ServerResponse, { status, headers, body, raw, end }: Reply): void => {
  const { socket } = response;
  if (raw !== undefined) writeRaw(socket, raw);
  if (end === "reset-before") socket?.resetAndDestroy();
  if (raw !== undefined || end === "reset-before" || end === "hang-before") return;
  const bytes = Buffer.from(body);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  const length = { "content-length": String(Math.max(bytes.length, 2)) };
  if (end === undefined || end === "close-after") {
    response.shouldKeepAlive = end === undefined;
    response.writeHead(status, headers as http.OutgoingHttpHeaders).end(bytes);
    return;
  }
  response.writeHead(status, { ...headers, ...length } as http.OutgoingHttpHeaders);
  response.write(half.length > 0 ? half : " ", () => {
    if (end === "reset-within") socket?.resetAndDestroy();
  });
  if (end !== "drip") return;
  const timer = setInterval(() => response.write(" "), 100);
  response.once("close", () => clearInterval(timer));
};

const writeRaw = (socket: net.Socket | null, [first, ...rest]: readonly (Buffer | string)[]): void => {
  if (socket === null || socket.destroyed) return;
  if (first === undefined) socket.end();
  else socket.write(first, () => writeRaw(socket, rest));
};
