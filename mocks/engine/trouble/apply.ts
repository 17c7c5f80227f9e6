/** Applies a trouble to the answer of one request. */
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { Answer } from "../call.ts";
import type { DueTrouble, TroubleAnswer } from "./troubles.ts";

/**
 * @param answer processes the request
 * @param documented builds the answer of the service with the status: an error, or what the contract shows
 * @returns the answer to send, or `undefined` when the connection is closed
 */
export const applyTrouble = async (
  { trouble, latency }: DueTrouble,
  reply: FastifyReply,
  answer: () => Promise<Answer>,
  documented: (status: number) => Answer,
): Promise<Answer | undefined> => {
  const { connection, processed = false, answer: wanted } = trouble;
  if (latency > 0) await wait(latency);
  const isLost = connection === "dropped" || connection === "reset";
  const replaced = wanted !== undefined || isLost;
  const own = processed || !replaced ? await answer() : undefined;
  const given = wanted === undefined ? own : answerOf(wanted, documented);
  if (connection === undefined) return given;
  reply.hijack();
  const { socket } = reply.raw;
  if (connection === "reset") socket?.resetAndDestroy();
  else if (connection === "dropped") socket?.destroy();
  else if (given !== undefined) writeHalf(reply, given);
  return undefined;
};

const answerOf = (
  { status, body, headers = {}, retryAfter }: TroubleAnswer,
  documented: (status: number) => Answer,
): Answer => {
  const own = documented(status);
  const after = retryAfter ?? (status === 429 ? SOON : undefined);
  const all: Record<string, string> = {
    ...own.headers,
    ...(after !== undefined && { "retry-after": String(after) }),
    ...lowerCase(headers),
  };
  const given =
    body === undefined
      ? own
      : typeof body === "string"
        ? { raw: { content: body, contentType: all["content-type"] ?? typeOf(body) } }
        : { json: body };
  return { ...given, status, headers: all };
};

/** The seconds of Retry-After if the trouble names none, because servers that limit a rate send the header. */
const SOON = 1;

/** Returns the media type of a text, as gateways and older services send it. */
const typeOf = (content: string): string => {
  if (/^\s*<(?:!doctype html|html)\b/i.test(content)) return "text/html; charset=utf-8";
  return /^\s*<(?:\?xml|[a-z])/i.test(content)
    ? "application/xml; charset=utf-8"
    : "text/plain; charset=utf-8";
};

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Announces the whole body, writes half of it and closes the connection. */
const writeHalf = (reply: FastifyReply, { status, headers, json, written, raw }: Answer): void => {
  const content = raw?.content ?? written ?? (json === undefined ? "" : JSON.stringify(json));
  const bytes = Buffer.from(content);
  const type = raw === undefined ? "application/json; charset=utf-8" : (raw.contentType ?? "text/plain");
  reply.raw.writeHead(status, { "content-type": type, ...headers, "content-length": bytes.length });
  reply.raw.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => reply.raw.socket?.destroy());
};
