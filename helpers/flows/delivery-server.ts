/** The HTTP server that receives deliveries, responds to them, and passes them to a listener. */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { joinedHeaders } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import type { Delivery } from "./delivery.ts";

export interface DeliveryServerOptions {
  /** Whether the server accepts deliveries at the path. Other requests get a 404 and are ignored. */
  takes(path: string): boolean;
  onDelivery(delivery: Delivery): void;
  /** A free port by default. */
  readonly port?: number;
  /** Whether other machines can connect. */
  readonly isPublic?: boolean;
  /** A longer body is refused with 413; 1 MB by default. */
  readonly bodyLimitBytes?: number | undefined;
  /** Certificate and key in PEM, for HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** @throws the error of the operating system, with its code, when the server can't listen on the port */
export const openDeliveryServer = async (
  options: DeliveryServerOptions,
): Promise<{ readonly origin: string; close(): Promise<void> }> => {
  const { tls, port = 0, isPublic = false } = options;
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void receive(request, response, options);
  const limits = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  const server =
    tls === undefined ? http.createServer(limits, handle) : https.createServer({ ...limits, ...tls }, handle);
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

/** The time for a whole request. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The bytes that are read of a body beyond the limit, so that its sender gets the answer. Then the connection ends. */
const DRAINED_MOST = 64_000_000;

const METHODS = "POST, PUT, PATCH, GET, HEAD, OPTIONS";

/** Handles a request. A request that is aborted, and a question about the address, do not count as a delivery. */
const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  { takes, onDelivery, bodyLimitBytes: limit = 1_000_000 }: DeliveryServerOptions,
): Promise<void> => {
  const receivedAt = new Date();
  const path = request.url ?? "/";
  const isReceiverPath = takes(path.replace(/[?#].*$/s, ""));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      if (size > DRAINED_MOST) throw new Error("the body is too long");
    }
  } catch {
    request.destroy();
    return;
  }
  if (request.method === "OPTIONS" || request.method === "HEAD") {
    response.writeHead(isReceiverPath ? 204 : 404, { allow: METHODS }).end();
    return;
  }
  const status = !isReceiverPath ? 404 : size > limit ? 413 : 204;
  response.writeHead(status).end();
  if (!isReceiverPath) return;
  const body = Buffer.concat(size > limit ? [] : chunks);
  const { method = "" } = request;
  const headers = joinedHeaders(request.headers);
  onDelivery({ receivedAt, method, path, headers, body, ...jsonOf(body), answered: status });
};
