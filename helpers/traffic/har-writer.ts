/** Writes recorded exchanges as an HTTP archive (HAR 1.2), which browser developer tools and proxies can open. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { RecordedExchange } from "../exchange/exchange.ts";
import { visible } from "../exchange/visible.ts";
import type { LogLine } from "./log.ts";
import { linesOf } from "./parts.ts";

/** @param log path of the log @param path of the new archive */
export const writeHar = async (log: string, path: string): Promise<void> => {
  const file = createWriteStream(path, { mode: 0o600 });
  file.write(HAR_START);
  let separator = "";
  for await (const text of linesOf(log)) {
    const line = JSON.parse(text) as Partial<LogLine>;
    if (line.request === undefined) continue;
    const isFull = !file.write(`${separator}${visible(JSON.stringify(entryOf(line as LogLine)))}`);
    separator = ",\n";
    if (isFull) await once(file, "drain");
  }
  file.end(HAR_END);
  await once(file, "finish");
};

/** Returns an HTTP archive of exchanges that are already redacted. */
export const harOf = (exchanges: readonly RecordedExchange[]): string =>
  `${HAR_START}${exchanges.map((exchange) => JSON.stringify(entryOf(exchange))).join(",\n")}${HAR_END}`;

/** The value in HAR for an unknown size or time. */
const UNKNOWN = -1;
/** What requests and responses of all exchanges have. */
const OF_BOTH = { httpVersion: "HTTP/1.1", cookies: [], headersSize: UNKNOWN, bodySize: UNKNOWN };

const HAR_START = `{"log":{"version":"1.2","creator":{"name":"assay","version":"1"},"entries":[\n`;
const HAR_END = "\n]}}\n";

const entryOf = ({
  id,
  operationId,
  request,
  response,
  failure,
  startedAt,
  durationMs,
}: RecordedExchange) => ({
  startedDateTime: startedAt,
  time: durationMs,
  request: {
    method: request.method,
    url: request.url,
    ...OF_BOTH,
    headers: pairs(Object.entries(request.headers)),
    queryString: pairs(new URLSearchParams(request.url.split("#")[0]?.split("?").slice(1).join("?"))),
    ...(request.body === undefined
      ? {}
      : { postData: { mimeType: request.headers["content-type"] ?? "", text: request.body } }),
  },
  response: {
    status: response?.status ?? 0,
    statusText: "",
    ...OF_BOTH,
    headers: pairs(Object.entries(response?.headers ?? {})),
    content: {
      size: UNKNOWN,
      mimeType: response?.headers["content-type"] ?? "",
      text: response?.body ?? "",
    },
    redirectURL: response?.headers.location ?? "",
    ...(failure !== undefined && { _failureText: failure }),
  },
  cache: {},
  timings: { send: 0, wait: durationMs, receive: 0 },
  comment: [id, operationId].join(" "),
});

const pairs = (entries: Iterable<[string, string]>) => [...entries].map(([name, value]) => ({ name, value }));
