/** Sends a body as the habits of a server say: whole or in chunks, compressed or not. It may close the connection. */
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { FastifyReply } from "fastify";
import type { Habits } from "./habits.ts";

/** @returns the reply while it is being streamed, for which Fastify waits; nothing when it is sent at once */
export const deliver = (
  reply: FastifyReply,
  content: string | Buffer | undefined,
  habits: Habits,
): FastifyReply | undefined => {
  const { transfer, coding, connections } = habits;
  if (connections === "closed-after-each") reply.header("connection", "close");
  if (content === undefined) {
    reply.send();
    return undefined;
  }
  const accepted = String(reply.request.headers["accept-encoding"] ?? "");
  const isCoded = coding === "gzip" && /\bgzip\b/.test(accepted);
  if (isCoded) reply.header("content-encoding", "gzip");
  const body = isCoded ? gzipSync(content) : content;
  if (transfer === "chunked")
    return reply.send(Readable.from(halves(Buffer.from(body)), { objectMode: false }));
  reply.send(body);
  return undefined;
};

const USES = new WeakMap<Socket, number>();

/** The number of requests that a connection takes before it is closed without notice. */
const MOST_USES = 5;

/** Closes the connection as a server does that found it idle just before this request arrived. @returns whether it did */
export const closedAsIdle = (socket: Socket): boolean => {
  const uses = (USES.get(socket) ?? 0) + 1;
  USES.set(socket, uses);
  if (uses <= MOST_USES) return false;
  socket.destroy();
  return true;
};

const halves = (body: Buffer): Buffer[] => {
  const middle = Math.ceil(body.length / 2);
  return [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
};
