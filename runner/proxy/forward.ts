/** Forwards one request to the target and its response to the client. Both pass unchanged, except for addresses. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { type Decoded, decoded } from "../../helpers/exchange/coding.ts";
import type { Exchange, TransportFailure } from "../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../helpers/exchange/json-of.ts";
import type { Addresses, Mount } from "./addresses.ts";
import { asRecord, forwarded } from "./headers.ts";
import { noticeLeaving } from "./leaving.ts";
import { cutOff, fail, failureOf, type Reply, send } from "./reply.ts";
import { createTap, drained, type Tap, tapped } from "./tap.ts";

/** Changes the exchange for an exercise. */
export interface Intervention {
  /** Answers in place of the target. */
  readonly instead?: (request: Exchange["request"]) => Promise<Reply>;
  /** Runs between the request and the answer, for example to let time pass. */
  readonly before?: (signal: AbortSignal) => Promise<void>;
  /** Changes a response. */
  readonly change?: (reply: Reply) => Reply;
  /** Runs before the client gets the answer, or after that. */
  readonly beforeReply?: (reply: Reply) => Promise<void>;
  readonly afterReply?: (reply: Reply) => Promise<void>;
  /** Runs after the exchange was recorded, before the client gets the answer. */
  readonly after?: () => Promise<void>;
  /** A query parameter that the target does not get. */
  readonly withoutParameter?: string;
  /** `reset`: the connection ends after the target took the request; `half`: in the middle of the answer. */
  readonly cut?: "reset" | "half";
}

export const NO_INTERVENTION: Intervention = {};

export interface Forwarding {
  readonly mount: Mount;
  /** The path and query at the target. */
  readonly path: string;
  readonly dispatcher: Dispatcher;
  readonly addresses: Addresses;
  readonly intervention: Intervention;
  /** Changes the body before it is sent. */
  readonly rewrite: (body: string) => Promise<string>;
  /** Records the exchange. The client has not got the end of the response then. */
  readonly onEnd: (result: Ended) => void;
  /** Whether the proxy itself closes the connections. */
  readonly isClosing: () => boolean;
}

/** The observed parts of an exchange. */
export interface Ended {
  readonly request: Exchange["request"];
  readonly response?: NonNullable<Exchange["response"]>;
  readonly failure?: NonNullable<Exchange["failure"]>;
}

/** A body of this length is read as a whole before it is passed on. */
const WHOLE = 1_048_576;

export const forward = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  forwarding: Forwarding,
): Promise<void> => {
  const { mount, path, dispatcher, intervention, onEnd } = forwarding;
  const leaving = noticeLeaving(incoming, outgoing);
  const gone = new AbortController();
  let isClosing = false;
  outgoing.once("close", () => {
    if (outgoing.writableFinished) return;
    isClosing = forwarding.isClosing() && !leaving.hasBegun();
    gone.abort();
  });
  const sent = createTap();
  let text: string | undefined;
  const request = (): Exchange["request"] => {
    const body = text ?? sent.body()?.toString("utf8") ?? `‹a body of ${sent.size()} bytes›`;
    return {
      method: incoming.method ?? "GET",
      url: `${mount.origin}${path}`,
      headers: asRecord(incoming.rawHeaders),
      ...(hasBody(incoming) && { body }),
    };
  };
  const received = createTap();
  let head: Pick<Reply, "status" | "headers"> | undefined;
  try {
    if (isRewritable(incoming)) {
      await drained(incoming, sent);
      text = sent.body()?.toString("utf8") ?? "";
    }
    const body = text === undefined ? undefined : await rewritten(text, sent, forwarding);
    await intervention.before?.(gone.signal);
    gone.signal.throwIfAborted();
    if (intervention.instead !== undefined) {
      if (text === undefined) await drained(incoming, sent);
      const reply = await intervention.instead(request());
      received.add(reply.body);
      onEnd({ request: request(), response: responseOf(reply, received) });
      send(outgoing, reply);
      return;
    }
    const response: Dispatcher.ResponseData = await dispatcher.request({
      method: (incoming.method ?? "GET") as Dispatcher.HttpMethod,
      path: pathFor(path, intervention),
      headers: headersFor(incoming, body),
      body: body ?? (hasBody(incoming) ? Readable.from(tapped(incoming, sent), { objectMode: false }) : null),
      signal: gone.signal,
      responseHeaders: "raw",
    });
    head = { status: response.statusCode, headers: textsOf(response.headers) };
    await pass(outgoing, head, response.body, { ...forwarding, received, request });
  } catch (error) {
    const failure = failureOf(error as Error, gone.signal.aborted, isClosing);
    onEnd({ request: request(), failure });
    fail(outgoing, head, received, failure);
  }
};

const pathFor = (path: string, { withoutParameter }: Intervention): string => {
  if (withoutParameter === undefined) return path;
  const url = new URL(path, "http://target");
  url.searchParams.delete(withoutParameter);
  return `${url.pathname}${url.search}`;
};

/** Returns the same bytes if nothing was rewritten. */
const rewritten = async (text: string, sent: Tap, { rewrite }: Forwarding): Promise<string | Buffer> => {
  const changed = await rewrite(text);
  return changed === text ? (sent.body() ?? changed) : changed;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Whether a body may contain addresses and is small enough to be changed. */
const isRewritable = ({ headers }: IncomingMessage): boolean => {
  const length = Number(headers["content-length"] ?? 0);
  return length > 0 && length <= WHOLE && /json|form/.test(headers["content-type"] ?? "json");
};

/** Undici takes raw headers as one list. It sets the length of a text itself. */
const headersFor = ({ rawHeaders }: IncomingMessage, body: string | Buffer | undefined): string[] =>
  forwarded(rawHeaders, ["host", "expect", ...(body === undefined ? [] : ["content-length"])]);

/** With `responseHeaders: "raw"` the headers are a list, although their type says otherwise. */
const textsOf = (headers: unknown): string[] => (headers as (string | Buffer)[]).map(String);

interface Passing extends Pick<Forwarding, "mount" | "addresses" | "intervention" | "onEnd"> {
  readonly received: Tap;
  readonly request: () => Exchange["request"];
}

const pass = async (
  outgoing: ServerResponse,
  { status, headers }: Pick<Reply, "status" | "headers">,
  body: AsyncIterable<Buffer>,
  passing: Passing,
): Promise<void> => {
  const { received, request, onEnd, intervention, mount, addresses } = passing;
  const { "content-length": lengthText, "content-type": type = "" } = asRecord(headers);
  const length = lengthText === undefined ? undefined : Number(lengthText);
  const mayChange = intervention !== NO_INTERVENTION;
  const isWhole = length === undefined ? isText(type) : length <= WHOLE;
  const located = headers.some((name, index) => index % 2 === 0 && LOCATING.test(name))
    ? headers.map((value, index) =>
        index % 2 === 1 && LOCATING.test(headers[index - 1] ?? "") ? addresses.outward(value, mount) : value,
      )
    : headers;
  if (isWhole || mayChange || length === 0) {
    await drained(body, received);
    const whole = { status, headers: located, body: received.body() ?? Buffer.alloc(0) };
    const reply = intervention.change?.(whole) ?? whole;
    await intervention.beforeReply?.(reply);
    const cut = intervention.cut;
    if (cut !== undefined) {
      const kind: TransportFailure = "connection-lost";
      onEnd({ request: request(), failure: { kind, message: `an exercise: ${CUTS[cut]}` } });
      cutOff(outgoing, reply, cut);
      return;
    }
    onEnd({ request: request(), response: responseOf(reply, tapOf(reply.body)) });
    // Time passes before the client can send its next request.
    await intervention.after?.();
    send(outgoing, isText(type) ? withAddresses(reply, (text) => addresses.outward(text, mount)) : reply);
    await intervention.afterReply?.(reply);
    return;
  }
  outgoing.writeHead(status, forwarded(located));
  for await (const chunk of body) {
    received.add(chunk);
    if (received.size() === length)
      onEnd({ request: request(), response: responseOf({ status, headers }, received) });
    if (!outgoing.write(chunk)) await once(outgoing, "drain");
  }
  if (length === undefined)
    onEnd({ request: request(), response: responseOf({ status, headers }, received) });
  outgoing.end();
};

/** Headers that contain addresses. */
const LOCATING = /^(content-)?location$|^link$/i;

const CUTS = { reset: "a reset after the request was taken", half: "half an answer" };

const isText = (type: string): boolean => /json|text\/html/.test(type) && !/ndjson|stream/.test(type);

const tapOf = (body: Buffer): Tap => {
  const tap = createTap();
  tap.add(body);
  return tap;
};

const responseOf = (
  { status, headers: raw }: Pick<Reply, "status" | "headers">,
  received: Tap,
): NonNullable<Exchange["response"]> => {
  const headers = asRecord(raw);
  const bytes = received.body() ?? Buffer.from(`‹a body of ${received.size()} bytes›`);
  const content = contentOf(bytes, headers["content-encoding"]);
  const json = content.wrongCoding === undefined ? jsonOf(content.body) : { json: undefined };
  return { status, headers, ...content, ...json };
};

const DECODED_MOST = 16_777_216;

const contentOf = (bytes: Buffer, coding: string | undefined): Decoded => {
  try {
    return decoded(bytes, coding, DECODED_MOST);
  } catch {
    return { body: Buffer.from(`‹a body of ${bytes.length} bytes›`) };
  }
};

/** Replaces addresses in a text. A text without addresses of the target stays exactly as it is. */
const withAddresses = (reply: Reply, outward: (text: string) => string): Reply => {
  const coding = asRecord(reply.headers)["content-encoding"];
  const text = contentOf(reply.body, coding).body.toString("utf8");
  const changed = outward(text);
  if (changed === text) return reply;
  const headers = forwarded(reply.headers, ["content-encoding", "content-length"]);
  return { ...reply, headers, body: Buffer.from(changed) };
};
