/** A listener of any kind. Its manners decide what it does right or wrong. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Json } from "../../helpers/contract/json.ts";

/** The behaviour of a listener; wrong ones differ from `RIGHT` in one member. */
export interface Manners {
  readonly status: number;
  /** Names of events that it accepts; all if absent. */
  readonly knownEvents?: RegExp;
  /** The objects in which it accepts unknown fields. */
  readonly acceptsUnknownFields: "all" | "outer" | "none";
  readonly acceptsRepeated: boolean;
  readonly acceptsOlder: boolean;
  /** The number of requests that it serves at once. */
  readonly capacity: number;
  readonly largest: number;
  readonly refusesMalformed: boolean;
  readonly methods: readonly string[];
  /** Content types that it accepts besides JSON. */
  readonly otherContentTypes: RegExp;
  readonly survivesMalformed: boolean;
  /** Repeated events that it counts again: all, those after another event, or those that arrive at the same time. */
  readonly countsRepeated: "none" | "all" | "later" | "at-once";
  readonly verification: "code" | "empty" | "none" | "other" | "post";
}

export const RIGHT: Manners = {
  status: 204,
  acceptsUnknownFields: "all",
  acceptsRepeated: true,
  acceptsOlder: true,
  capacity: 1_000,
  largest: 1_000_000,
  refusesMalformed: true,
  methods: ["POST"],
  otherContentTypes: /^$/,
  survivesMalformed: true,
  countsRepeated: "none",
  verification: "code",
};

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Returns what it holds. */
  effect(): Promise<string>;
  close(): Promise<void>;
}

interface Held {
  readonly seen: Set<string>;
  count: number;
  latest: string;
  last: string;
  /** The events that are being stored, and how to end that. */
  readonly storing: Map<string, () => void>;
  reading: number;
  isBroken: boolean;
}

/** @param tls key and certificate of an HTTPS listener */
export const startListener = async (
  manners: Manners,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Listener> => {
  const held: Held = {
    ...{ seen: new Set(), storing: new Map(), count: 0, latest: "", last: "", reading: 0 },
    isBroken: false,
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    held.reading += 1;
    const isFull = held.reading > manners.capacity;
    const body = await read(request).finally(() => {
      held.reading -= 1;
    });
    if (body === undefined) return;
    const { status, text = "" } =
      isFull || held.isBroken ? { status: 503 } : await answerTo(manners, held, request, body);
    response.writeHead(status).end(text);
  };
  const server = tls === undefined ? createServer(handle) : createSecureServer(tls, handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    effect: async () => String(held.count),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

const read = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
};

interface Answer {
  readonly status: number;
  readonly text?: string;
}

/** Milliseconds for which a listener that stores an event may wait for the same event. */
const STORING_MS = 500;

const answerTo = async (
  manners: Manners,
  held: Held,
  request: IncomingMessage,
  body: string,
): Promise<Answer> => {
  const url = new URL(request.url ?? "/", "http://listener");
  const isPost = request.method === "POST";
  const code = url.searchParams.get("verification_code") ?? (isPost ? codeIn(body) : undefined);
  if (code !== undefined) return verified(manners, code, isPost);
  if (!manners.methods.includes(request.method ?? "")) return { status: 405 };
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
  if (!isJson && !manners.otherContentTypes.test(request.headers["content-type"] ?? ""))
    return { status: 415 };
  if (body.length > manners.largest) return { status: 413 };
  const message = fieldsIn(body);
  if (message === undefined) {
    held.isBroken = !manners.survivesMalformed;
    return { status: manners.refusesMalformed ? 400 : manners.status };
  }
  return taken(manners, held, message, body);
};

const codeIn = (body: string): string | undefined => {
  const code = fieldsIn(body)?.verification_code;
  return typeof code === "string" ? code : undefined;
};

const verified = ({ verification, status }: Manners, code: string, isPost: boolean): Answer => {
  if (verification === "post") return isPost ? { status: 200, text: code } : { status: 405 };
  if (isPost || verification === "none") return { status: 404 };
  if (verification === "other") return { status: 200, text: "welcome" };
  return verification === "code" ? { status: 200, text: code } : { status };
};

const fieldsIn = (body: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.keys(value).length > 0 ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
};

const taken = async (manners: Manners, held: Held, message: Json, body: string): Promise<Answer> => {
  const { unheardOf, ...known } = message;
  const isInner = JSON.stringify(known).includes('"unheardOf"');
  const isRefused = manners.acceptsUnknownFields === "none" ? unheardOf !== undefined : isInner;
  if (isRefused && manners.acceptsUnknownFields !== "all") return { status: 400 };
  const event = (known.event ?? {}) as Json;
  const name = String(known.eventName ?? event.class ?? known.status ?? known.useCase);
  if (manners.knownEvents && !manners.knownEvents.test(name)) return { status: 422 };
  const time = timeIn(body);
  if (time < held.latest && !manners.acceptsOlder) return { status: 409 };
  if (time > held.latest) held.latest = time;
  const isRepeated = manners.countsRepeated === "later" ? held.last === body : held.seen.has(body);
  if (isRepeated && !manners.acceptsRepeated) return { status: 409 };
  if (manners.countsRepeated === "at-once") await storing(held, body);
  held.seen.add(body);
  held.last = body;
  if (!isRepeated || manners.countsRepeated === "all") held.count += 1;
  return { status: manners.status };
};

/** Waits for the same event, so that two that arrive at once are both stored, however slowly the second one arrives. */
const storing = ({ storing: waiting }: Held, body: string): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      waiting.delete(body);
      resolve();
    };
    const first = waiting.get(body);
    if (first === undefined) {
      waiting.set(body, end);
      setTimeout(end, STORING_MS);
      return;
    }
    first();
    resolve();
  });

/** Returns the part of a message that grows with its time. */
const timeIn = (body: string): string =>
  /"(?:createdDate|createdAt|transactionDate|reportId)":"?([^",}]+)/
    .exec(body)?.[1]
    ?.replace(/\d+/g, (digits) => digits.padStart(12, "0")) ?? "";
