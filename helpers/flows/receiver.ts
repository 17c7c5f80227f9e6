/** The receiver: one HTTP server that takes every delivery of every service, and lets trials wait for theirs. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { carries, type Delivery } from "./delivery.ts";

export interface ReceiverOptions {
  /** Address at which the target reaches us; only this machine does when there is none. */
  readonly publicUrl?: string;
  /** A free one unless given. Taken by another receiver, it is waited for. */
  readonly port?: number;
  /** A longer body is refused with 413; 1 MB unless given. */
  readonly bodyLimitBytes?: number;
  /** Makes what its addresses end with, another one each time; what nobody can guess unless given. */
  readonly word?: () => string;
  /** Certificate and key in PEM, to be reached over HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface Receiver {
  /**
   * Address to register where one address is registered for good: the public one as the user wrote it, or one that
   * nobody can guess.
   */
  readonly url: string;
  /** A new address that nobody can guess, to tell apart what arrives there. */
  address(): string;
  /** All that arrived so far, in order. */
  readonly deliveries: readonly Delivery[];
  /** Those that carry the identifier in their path, query or body, in order. */
  about(identifier: string): Delivery[];
  /**
   * Waits until there are that many deliveries about the identifier.
   * @returns what there is then, or after `limitMs`
   */
  wait(identifier: string, limitMs: number, count?: number): Promise<Delivery[]>;
  close(): Promise<void>;
}

/** @throws when the port stays taken for a minute, or may not be listened on */
export const openReceiver = async (options: ReceiverOptions = {}): Promise<Receiver> => {
  const { word = unguessable } = options;
  const deliveries: Delivery[] = [];
  const paths = new Set<string>();
  const waiting = new Set<() => void>();
  const server = createServer(options, async (request, response) => {
    const takes = options.publicUrl !== undefined || paths.has(pathOf(request));
    const delivery = await receive(request, response, takes, options.bodyLimitBytes ?? 1_000_000);
    if (delivery === undefined) return;
    deliveries.push(delivery);
    for (const look of [...waiting]) look();
  });
  const port = await listen(server, options);
  const base =
    options.publicUrl?.replace(/\/+$/, "") ?? `${options.tls ? "https" : "http"}://127.0.0.1:${port}`;
  const address = (): string => {
    const path = `/${word()}`;
    paths.add(path);
    return `${base}${path}`;
  };
  const about = (identifier: string) => deliveries.filter((delivery) => carries(delivery, identifier));
  return {
    url: options.publicUrl ?? address(),
    address,
    deliveries,
    about,
    wait: (identifier, limitMs, count = 1) =>
      new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(about(identifier));
        };
        const look = () => {
          if (about(identifier).length >= count) finish();
        };
        const timer = setTimeout(finish, limitMs);
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

const unguessable = (): string => randomBytes(16).toString("hex");

type Server = http.Server | https.Server;

const createServer = (
  { tls }: ReceiverOptions,
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server => {
  const handle = (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
  return tls === undefined ? http.createServer(handle) : https.createServer(tls, handle);
};

const ATTEMPTS = 240;

/** Workers of one run share a configured port by turns: whoever closes its receiver leaves it to the next. */
const listen = async (server: Server, { publicUrl, port = 0 }: ReceiverOptions): Promise<number> => {
  const host = publicUrl === undefined ? "127.0.0.1" : "0.0.0.0";
  for (let attempt = 1; ; attempt++) {
    try {
      server.listen(port, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE" || attempt === ATTEMPTS) {
        throw new Error(`RECEIVER_PORT: port ${port} can't be listened on (${code}). Choose another.`);
      }
      await wait(250);
    }
  }
};

const pathOf = (request: IncomingMessage): string => (request.url ?? "/").replace(/[?#].*$/s, "");

/** @returns `undefined` for what is no delivery to us, or broke off */
const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  takes: boolean,
  limit: number,
): Promise<Delivery | undefined> => {
  const receivedAt = new Date();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  const status = !takes ? 404 : size > limit ? 413 : 204;
  response.writeHead(status).end();
  if (!takes) return undefined;
  const body = Buffer.concat(size > limit ? [] : chunks);
  return {
    receivedAt,
    method: request.method ?? "",
    path: request.url ?? "/",
    headers: headersOf(request),
    body,
    json: jsonOf(body),
    answered: status,
  };
};

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]));

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
};
