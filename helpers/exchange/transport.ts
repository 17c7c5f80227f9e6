/** Sends one request over a persistent connection and returns the exchange. */
import type { Dispatcher } from "undici";
import { decoded } from "./coding.ts";
import { type ConnectionSettings, dispatcherFor } from "./connections.ts";
import { type Draft, exchangeOf } from "./draft.ts";
import { type Exchange, joinedHeaders, type ReceivedResponse } from "./exchange.ts";
import { failureOf, isUnsendable, TimeLimitError, UnsendableError } from "./failure.ts";
import { jsonOf } from "./json-of.ts";
import { sendAndLeave } from "./leave.ts";

export interface TransportLimits {
  /** Connections per origin; 16 by default. */
  readonly connections?: number;
  /** Limit for connecting, and again for sending the request and reading the response; 30,000 by default. */
  readonly timeLimitMs?: number;
  /** A longer response body is not read to its end; 20 MB by default, before and after decoding. */
  readonly bodyLimitBytes?: number;
  /** How to connect to a service, if it is not called directly. */
  readonly connectionTo?: (service: string) => ConnectionSettings | undefined;
}

const BODY_LIMIT_BYTES = 20_000_000;

export function createTransport(limits: TransportLimits) {
  const { timeLimitMs = 30_000, bodyLimitBytes = BODY_LIMIT_BYTES } = limits;
  const options = {
    connections: limits.connections ?? 16,
    pipelining: 1,
    maxResponseSize: bodyLimitBytes,
    connect: { timeout: timeLimitMs },
    // Our own timer limits the whole response; these two would not stop a response that never ends.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const own = { timeLimitMs, bodyLimitBytes };
  const shared = dispatchersOf(options);
  const recent = dispatchersOf({ ...options, keepAliveTimeout: MOMENT_MS, keepAliveMaxTimeout: MOMENT_MS });
  return {
    async send(draft: Draft): Promise<Exchange> {
      const settings = limits.connectionTo?.(draft.source.service);
      const proxied = { ...own, proxy: settings?.proxy };
      if (draft.source.abandon) return sendAndLeave(draft, settings);
      const { connection } = draft.source;
      if (connection !== "new")
        return dispatch((connection === "recent" ? recent : shared).get(settings), draft, proxied);
      const fresh = dispatcherFor(options, settings);
      try {
        return await dispatch(fresh, draft, proxied);
      } finally {
        await fresh.destroy(CLOSED);
      }
    },
    async close(): Promise<void> {
      await Promise.all([shared.close(), recent.close()]);
    },
  };
}

/** An idle connection is closed after this time, so that a server rarely closes it while a request is on its way. */
const MOMENT_MS = 1_000;

/** Keeps a dispatcher with its connections for each way to connect. */
const dispatchersOf = (options: Parameters<typeof dispatcherFor>[0]) => {
  const kept = new Map<ConnectionSettings | undefined, Dispatcher>();
  return {
    get: (settings: ConnectionSettings | undefined): Dispatcher => {
      const dispatcher = kept.get(settings) ?? dispatcherFor(options, settings);
      kept.set(settings, dispatcher);
      return dispatcher;
    },
    close: () => Promise.all([...kept.values()].map((dispatcher) => dispatcher.destroy(CLOSED))),
  };
};

/** Has no stack: Node.js reads it for each connection, and would read the source map of each file for it. */
const CLOSED = Object.assign(new Error("The client is closed."), { stack: "" });

function dispatch(
  agent: Dispatcher,
  draft: Draft,
  limits: Readonly<Record<"timeLimitMs" | "bodyLimitBytes", number>> & { readonly proxy: string | undefined },
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const startedAt = new Date();
    const began = performance.now();
    const settle = (result: Pick<Exchange, "response" | "failure">) =>
      resolve(exchangeOf(draft, { ...result, startedAt, durationMs: performance.now() - began }));
    const handler = collect(
      limits,
      (response) => settle({ response }),
      (error) => {
        if (isUnsendable(error)) reject(unsendable(draft, error));
        else settle({ failure: failureOf(error, originOf(draft.request.url), limits.proxy) });
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
  { timeLimitMs, bodyLimitBytes }: Omit<Parameters<typeof dispatch>[2], "proxy">,
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
      const received = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      try {
        const content = decoded(received, headers["content-encoding"], bodyLimitBytes);
        const json = content.wrongCoding === undefined ? jsonOf(content.body) : { json: undefined };
        onResponse({ status, headers, ...content, ...json });
      } catch (error) {
        onError(error as Error);
      }
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
    headers: sentHeaders(request.headers),
    body: bytes ?? null,
  };
}

/** Returns names and values in turn. undici writes Latin-1, so values are converted so that it sends them as UTF-8. */
const sentHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name, ASCII.test(value) ? value : octets(value)]);

const ASCII = /^[ -~]*$/;

const octets = (value: string): string => Buffer.from(value).toString("latin1");

const originOf = (url: string): string => /^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? "";

const unsendable = (draft: Draft, cause: unknown): Error =>
  new UnsendableError(
    `${draft.source.operationId}: ${draft.request.method} ${draft.request.url} cannot be sent as HTTP: ` +
      `${(cause as Error).message}. Correct the request.`,
    { cause },
  );
