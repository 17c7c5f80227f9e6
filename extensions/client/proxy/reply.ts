/** Sends responses to clients, whole ones and none at all, and reads headers, of which some are not forwarded. */
import type { ServerResponse } from "node:http";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { failureBetweenOthers } from "../../../helpers/exchange/failure.ts";
import type { Tap } from "./tap.ts";

export interface Head {
  readonly status: number;
  readonly headers: RawHeaders;
}

/** A response before it is sent to the client. */
export interface Reply extends Head {
  readonly body: Buffer;
}

export const send = (outgoing: ServerResponse, { status, headers, body }: Reply): void => {
  if (outgoing.destroyed) return;
  const kept = forwarded(headers);
  const hasLength = asRecord(kept)["content-length"] !== undefined;
  const isEmpty = status === 204 || status === 304;
  outgoing.writeHead(status, hasLength || isEmpty ? kept : [...kept, "content-length", String(body.length)]);
  outgoing.end(body);
};

/** Answers for the proxy itself. */
export const sendJson = (outgoing: ServerResponse, status: number, json: unknown): void => {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
};

type Failure = NonNullable<Exchange["failure"]>;

export const failureOf = (error: Error, isGone: boolean, isClosing: boolean): Failure => {
  if (isGone && isClosing) return { kind: "connection-lost", message: "the recording ended" };
  if (isGone) return { kind: "abandoned", message: "the client closed the connection" };
  return failureBetweenOthers(error);
};

/** Ends the response as the target did: without an answer, or in the middle of it. */
export const fail = (
  outgoing: ServerResponse,
  head: Head | undefined,
  received: Tap,
  failure: Failure,
): void => {
  const { kind, message } = failure;
  if (kind === "abandoned" || outgoing.destroyed) return;
  if (outgoing.headersSent) {
    // The client gets the bytes that are on their way, but no end.
    outgoing.socket?.destroySoon();
    return;
  }
  if (head !== undefined) {
    outgoing.writeHead(head.status, forwarded(head.headers));
    outgoing.write(received.body() ?? "", () => outgoing.destroy());
    return;
  }
  const body = Buffer.from(JSON.stringify({ message: `The target did not answer: ${message}` }));
  send(outgoing, { status: 502, headers: ["content-type", "application/json"], body });
};

/** The headers of one connection, which a proxy does not forward (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** Names and values in turns, as Node gives them. */
export type RawHeaders = readonly string[];

const pairsIn = (headers: RawHeaders): [name: string, value: string][] =>
  headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ""]] : []));

/** @param without lower-case names of further headers to leave out */
export const forwarded = (headers: RawHeaders, without: readonly string[] = []): string[] => {
  const dropped = new Set([...HOP_BY_HOP, ...listed(headers), ...without]);
  return pairsIn(headers)
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .flat();
};

/** Returns the headers that `Connection` lists. */
const listed = (headers: RawHeaders): string[] =>
  (asRecord(headers).connection ?? "").split(",").map((name) => name.trim().toLowerCase());

/** Replaces the values of some headers. @param change returns the other value */
export const withValues = (headers: RawHeaders, names: RegExp, change: (value: string) => string): string[] =>
  pairsIn(headers).flatMap(([name, value]) => [name, names.test(name) ? change(value) : value]);

/** Returns lower-case names and joined values. */
export const asRecord = (headers: RawHeaders): Record<string, string> => {
  const record: Record<string, string> = {};
  for (const [raw, value] of pairsIn(headers)) {
    const name = raw.toLowerCase();
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
};
