/** A reference issuer. It accepts notifications of chosen plans, for trying a run against an issuer. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReferenceIssuer } from "../engine/service.ts";
import { type Fields, isObject } from "../engine/values/fields.ts";
import { parsedJson } from "../engine/values/parsed-json.ts";

/** Faults of an issuer, each with the requirement that it violates. */
export const ISSUER_FAULTS = {
  "not-served": "installments.notifications.issuer-exposes-endpoint",
  "repeated-refused": "installments.issuer.accepts-repeated",
  "unknown-fields-refused": "installments.issuer.ignores-unknown-fields",
  "malformed-accepted": "installments.issuer.refuses-malformed",
  "oversize-accepted": "installments.issuer.refuses-oversize",
  "slow-sender-refused": "installments.issuer.serves-beside-slow-sender",
} as const;

export type IssuerFault = keyof typeof ISSUER_FAULTS;

/** @throws Error when the port is taken */
export const startIssuer = async ({
  port = 0,
  faults = [],
}: {
  readonly port?: number;
  readonly faults?: readonly IssuerFault[];
} = {}): Promise<ReferenceIssuer> => {
  const known = new Set<string>();
  const faulty = (fault: IssuerFault) => faults.includes(fault);
  let reading = 0;
  const server = createServer(async (request, response) => {
    const beside = reading;
    reading += 1;
    const status = await take(request, known, faulty).finally(() => {
      reading -= 1;
    });
    answer(response, faulty("slow-sender-refused") && beside > 0 ? 500 : status);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

const BODY_LIMIT = 262_144;

const FIELDS: ReadonlySet<string> = new Set([
  "notificationId",
  "planId",
  "offerId",
  "useCase",
  "createdAt",
  "merchant",
  "transaction",
]);

/** @returns the status of the answer, or 0 when the sender aborted the request */
const take = async (
  request: IncomingMessage,
  known: Set<string>,
  faulty: (fault: IssuerFault) => boolean,
): Promise<number> => {
  const body = await read(request);
  if (body === undefined) return 0;
  if (request.url !== "/notifications" || faulty("not-served")) return 404;
  if (request.method !== "POST") return 405;
  if (body.length > BODY_LIMIT) return faulty("oversize-accepted") ? 204 : 413;
  const notification = parsed(body);
  if (notification === undefined) return faulty("malformed-accepted") ? 204 : 400;
  if (faulty("unknown-fields-refused") && Object.keys(notification).some((name) => !FIELDS.has(name)))
    return 400;
  const { notificationId, planId } = notification;
  if (typeof notificationId !== "string" || typeof planId !== "string") return 400;
  if (known.has(notificationId) && faulty("repeated-refused")) return 409;
  known.add(notificationId);
  return 204;
};

/**
 * Reads the whole body, because a sender may not read an answer that comes too early. Stores only the bytes that the
 * size check needs.
 */
const read = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (size <= BODY_LIMIT) chunks.push(chunk);
      size += chunk.length;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
};

const parsed = (body: Buffer): Fields | undefined => {
  try {
    const value = parsedJson(body.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const answer = (response: ServerResponse, status: number): void => {
  if (status === 0) response.destroy();
  else response.writeHead(status).end();
};
