/** Sends requests to a listener, and records them. */
import { Readable } from "node:stream";
import { Agent, buildConnector, request } from "undici";
import { type Exchange, joinedHeaders, type ReceivedResponse } from "../../../helpers/exchange/exchange.ts";
import { failureBetweenOthers } from "../../../helpers/exchange/failure.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { USER_AGENT } from "../../../helpers/exchange/user-agent.ts";

export interface ListenerRequest {
  readonly url: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Runs when half of the body has been sent. */
  readonly between?: () => Promise<void>;
  /** Whether the body is sent in chunks, without its length (RFC 9112, 7.1). */
  readonly isChunked?: boolean;
}

export type ListenerSender = ReturnType<typeof createSender>;

export interface SenderOptions {
  readonly service: string;
  readonly operationId: string;
  readonly timeLimitMs: number;
  /** Connects to this address in place of the address in the URL, without checking its certificate. */
  readonly connectTo?: { readonly host: string; readonly port: number };
}

/** @param onExchange receives each exchange */
export const createSender = (
  { service, operationId, timeLimitMs, connectTo }: SenderOptions,
  onExchange: (exchange: Exchange) => void,
) => {
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
  const deliver = async (
    { url, method = "POST", body, between, isChunked = false }: ListenerRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<ReceivedResponse> => {
    const isInParts = isChunked || between !== undefined;
    const parts = isInParts && Readable.from(inParts(body ?? "", between), { objectMode: false });
    const length = { "content-length": String(Buffer.byteLength(body ?? "")) };
    const response = await request(url, {
      method: method as "POST",
      headers: { ...headers, ...(parts && !isChunked && length) },
      body: parts || (body ?? null),
      dispatcher,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return {
      status: response.statusCode,
      headers: joinedHeaders(response.headers),
      body: bytes,
      ...jsonOf(bytes),
    };
  };
  return {
    async send(listenerRequest: ListenerRequest): Promise<Exchange> {
      const { url, method = "POST", contentType = "application/json", body } = listenerRequest;
      const type = body === undefined ? {} : { "content-type": contentType };
      const headers = { ...USER_AGENT, ...type, ...listenerRequest.headers };
      const startedAt = new Date();
      const started = performance.now();
      sent += 1;
      const ended = await deliver(listenerRequest, headers).then(
        (response) => ({ response }),
        (error: Error) => ({ failure: failureBetweenOthers(error) }),
      );
      const exchange: Exchange = {
        id: `l-${sent}`,
        service,
        operationId,
        requestJson: undefined,
        request: { method, url, headers, ...(body !== undefined && { body }) },
        ...ended,
        startedAt,
        durationMs: performance.now() - started,
      };
      onExchange(exchange);
      return exchange;
    },
    close: () => dispatcher.destroy(),
  };
};

/** Divides a body within its first character that takes several bytes, or in its middle. */
async function* inParts(body: string, between?: () => Promise<void>): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  const half = bytes.findIndex((byte) => byte > 0x7f) + 1 || bytes.length >> 1;
  yield bytes.subarray(0, half);
  await between?.();
  yield bytes.subarray(half);
}
