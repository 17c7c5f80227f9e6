/** Sends a body as the habits of a server say: whole or in chunks, compressed or not. It may close the connection. */
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
  if (connections === "closed-when-idle") closeWhenSent(reply);
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

/** Closes the connection without the header that announces it, as soon as the answer is sent. */
const closeWhenSent = ({ raw }: FastifyReply): void => {
  const { socket } = raw;
  raw.once("finish", () => setImmediate(() => socket?.destroy()));
};

const halves = (body: Buffer): Buffer[] => {
  const middle = Math.ceil(body.length / 2);
  return [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
};
