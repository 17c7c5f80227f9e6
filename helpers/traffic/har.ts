/** Reads the entries of HTTP archives (HAR 1.2) as exchanges. */
import { isToken } from "../contract/http-token.ts";
import type { Json } from "../contract/json.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { absentBody, textOfBody } from "./absent.ts";
import { unmaskedBody, unmaskedHeader } from "./masks.ts";

/** The members of an entry that this module reads. Tools omit many of them, or write `null`. */
export interface HarEntry {
  readonly startedDateTime?: unknown;
  readonly time?: unknown;
  readonly request?: {
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly bodySize?: unknown;
    readonly postData?:
      | ({ readonly text?: unknown; readonly params?: unknown } & { readonly _file?: unknown })
      | null;
  } | null;
  readonly response?: {
    readonly status?: unknown;
    readonly headers?: unknown;
    readonly bodySize?: unknown;
    readonly content?:
      | ({ readonly text?: unknown; readonly encoding?: unknown; readonly size?: unknown } & {
          readonly _file?: unknown;
        })
      | null;
    readonly _failureText?: unknown;
  } | null;
  readonly _clientAddress?: unknown;
}

/** Returns the text; `undefined` for a member of another type, which is as good as absent. */
export const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0);

const pairsIn = (value: unknown): readonly { readonly name: string; readonly value: string }[] =>
  Array.isArray(value)
    ? value.flatMap((pair: Json | null) => {
        const name = textIn(pair?.name);
        return name === undefined ? [] : [{ name, value: textIn(pair?.value) ?? "" }];
      })
    : [];

/** Returns the bytes of a file with a body; `undefined` when there is no such file. */
export type ReadAttached = (name: string) => Buffer | undefined;

/** Whether this can have been sent: the method is a token, and the address is absolute (RFC 9110, 4.2 and 9.1). */
export const isHttpRequest = <Request extends { readonly method?: unknown; readonly url?: unknown }>(
  request: Request | null | undefined,
): request is Request & { readonly method: string; readonly url: string } =>
  isToken(textIn(request?.method) ?? "") && /^https?:\/\//i.test(textIn(request?.url) ?? "");

/** @returns `undefined` when the entry has no request of HTTP */
export const exchangeOfEntry = (
  entry: HarEntry,
  id: string,
  readAttached: ReadAttached = () => undefined,
): Exchange | undefined => {
  if (!isHttpRequest(entry.request) || !URL.canParse(entry.request.url)) return undefined;
  const { method, url } = entry.request;
  const text = requestBody(entry, readAttached);
  const status = numberIn(entry.response?.status);
  const message = textIn(entry.response?._failureText) ?? "the archive has no response";
  return {
    id,
    service: "",
    operationId: "",
    request: {
      method,
      url,
      headers: headersOf(entry.request?.headers),
      ...(text !== undefined && { body: text }),
    },
    requestJson: undefined,
    ...(status > 0
      ? { response: responseOf(entry, status, readAttached) }
      : // An answer that a tool left out is not a lost one.
        { failure: { kind: entry.response ? "connection-lost" : "malformed-response", message } }),
    startedAt: new Date(textIn(entry.startedDateTime) ?? Number.NaN),
    durationMs: Math.max(0, numberIn(entry.time)),
  };
};

const attachedBy = (
  from: { readonly _file?: unknown } | null | undefined,
  readAttached: ReadAttached,
): Buffer | undefined => {
  const name = textIn(from?._file);
  return name === undefined ? undefined : readAttached(name);
};

const formOf = (params: ReturnType<typeof pairsIn>): string | undefined =>
  params.length === 0
    ? undefined
    : new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value])).toString();

/** @param size the size that the archive states */
const absent = (size: number): string => absentBody(size, " that the archive does not contain whole");

/**
 * Whether the archive states a larger body than it has. JSON that can be parsed is whole: some tools write it in another
 * form than it was sent, or mask values in it.
 */
const isCut = (body: Buffer, stated: number): boolean =>
  stated > body.length && jsonOf(body).json === undefined;

const requestBody = ({ request }: HarEntry, readAttached: ReadAttached): string | undefined => {
  const { postData, bodySize, headers } = request ?? {};
  const stated = Math.max(numberIn(bodySize), Number(headersOf(headers)["content-length"] ?? 0));
  const bytes = attachedBy(postData, readAttached) ?? Buffer.from(textIn(postData?.text) ?? "");
  if (bytes.length > 0)
    return isCut(bytes, stated)
      ? absent(stated)
      : unmaskedBody(textOfBody(bytes, headersOf(headers)["content-type"]), false);
  const form = formOf(pairsIn(postData?.params));
  if (form !== undefined) return unmaskedBody(form, false);
  return stated > 0 ? absent(stated) : textIn(postData?.text);
};

const responseOf = (
  { request, response }: HarEntry,
  status: number,
  readAttached: ReadAttached,
): NonNullable<Exchange["response"]> => {
  const { size, ...content } = response?.content ?? {};
  const bytes = attachedBy(content, readAttached) ?? decodedText({ size, ...content });
  const stated =
    request?.method === "HEAD" ? 0 : Math.max(numberIn(size), bytes?.length ? 0 : sentIn(response, status));
  const isWhole = bytes !== undefined && !isCut(bytes, stated);
  const whole = isWhole ? bytes : Buffer.from(absent(Math.max(stated, bytes?.length ?? 0)));
  const isJson = jsonOf(whole).json !== undefined;
  const body = isJson ? Buffer.from(unmaskedBody(whole.toString("utf8"), true)) : whole;
  return { status, headers: headersOf(response?.headers), body, ...jsonOf(body) };
};

/** Returns the size of a body that was sent: a tool that leaves it out may state that the content is empty. */
const sentIn = (response: HarEntry["response"], status: number): number =>
  status === 304
    ? 0
    : Math.max(
        numberIn(response?.bodySize),
        Number(headersOf(response?.headers)["content-length"] ?? 0) || 0,
      );

/** @returns `undefined` for a text that can't be decoded, and if nothing says that the body is empty */
const decodedText = ({
  text,
  encoding,
  size,
}: {
  readonly text?: unknown;
  readonly encoding?: unknown;
  readonly size?: unknown;
}): Buffer | undefined => {
  const given = textIn(text) ?? "";
  // The size is -1 if it is not known (HAR 1.2).
  if (given === "" && (typeof size === "number" ? size < 0 : typeof text !== "string")) return undefined;
  const coding = textIn(encoding) ?? "";
  if (given === "" || coding === "") return Buffer.from(given);
  const decoded = Buffer.from(given, "base64");
  // Node ignores characters that are not base64.
  const isDecodable = coding === "base64" && asBase64(decoded) === given.replaceAll(/[\s=]/g, "");
  return isDecodable ? decoded : undefined;
};

const asBase64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

/** HTTP/2 archives contain pseudo-headers such as `:path`. */
export const headersOf = (pairs: unknown): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const { name, value: recorded } of pairsIn(pairs)) {
    const key = name.toLowerCase();
    const value = unmaskedHeader(recorded);
    if (key.startsWith(":")) continue;
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
};
