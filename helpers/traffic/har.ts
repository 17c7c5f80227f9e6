/** Reads the entries of HTTP archives (HAR 1.2) as exchanges. */
import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { unmaskedBody, unmaskedHeader } from "./masks.ts";

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Some tools write bodies to files next to the archive. */
interface Attached {
  readonly _file?: string;
}

/** The members of an entry that this module reads. Tools omit many of them. */
export interface HarEntry {
  readonly startedDateTime?: string;
  readonly time?: number;
  readonly request?: {
    readonly method?: string;
    readonly url?: string;
    readonly headers?: readonly Pair[];
    readonly bodySize?: number;
    readonly postData?: { readonly text?: string; readonly params?: readonly Pair[] } & Attached;
  };
  readonly response?: {
    readonly status?: number;
    readonly headers?: readonly Pair[];
    readonly content?: {
      readonly text?: string;
      readonly encoding?: string;
      readonly size?: number;
    } & Attached;
    readonly _failureText?: string;
  };
  readonly _clientAddress?: string;
}

/** Returns the bytes of a file with a body; `undefined` when there is no such file. */
export type ReadAttached = (name: string) => Buffer | undefined;

/** @returns `undefined` when the entry has no request with an absolute URL */
export const exchangeOfEntry = (
  entry: HarEntry,
  id: string,
  readAttached: ReadAttached = () => undefined,
): Exchange | undefined => {
  const { method, url = "", headers } = entry.request ?? {};
  if (method === undefined || !/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  const text = requestBody(entry, readAttached);
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
      ? { response: responseOf(entry, status, readAttached) }
      : { failure: { kind: "connection-lost", message: failureText ?? "the archive has no response" } }),
    startedAt: started,
    durationMs: Math.max(0, entry.time ?? 0),
  };
};

const formOf = (params: readonly Pair[] | undefined): string | undefined =>
  params === undefined || params.length === 0
    ? undefined
    : new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value])).toString();

/** Stands for a body that the archive does not contain, so that nobody is judged by it. */
const absent = (size: number): string => `${ABSENT}${size} bytes that the archive does not contain›`;
const ABSENT = "‹a body of ";

/** Whether only the size of a body was recorded. */
export const isAbsent = (body: string | Buffer | undefined): boolean =>
  body
    ?.slice(0, ABSENT.length + 2)
    .toString()
    .startsWith(ABSENT) === true;

const requestBody = ({ request }: HarEntry, readAttached: ReadAttached): string | undefined => {
  const { postData, bodySize = 0, headers } = request ?? {};
  const attached = postData?._file === undefined ? undefined : readAttached(postData._file);
  const text = attached?.toString("utf8") ?? postData?.text ?? formOf(postData?.params);
  if (text !== undefined && text !== "") return unmaskedBody(text, false);
  const size = Math.max(bodySize, Number(headersOf(headers)["content-length"] ?? 0));
  return size > 0 ? absent(size) : text;
};

const responseOf = (
  { request, response }: HarEntry,
  status: number,
  readAttached: ReadAttached,
): NonNullable<Exchange["response"]> => {
  const { text = "", encoding, size = 0, _file } = response?.content ?? {};
  const attached = _file === undefined ? undefined : readAttached(_file);
  const isLeftOut = text === "" && size > 0 && request?.method !== "HEAD";
  const content =
    attached ??
    Buffer.from(isLeftOut ? absent(size) : text, encoding === "base64" && !isLeftOut ? "base64" : "utf8");
  const isJson = jsonOf(content).json !== undefined;
  const body = isJson ? Buffer.from(unmaskedBody(content.toString("utf8"), true)) : content;
  return { status, headers: headersOf(response?.headers), body, ...jsonOf(body) };
};

/** HTTP/2 archives contain pseudo-headers such as `:path`. */
const headersOf = (pairs: readonly Pair[] = []): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const { name, value: recorded } of pairs) {
    const key = name.toLowerCase();
    const value = unmaskedHeader(recorded);
    if (key.startsWith(":")) continue;
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
};
