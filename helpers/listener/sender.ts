/** Sends requests to a listener, and records them. */
import { Readable } from "node:stream";
import { Agent, buildConnector, request } from "undici";
import type { Exchange } from "../exchange/exchange.ts";
import { joinedHeaders } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { USER_AGENT } from "../exchange/user-agent.ts";

export interface ListenerRequest {
  readonly url: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Runs when half of the body has been sent. */
  readonly between?: () => Promise<void>;
}

export interface ListenerSender {
  send(sent: ListenerRequest): Promise<Exchange>;
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly service: string;
  readonly operationId: string;
  readonly timeLimitMs: number;
  /** Connects to this address in place of the address in the URL, without checking its certificate. */
  readonly connectTo?: { readonly host: string; readonly port: number };
}

export const createSender = ({
  service,
  operationId,
  timeLimitMs,
  connectTo,
}: SenderOptions): ListenerSender => {
  const connector = buildConnector({ timeout: timeLimitMs, ...(connectTo && { rejectUnauthorized: false }) });
  const dispatcher = new Agent({
    headersTimeout: timeLimitMs,
    bodyTimeout: timeLimitMs,
    connections: 64,
    connect: (options, callback) =>
      connector(
        connectTo === undefined
          ? options
          : { ...options, hostname: connectTo.host, port: String(connectTo.port), host: options.host ?? "" },
        callback,
      ),
  });
  let sent = 0;
  return {
    async send({ url, method = "POST", contentType = "application/json", body, between }) {
      const headers: Record<string, string> = {
        ...USER_AGENT,
        ...(body !== undefined && { "content-type": contentType }),
      };
      const startedAt = new Date();
      const started = performance.now();
      sent += 1;
      const base = {
        id: `l-${sent}`,
        service,
        operationId,
        requestJson: undefined,
        request: { method, url, headers, ...(body !== undefined && { body }) },
        startedAt,
      };
      try {
        const response = await request(url, {
          method: method as "POST",
          headers: {
            ...headers,
            ...(between && { "content-length": String(Buffer.byteLength(body ?? "")) }),
          },
          body:
            between === undefined
              ? (body ?? null)
              : Readable.from(inParts(body ?? "", between), { objectMode: false }),
          dispatcher,
        });
        const bytes = Buffer.from(await response.body.arrayBuffer());
        return {
          ...base,
          response: {
            status: response.statusCode,
            headers: joinedHeaders(response.headers),
            body: bytes,
            ...jsonOf(bytes),
          },
          durationMs: performance.now() - started,
        };
      } catch (error) {
        const { code = "", message } = error as NodeJS.ErrnoException;
        const kind =
          code === "ECONNREFUSED"
            ? "connection-refused"
            : /TIMEOUT/.test(code)
              ? "timeout"
              : "connection-lost";
        return { ...base, failure: { kind, message }, durationMs: performance.now() - started };
      }
    },
    close: () => dispatcher.destroy(),
  };
};

async function* inParts(body: string, between: () => Promise<void>): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const half = bytes.length >> 1;
  yield bytes.subarray(0, half);
  await between();
  yield bytes.subarray(half);
}
