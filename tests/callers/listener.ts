/** A right listener of any kind, and what wrong ones do differently. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

type Fields = Readonly<Record<string, unknown>>;

/** What a listener does; wrong ones differ from `RIGHT` in one member. */
export interface Manners {
  readonly status: number;
  /** Names of events that it accepts; all if absent. */
  readonly knownEvents?: RegExp;
  readonly acceptsUnknownFields: boolean;
  readonly acceptsRepeated: boolean;
  readonly acceptsOlder: boolean;
  /** The number of requests that it serves at once. */
  readonly capacity: number;
  readonly largest: number;
  readonly refusesMalformed: boolean;
  readonly methods: readonly string[];
  readonly anyContentType: boolean;
  readonly survivesMalformed: boolean;
  readonly countsRepeated: boolean;
  readonly verification: "code" | "empty" | "none" | "other" | "post";
}

export const RIGHT: Manners = {
  status: 204,
  acceptsUnknownFields: true,
  acceptsRepeated: true,
  acceptsOlder: true,
  capacity: 1_000,
  largest: 1_000_000,
  refusesMalformed: true,
  methods: ["POST"],
  anyContentType: false,
  survivesMalformed: true,
  countsRepeated: false,
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
  reading: number;
  isBroken: boolean;
}

/** @param tls key and certificate of an HTTPS listener */
export const startListener = async (
  manners: Manners,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Listener> => {
  const held: Held = { seen: new Set(), count: 0, latest: "", reading: 0, isBroken: false };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    held.reading += 1;
    const isFull = held.reading > manners.capacity;
    const body = await read(request).finally(() => {
      held.reading -= 1;
    });
    if (body === undefined) return;
    const { status, text = "" } =
      isFull || held.isBroken ? { status: 503 } : answerTo(manners, held, request, body);
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

const answerTo = (manners: Manners, held: Held, request: IncomingMessage, body: string): Answer => {
  const url = new URL(request.url ?? "/", "http://listener");
  const isPost = request.method === "POST";
  const code = url.searchParams.get("verification_code") ?? (isPost ? codeIn(body) : undefined);
  if (code !== undefined) return verified(manners, code, isPost);
  if (!manners.methods.includes(request.method ?? "")) return { status: 405 };
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
  if (!isJson && !manners.anyContentType) return { status: 415 };
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

const fieldsIn = (body: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.keys(value).length > 0 ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
};

const taken = (manners: Manners, held: Held, message: Fields, body: string): Answer => {
  const { unheardOf, ...known } = message;
  if (unheardOf !== undefined && !manners.acceptsUnknownFields) return { status: 400 };
  const event = (known.event ?? {}) as Fields;
  const name = String(known.eventName ?? event.class ?? known.status ?? known.useCase);
  if (manners.knownEvents && !manners.knownEvents.test(name)) return { status: 422 };
  const time = timeIn(body);
  if (time < held.latest && !manners.acceptsOlder) return { status: 409 };
  if (time > held.latest) held.latest = time;
  const isRepeated = held.seen.has(body);
  if (isRepeated && !manners.acceptsRepeated) return { status: 409 };
  held.seen.add(body);
  if (!isRepeated || manners.countsRepeated) held.count += 1;
  return { status: manners.status };
};

/** Returns the part of a message that grows with its time. */
const timeIn = (body: string): string =>
  /"(?:createdDate|createdAt|transactionDate|reportId)":"?([^",}]+)/
    .exec(body)?.[1]
    ?.replace(/\d+/g, (digits) => digits.padStart(12, "0")) ?? "";

export interface ListenerRow {
  readonly name: string;
  readonly manners: Partial<Manners>;
  /** The address that the service would call; `undefined` for the address of the listener itself. */
  readonly url?: string;
  /** The name of the probe that finds a wrong listener. */
  readonly probe?: string;
}

export const right: readonly ListenerRow[] = [
  { name: "no content", manners: {} },
  {
    name: "an answer of 200, small bodies only",
    manners: { status: 200, largest: 10_000, verification: "empty" },
  },
  { name: "taken for later, verified by POST", manners: { status: 202, verification: "post" } },
  { name: "any method but PUT and DELETE", manners: { methods: ["POST", "PATCH"], capacity: 60 } },
];

const wrongOfAll: readonly ListenerRow[] = [
  { name: "it fails", probe: "accepts-events", manners: { status: 500 } },
  { name: "it redirects", probe: "accepts-events", manners: { status: 302 } },
  {
    name: "it refuses unknown fields",
    probe: "accepts-unknown-fields",
    manners: { acceptsUnknownFields: false },
  },
  { name: "it refuses what it has", probe: "accepts-repeated", manners: { acceptsRepeated: false } },
  { name: "it refuses what is older", probe: "accepts-out-of-order", manners: { acceptsOlder: false } },
  { name: "it serves few at once", probe: "accepts-fifty-at-once", manners: { capacity: 10 } },
  { name: "it serves one at a time", probe: "serves-beside-slow-sender", manners: { capacity: 1 } },
  { name: "it takes any size", probe: "refuses-oversize", manners: { largest: Number.POSITIVE_INFINITY } },
  { name: "it takes what is not JSON", probe: "refuses-malformed", manners: { refusesMalformed: false } },
  { name: "it takes PUT", probe: "refuses-other-methods", manners: { methods: ["POST", "PUT"] } },
  { name: "it takes DELETE", probe: "refuses-other-methods", manners: { methods: ["POST", "DELETE"] } },
  {
    name: "it takes any content type",
    probe: "refuses-other-content-types",
    manners: { anyContentType: true },
  },
  { name: "it ends with a malformed body", probe: "stays-up", manners: { survivesMalformed: false } },
  { name: "it counts events twice", probe: "counts-repeated-once", manners: { countsRepeated: true } },
];

/** Wrong listeners by kind. */
export const wrongOf = (kind: string): readonly ListenerRow[] => [
  ...wrongOfAll.map((row) =>
    row.name === "it refuses what is older" && kind === "report-callback" ? AS_NUMBERED : row,
  ),
  ...(WRONG_OF_KIND[kind] ?? []),
];

const AS_NUMBERED: ListenerRow = {
  name: "it refuses older reports",
  probe: "accepts-out-of-order",
  manners: { acceptsOlder: false },
};

const WRONG_OF_KIND: Readonly<Record<string, readonly ListenerRow[]>> = {
  webhook: [
    {
      name: "it refuses unknown events",
      probe: "accepts-unknown-events",
      manners: { knownEvents: /^(account|transactions|connect|customer)/ },
    },
    { name: "it knows some events", probe: "accepts-events", manners: { knownEvents: /^account/ } },
  ],
  txpush: [
    {
      name: "it refuses unknown classes",
      probe: "accepts-unknown-events",
      manners: { knownEvents: /^(account|transaction)$/ },
    },
    {
      name: "it knows transactions only",
      probe: "accepts-events",
      manners: { knownEvents: /^transaction$/ },
    },
    { name: "it is not verified", probe: "answers-verification", manners: { verification: "none" } },
    {
      name: "it answers the verification with another text",
      probe: "answers-verification",
      manners: { verification: "other" },
    },
    {
      name: "it has another port",
      probe: "has-standard-port",
      manners: {},
      url: "http://listener.example.com:8080/events",
    },
    {
      name: "it has another secure port",
      probe: "has-standard-port",
      manners: {},
      url: "https://listener.example.com:8443/events",
    },
    { name: "it has no HTTPS", probe: "has-https", manners: {}, url: "http://listener.example.com/events" },
  ],
  "report-callback": [
    { name: "it knows success only", probe: "accepts-events", manners: { knownEvents: /^success$/ } },
  ],
  notification: [
    { name: "it knows one use case", probe: "accepts-events", manners: { knownEvents: /^DURING/ } },
  ],
};
