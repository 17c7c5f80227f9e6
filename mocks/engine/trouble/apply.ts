/** Applies a trouble to the answer of one request. */
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { Answer } from "../call.ts";
import type { DueTrouble, TroubleAnswer } from "./troubles.ts";

/**
 * @param answer processes the request
 * @param refusal builds an error of the service with the status
 * @returns the answer to send, or `undefined` when the connection is closed
 */
export const applyTrouble = async (
  { trouble, latency }: DueTrouble,
  reply: FastifyReply,
  answer: () => Promise<Answer>,
  refusal: (status: number) => Answer,
): Promise<Answer | undefined> => {
  const { connection, processed = false, answer: wanted } = trouble;
  if (latency > 0) await wait(latency);
  const isLost = connection === "dropped" || connection === "reset";
  const replaced = wanted !== undefined || isLost;
  const own = processed || !replaced ? await answer() : undefined;
  const given = wanted === undefined ? own : answerOf(wanted, refusal);
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
  refusal: (status: number) => Answer,
): Answer => {
  const own = refusal(status);
  const after = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const given =
    body === undefined
      ? own
      : typeof body === "string"
        ? { status, raw: textOf(body) }
        : { status, json: body };
  return { ...given, status, headers: { ...own.headers, ...after, ...lowerCase(headers) } };
};

const textOf = (content: string) => ({ content, contentType: "text/plain; charset=utf-8" });

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
