/** Sends responses to clients: whole ones, ones that end in the middle, and none at all. */
import type { ServerResponse } from "node:http";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { failureBetweenOthers } from "../../../helpers/exchange/failure.ts";
import { asRecord, forwarded, type RawHeaders } from "./headers.ts";
import type { Tap } from "./tap.ts";

/** A response before it is sent to the client. */
export interface Reply {
  readonly status: number;
  readonly headers: RawHeaders;
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

export const failureOf = (
  error: Error,
  isGone: boolean,
  isClosing: boolean,
): NonNullable<Exchange["failure"]> => {
  if (isGone && isClosing) return { kind: "connection-lost", message: "the recording ended" };
  if (isGone) return { kind: "abandoned", message: "the client closed the connection" };
  return failureBetweenOthers(error);
};

/** Ends the response as the target did: without an answer, or in the middle of it. */
export const fail = (
  outgoing: ServerResponse,
  head: Pick<Reply, "status" | "headers"> | undefined,
  received: Tap,
  { kind, message }: NonNullable<Exchange["failure"]>,
): void => {
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
