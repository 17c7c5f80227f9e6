/** Converts recorded exchanges to an HTTP archive (HAR 1.2), which browser developer tools and proxies can open. */
import type { RecordedExchange } from "./exchange.ts";

export const toHar = (exchanges: readonly RecordedExchange[]) => ({
  log: {
    version: "1.2",
    creator: { name: "assay", version: "1" },
    entries: exchanges.map(entry),
  },
});

/** The value in HAR for an unknown size or time. */
const UNKNOWN = -1;
const HTTP_VERSION = "HTTP/1.1";

const entry = ({ id, operationId, request, response, failure, startedAt, durationMs }: RecordedExchange) => ({
  startedDateTime: startedAt,
  time: durationMs,
  request: {
    method: request.method,
    url: request.url,
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: pairs(Object.entries(request.headers)),
    queryString: pairs(new URLSearchParams(request.url.split("#")[0]?.split("?").slice(1).join("?"))),
    ...(request.body === undefined
      ? {}
      : { postData: { mimeType: request.headers["content-type"] ?? "", text: request.body } }),
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
  },
  response: responseOf(response),
  cache: {},
  timings: { send: 0, wait: durationMs, receive: 0 },
  comment: [id, operationId, ...(failure === undefined ? [] : [failure])].join(" "),
});

/** Converts a response. Like other tools, uses status 0 for a request without a response. */
const responseOf = (response: RecordedExchange["response"]) => ({
  status: response?.status ?? 0,
  statusText: "",
  httpVersion: HTTP_VERSION,
  cookies: [],
  headers: pairs(Object.entries(response?.headers ?? {})),
  content: {
    size: UNKNOWN,
    mimeType: response?.headers["content-type"] ?? "",
    text: response?.body ?? "",
  },
  redirectURL: response?.headers.location ?? "",
  headersSize: UNKNOWN,
  bodySize: UNKNOWN,
});

const pairs = (entries: Iterable<[string, string]>) => [...entries].map(([name, value]) => ({ name, value }));
