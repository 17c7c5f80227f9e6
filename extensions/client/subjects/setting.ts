/** The setting of a client that a proof runs: configuration, time, and how the client sends requests. */
import { once } from "node:events";
import http from "node:http";
import { type Json, valueOfJson } from "../../../helpers/contract/json.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

/** Sends one request. @throws Error when there is no complete answer */
export type Send = (sending: Sending) => Promise<Answered>;

export interface Setting {
  /** Configuration values by environment name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: ReturnType<typeof clockAt>;
  readonly send: Send;
  /** An address that receives report callbacks. */
  readonly callbackUrl: string;
}

/** A client that differs from a right one in one thing. */
export interface WrongClient {
  /** A unique name within the service. */
  readonly name: string;
  /** Id of the requirement that it violates, without the service. */
  readonly requirement: string;
  /** Ids of exercises, without the service; by default, a right client gets all and a wrong one gets none. */
  readonly exercises?: readonly string[];
  /** Runs the client. A client that fails throws. */
  run(setting: Setting): Promise<void>;
}

/** A client that does nothing wrong. */
export interface RightClient extends Omit<WrongClient, "requirement"> {
  /** The number of exercises that it gets through at least, if it does all that the documents describe. */
  readonly getsThrough?: number;
}

/** @param url address of the clock of a proxy */
export const clockAt = (url: string) => {
  const ask = async (query: string, method: "GET" | "POST"): Promise<number> => {
    const response = await fetch(`${url}${query}`, { method });
    return ((await response.json()) as { readonly now: number }).now;
  };
  /** Returns milliseconds since 1970. */
  const now = () => ask("", "GET");
  return {
    now,
    sleep: async (seconds: number): Promise<void> =>
      void (await ask(`?until=${(await now()) + seconds * 1000}`, "POST")),
    /** Returns a signal that aborts after this time. */
    limit(seconds: number): AbortSignal {
      const controller = new AbortController();
      void now()
        .then((time) => ask(`?until=${time + seconds * 1000}`, "GET"))
        .then(() => controller.abort(new Error("the time limit has passed")))
        .catch(() => {});
      return controller.signal;
    },
  };
};

/** Sends with `fetch`. */
export const sendByFetch: Send = async ({ url, ...init }) => {
  const response = await fetch(url, { ...init, redirect: "manual" });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
};

const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

/** Sends over a pool of connections, with bodies in chunks and without their length. */
export const sendInChunks: Send = async ({ url, method, headers, body, signal }) => {
  const request = http.request(url, { agent, method, headers, ...(signal && { signal }) });
  const answered = once(request, "response") as Promise<[http.IncomingMessage]>;
  if (body === undefined) request.end();
  else {
    request.write(body.slice(0, 10));
    request.end(body.slice(10));
  }
  const [response] = await answered;
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(named),
    text: Buffer.concat(parts).toString("utf8"),
  };
};

export const jsonIn = ({ text }: Answered): Readonly<Json> => (valueOfJson(text) ?? {}) as Json;
