/** Sends one request over a persistent connection and returns the exchange. */
import { Agent, type Dispatcher } from "undici";
import { type Draft, exchangeOf } from "./draft.ts";
import { type Exchange, joinedHeaders, type ReceivedResponse } from "./exchange.ts";
import { failureOf, isUnsendable, TimeLimitError } from "./failure.ts";
import { sendAndLeave } from "./leave.ts";

export interface TransportLimits {
  /** Connections per origin; 16 by default. */
  readonly connections?: number;
  /** Limit for connecting, and again for sending the request and reading the response; 30,000 by default. */
  readonly timeLimitMs?: number;
  /** A longer response body is not read to its end; 20 MB by default. */
  readonly bodyLimitBytes?: number;
}

export function createTransport(limits: TransportLimits) {
  const timeLimitMs = limits.timeLimitMs ?? 30_000;
  const agent = new Agent({
    connections: limits.connections ?? 16,
    pipelining: 1,
    maxResponseSize: limits.bodyLimitBytes ?? 20_000_000,
    connect: { timeout: timeLimitMs },
    // Our own timer limits the whole response; these two would not stop a response that never ends.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (draft: Draft): Promise<Exchange> =>
      draft.source.abandon ? sendAndLeave(draft) : dispatch(agent, draft, timeLimitMs),
    close: (): Promise<void> => agent.destroy(),
  };
}

function dispatch(agent: Agent, draft: Draft, timeLimitMs: number): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const startedAt = new Date();
    const began = performance.now();
    const settle = (result: Pick<Exchange, "response" | "failure">) =>
      resolve(exchangeOf(draft, { ...result, startedAt, durationMs: performance.now() - began }));
    const handler = collect(
      timeLimitMs,
      (response) => settle({ response }),
      (error) => {
        if (isUnsendable(error)) reject(unsendable(draft, error));
        else settle({ failure: failureOf(error, originOf(draft.request.url)) });
      },
    );
    try {
      agent.dispatch(wireFormOf(draft), handler);
    } catch (error) {
      reject(unsendable(draft, error));
    }
  });
}

function collect(
  timeLimitMs: number,
  onResponse: (response: ReceivedResponse) => void,
  onError: (error: Error) => void,
): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    onRequestStart(controller) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new TimeLimitError(timeLimitMs, status)), timeLimitMs);
    },
    onResponseStart(_, statusCode, received) {
      status = statusCode;
      headers = joinedHeaders(received);
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      clearTimeout(timer);
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      onResponse({ status, headers, body, json: jsonOf(body) });
    },
    onResponseError(_, error) {
      clearTimeout(timer);
      onError(error);
    },
  };
}

/** Splits the URL for undici by hand, because `new URL` would resolve intended dot segments. */
function wireFormOf({ request, bytes }: Draft): Dispatcher.DispatchOptions {
  const origin = originOf(request.url);
  const path = request.url.slice(origin.length).replace(/#.*$/s, "");
  return {
    origin,
    path: path.startsWith("/") ? path : `/${path}`,
    method: request.method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, octets(value)]),
    ),
    body: bytes ?? null,
  };
}

/** Converts a header value so that undici, which writes Latin-1, sends it as UTF-8. */
const octets = (value: string): string => Buffer.from(value).toString("latin1");

const originOf = (url: string): string => /^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? "";

const unsendable = (draft: Draft, cause: unknown): Error =>
  new Error(
    `${draft.source.operationId}: ${draft.request.method} ${draft.request.url} cannot be sent as HTTP: ` +
      `${(cause as Error).message}. Correct the request.`,
    { cause },
  );

const decoder = new TextDecoder();
const JSON_START = new Set(Buffer.from('{["-0123456789tfn'));
const BYTE_ORDER_MARK = 0xef;

/** Parses JSON regardless of the content type, because servers mislabel JSON. A separate check reads the header. */
function jsonOf(body: Buffer): unknown {
  const first = body.find((byte) => byte > 0x20);
  if (first === undefined || !(JSON_START.has(first) || first === BYTE_ORDER_MARK)) return undefined;
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
}
