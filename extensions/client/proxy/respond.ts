/** Passes a response on to the client. Everything stays unchanged, except for addresses and exercises. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Exchange, ReceivedResponse, TransportFailure } from "../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { absentBody } from "../../../helpers/traffic/absent.ts";
import { contentOf, gather, isPlain, LARGEST_CHANGED, replyWithText } from "./bodies.ts";
import { type Forwarding, NO_INTERVENTION } from "./forwarding.ts";
import { asRecord, forwarded, type Head, type Reply, send, withValues } from "./reply.ts";
import { NO_REWRITING } from "./rewriting.ts";
import { createTap, type Tap, tapped } from "./tap.ts";

/** A body without addresses that has this length is read as a whole before it is passed on. */
const WHOLE = 1_048_576;

/** An exchange whose request was sent. */
interface Passing extends Forwarding {
  readonly outgoing: ServerResponse;
  readonly received: Tap;
  readonly request: () => Exchange["request"];
}

export const pass = async (head: Head, body: AsyncIterable<Buffer>, passing: Passing): Promise<void> => {
  const { received, intervention } = passing;
  const { "content-length": lengthText, "content-type": type = "" } = asRecord(head.headers);
  const length = lengthText === undefined ? undefined : Number(lengthText);
  const isWhole = isText(type) ? (length ?? 0) <= LARGEST_CHANGED : (length ?? Number.NaN) <= WHOLE;
  if (!isWhole && intervention === NO_INTERVENTION) return stream(head, body, passing);
  const gathered = await gather(body, received);
  if ("whole" in gathered) return replyWith({ ...head, body: gathered.whole }, passing);
  intervention.takeBack?.();
  await intervention.beforeReply?.({ ...head, body: Buffer.alloc(0) });
  if (intervention.cut !== undefined)
    return cutShort({ ...head, body: received.body() ?? Buffer.alloc(2) }, passing, intervention.cut);
  await intervention.after?.();
  await stream(head, gathered.stream, { ...passing, received: createTap() });
  await intervention.afterReply?.({ ...head, body: Buffer.alloc(0) });
};

/** Sends a response whose body is known as a whole. An encrypted one is read and changed as a plain one. */
const replyWith = async (whole: Reply, passing: Passing): Promise<void> => {
  const { request, onEnd, intervention } = passing;
  const plain = await passing.open(whole);
  const reply = (await intervention.change?.(plain)) ?? plain;
  await intervention.beforeReply?.(reply);
  if (intervention.cut !== undefined) return cutShort(whole, passing, intervention.cut);
  onEnd({ request: request(), response: responseOf(reply, tapOf(reply.body)) });
  // Time passes before the client can send its next request.
  await intervention.after?.();
  const outward = passing.outward.text;
  const { "content-type": type = "" } = asRecord(reply.headers);
  const own = isText(type) ? await replyWithText(reply, outward) : reply;
  // An answer that was encrypted is encrypted for the client. An unchanged one keeps its bytes.
  const sent = plain === whole ? own : own === plain ? whole : await passing.seal(own, whole);
  send(passing.outgoing, withLocations(sent, outward));
  await intervention.afterReply?.(reply);
};

/** Sends a response while it arrives. It is recorded before the client gets its end. */
const stream = async (head: Head, body: AsyncIterable<Buffer>, passing: Passing): Promise<void> => {
  const { outgoing, received, request, onEnd, onUnchanged, isSealed, outward } = passing;
  const { "content-length": lengthText, "content-type": type = "", ...headers } = asRecord(head.headers);
  const hasText = isText(type) && outgoing.req.method !== "HEAD";
  const mayHaveAddresses = outward !== NO_REWRITING && hasText;
  const isRewritten = mayHaveAddresses && isPlain(headers["content-encoding"]);
  if (hasText && isSealed("response")) onUnchanged("response");
  else if (mayHaveAddresses && !isRewritten) onUnchanged("response");
  let isRecorded = false;
  const record = (): void => {
    isRecorded = true;
    onEnd({ request: request(), response: responseOf(head, received) });
  };
  const located = withLocations({ ...head, body: Buffer.alloc(0) }, outward.text);
  // The length of a rewritten body is not known in advance.
  outgoing.writeHead(head.status, forwarded(located.headers, isRewritten ? ["content-length"] : []));
  const passed = tapped(body, received);
  for await (const chunk of isRewritten ? outward.stream(passed) : passed) {
    if (received.size() === Number(lengthText) && !isRecorded) record();
    if (!outgoing.write(chunk)) await once(outgoing, "drain");
  }
  if (!isRecorded) record();
  outgoing.end();
};

/** Ends the connection in place of an answer, or in the middle of it. */
const cutShort = (reply: Reply, { outgoing, request, onEnd }: Passing, cut: "reset" | "half"): void => {
  const { status, headers, body } = reply;
  const kind: TransportFailure = "connection-lost";
  const what = cut === "half" ? "half an answer" : "a reset after the request was taken";
  onEnd({ request: request(), failure: { kind, message: `an exercise: ${what}` } });
  const reset = () => outgoing.socket?.resetAndDestroy();
  if (cut === "reset") return void reset();
  const length = ["content-length", String(Math.max(body.length, 2))];
  outgoing.writeHead(status, [...forwarded(headers, ["content-length"]), ...length]);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), reset);
};

const isText = (type: string): boolean => /json|text\/html/.test(type) && !/ndjson|stream/.test(type);

const tapOf = (body: Buffer): Tap => {
  const tap = createTap();
  tap.add(body);
  return tap;
};

export const responseOf = ({ status, headers: raw }: Head, received: Tap): ReceivedResponse => {
  const headers = asRecord(raw);
  const bytes = received.body() ?? Buffer.from(absentBody(received.size()));
  const content = contentOf(bytes, received.body() === undefined ? undefined : headers["content-encoding"]);
  const json = content.wrongCoding === undefined ? jsonOf(content.body) : { json: undefined };
  return { status, headers, ...content, ...json };
};

/** Headers that contain addresses. */
const LOCATING = /^(content-)?location$|^link$/i;

const withLocations = (reply: Reply, outward: (text: string) => string): Reply => ({
  ...reply,
  headers: withValues(reply.headers, LOCATING, outward),
});
