/** Forwards one request to the target and its response to the client. Both pass unchanged, except for addresses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { absentBody, textOfBody } from "../../../helpers/traffic/absent.ts";
import { contentOf, gather, LARGEST_CHANGED, withText } from "./bodies.ts";
import type { Forwarding, Intervention } from "./forwarding.ts";
import { asRecord, fail, failureOf, forwarded, type Head, send } from "./reply.ts";
import { pass, responseOf } from "./respond.ts";
import { needsSignature } from "./signatures.ts";
import { createTap, type Tap, tapped } from "./tap.ts";

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
  const sent = createTap(lengthOf(incoming));
  const request = () => requestOf(incoming, sent, forwarding);
  const received = createTap();
  let head: Head | undefined;
  try {
    const body = await bodyFor(incoming, sent, forwarding);
    await intervention.before?.(gone.signal);
    gone.signal.throwIfAborted();
    if (intervention.instead !== undefined) {
      if (body instanceof Readable) for await (const chunk of body) void chunk;
      const reply = await intervention.instead(request());
      received.add(reply.body);
      onEnd({ request: request(), response: responseOf(reply, received) });
      send(outgoing, await forwarding.seal(reply));
      return;
    }
    const response: Dispatcher.ResponseData = await dispatcher.request({
      method: (incoming.method ?? "GET") as Dispatcher.HttpMethod,
      path: pathFor(path, intervention),
      origin: mount.origin,
      headers: headersFor(incoming, sent, body, forwarding),
      body,
      signal: gone.signal,
      responseHeaders: "raw",
    });
    head = { status: response.statusCode, headers: textsOf(response.headers) };
    await pass(head, response.body, { ...forwarding, outgoing, received, request });
  } catch (error) {
    const failure = failureOf(error as Error, gone.signal.aborted, isClosing);
    forwarding.intervention.takeBack?.();
    onEnd({ request: request(), failure });
    fail(outgoing, head, received, failure);
  }
};

/** Returns the request as it is recorded. */
const requestOf = (incoming: IncomingMessage, sent: Tap, { mount, path, plain }: Forwarding) => {
  const { method = "GET", rawHeaders } = incoming;
  const headers = asRecord(rawHeaders);
  const bytes = sent.whole();
  const content = bytes && contentOf(bytes, headers["content-encoding"]).body;
  const text = content && textOfBody(content, headers["content-type"]);
  const body = hasBody(incoming) && { body: plain() ?? text ?? absentBody(sent.size()) };
  return { method, url: `${mount.origin}${path}`, headers, ...body };
};

const pathFor = (path: string, { withoutParameter }: Intervention): string => {
  if (withoutParameter === undefined) return path;
  const url = new URL(path, "http://target");
  url.searchParams.delete(withoutParameter);
  return `${url.pathname}${url.search}`;
};

/** Returns the body for the target: bytes with a known length, or a stream. */
const bodyFor = async (
  incoming: IncomingMessage,
  sent: Tap,
  { rewrite, onUnchanged }: Forwarding,
): Promise<Buffer | Readable | null> => {
  if (!hasBody(incoming)) return null;
  const mayChange = /json|form/.test(incoming.headers["content-type"] ?? "json");
  const isLarge = (lengthOf(incoming) ?? 0) > LARGEST_CHANGED;
  if (isLarge && mayChange) onUnchanged("request");
  const upload = uploaded(incoming);
  if ((isLarge || !mayChange) && !needsSignature(incoming.rawHeaders)) return streamed(tapped(upload, sent));
  const gathered = await gather(upload, sent);
  if ("stream" in gathered) {
    if (!isLarge && mayChange) onUnchanged("request");
    return streamed(gathered.stream);
  }
  const coding = incoming.headers["content-encoding"];
  const body = mayChange ? await withText(gathered.whole, coding, rewrite) : gathered.whole;
  // A client that sends chunks did not state a length.
  return lengthOf(incoming) === undefined ? streamed([body]) : body;
};

/** A client can send the rest of its body, and get the answer, when the target no longer reads the body. */
async function* uploaded(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } finally {
    incoming.resume();
  }
}

const streamed = (parts: Iterable<Buffer> | AsyncIterable<Buffer>): Readable =>
  Readable.from(parts, { objectMode: false });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);

/** Returns the headers for the target. A signature is checked and renewed. The bytes of a stream are not known before it is sent. */
const headersFor = (
  { rawHeaders, method = "GET" }: IncomingMessage,
  sent: Tap,
  body: Buffer | Readable | null,
  { signatures, mount, path, asked }: Forwarding,
): string[] => {
  // Undici sets the length of a body that is not a stream itself.
  const without = ["host", "expect", ...(body instanceof Buffer ? ["content-length"] : [])];
  const headers = forwarded(rawHeaders, without);
  if (!needsSignature(headers) || body instanceof Readable) return headers;
  const received = body === null ? undefined : sent.body();
  const request = { service: mount.service, method, headers, asked, url: `${mount.origin}${path}` };
  return [...signatures.renew({ ...request, received, sent: body ?? undefined })];
};

/** With `responseHeaders: "raw"` the headers are a list, although their type says otherwise. */
const textsOf = (headers: unknown): string[] => (headers as (string | Buffer)[]).map(String);

/** Milliseconds until a client on this machine has refused data. */
const REFUSAL_MS = 2;

/**
 * Notices a client that leaves before the answer. A client that only closes its half of the connection still reads, but
 * both look alike at first. Interim responses (RFC 9110, 15.2) tell them apart: the system of a client that left refuses
 * the first one, and then the second one fails.
 */
const noticeLeaving = ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
  let begun = false;
  const send = (): void => {
    if (!outgoing.headersSent && !outgoing.destroyed) outgoing.writeProcessing();
  };
  const ask = (): void => {
    begun = true;
    send();
    setTimeout(send, REFUSAL_MS).unref();
  };
  if (socket.readableEnded) ask();
  socket.once("end", ask);
  outgoing.once("close", () => socket.off("end", ask));
  return { hasBegun: () => begun };
};
