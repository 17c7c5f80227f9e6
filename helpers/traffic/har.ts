/** Reads the entries of HTTP archives (HAR 1.2) as exchanges. */
import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The members of an entry that this module reads. Tools omit many of them. */
export interface HarEntry {
  readonly startedDateTime?: string;
  readonly time?: number;
  readonly request?: {
    readonly method?: string;
    readonly url?: string;
    readonly headers?: readonly Pair[];
    readonly postData?: { readonly text?: string; readonly params?: readonly Pair[] };
  };
  readonly response?: {
    readonly status?: number;
    readonly headers?: readonly Pair[];
    readonly content?: { readonly text?: string; readonly encoding?: string };
    readonly _failureText?: string;
  };
  readonly _clientAddress?: string;
}

/** @returns `undefined` when the entry has no request with an absolute URL */
export const exchangeOfEntry = (entry: HarEntry, id: string): Exchange | undefined => {
  const { method, url = "", headers, postData } = entry.request ?? {};
  if (method === undefined || !/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  const text = postData?.text ?? formOf(postData?.params);
  const { status = 0, _failureText: failureText } = entry.response ?? {};
  const started = new Date(entry.startedDateTime ?? Number.NaN);
  return {
    id,
    service: "",
    operationId: "",
    request: {
      method,
      url,
      headers: headersOf(headers),
      ...(text !== undefined && { body: text }),
    },
    requestJson: undefined,
    ...(status > 0
      ? { response: responseOf(entry, status) }
      : { failure: { kind: "connection-lost", message: failureText ?? "the archive has no response" } }),
    startedAt: started,
    durationMs: Math.max(0, entry.time ?? 0),
  };
};

const formOf = (params: readonly Pair[] | undefined): string | undefined =>
  params === undefined || params.length === 0
    ? undefined
    : new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value])).toString();

const responseOf = ({ response }: HarEntry, status: number): NonNullable<Exchange["response"]> => {
  const { text = "", encoding } = response?.content ?? {};
  const body = Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
  return { status, headers: headersOf(response?.headers), body, ...jsonOf(body) };
};

/** HTTP/2 archives contain pseudo-headers such as `:path`. */
const headersOf = (pairs: readonly Pair[] = []): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const { name, value } of pairs) {
    const key = name.toLowerCase();
    if (key.startsWith(":")) continue;
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
};
