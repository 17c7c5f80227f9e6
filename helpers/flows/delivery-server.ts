/** The server that deliveries come to: answers each of them, and hands on what it took. */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { joinedHeaders } from "../exchange/exchange.ts";
import { type Delivery, jsonOf } from "./delivery.ts";

export interface DeliveryServerOptions {
  /** Whether it is a delivery to us what comes to the path; else it is answered with 404, and forgotten. */
  takes(path: string): boolean;
  onDelivery(delivery: Delivery): void;
  /** A free one unless given. */
  readonly port?: number;
  /** Whether other machines reach it. */
  readonly isPublic?: boolean;
  /** A longer body is refused with 413; 1 MB unless given. */
  readonly bodyLimitBytes?: number | undefined;
  /** Certificate and key in PEM, to be reached over HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface DeliveryServer {
  /** Address on this machine, without a path. */
  readonly origin: string;
  close(): Promise<void>;
}

/** @throws the system's error, with its code, when the port can't be listened on */
export const openDeliveryServer = async (options: DeliveryServerOptions): Promise<DeliveryServer> => {
  const { tls, port = 0, isPublic = false } = options;
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void receive(request, response, options);
  const server = tls === undefined ? http.createServer(handle) : https.createServer(tls, handle);
  server.listen(port, isPublic ? "0.0.0.0" : "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? "http" : "https"}://127.0.0.1:${own}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

/** What breaks off is no delivery. */
const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  { takes, onDelivery, bodyLimitBytes: limit = 1_000_000 }: DeliveryServerOptions,
): Promise<void> => {
  const receivedAt = new Date();
  const path = request.url ?? "/";
  const isTaken = takes(path.replace(/[?#].*$/s, ""));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    }
  } catch {
    return;
  }
  const status = !isTaken ? 404 : size > limit ? 413 : 204;
  response.writeHead(status).end();
  if (!isTaken) return;
  const body = Buffer.concat(size > limit ? [] : chunks);
  const { method = "" } = request;
  const headers = joinedHeaders(request.headers);
  onDelivery({ receivedAt, method, path, headers, body, json: jsonOf(body), answered: status });
};
