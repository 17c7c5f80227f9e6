/** Sends one HTTP or HTTPS request, with limits on its time and on the size of the response. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { Route } from "./destinations.ts";

export type Reply =
  | { readonly status: number; readonly body: string }
  /** `refused`: the sandbox may not send there, so a retry is useless. */
  | { readonly problem: string; readonly refused?: true };

const TIME_LIMIT = 5_000;
const ANSWER_LIMIT = 65_536;

export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the request. It does not follow redirects, because the caller did not ask for their destinations. */
export const sendTo = (
  url: URL,
  route: Route,
  { method, body, headers }: OutgoingRequest,
): Promise<Reply> => {
  const secure = url.protocol === "https:";
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const options = {
    method,
    host: route.address,
    port: route.port,
    path: `${url.pathname}${url.search}`,
    signal: AbortSignal.timeout(TIME_LIMIT),
    headers: {
      host: url.host,
      accept: "application/json, */*",
      ...(content && { "content-type": "application/json", "content-length": content.length }),
      ...headers,
    },
  };
  const send = (agents: typeof KEPT | typeof NEW, receive: (response: IncomingMessage) => void) =>
    secure
      ? requestHttps(
          { ...options, ...serverName(url), rejectUnauthorized: !route.resolved, agent: agents.https },
          receive,
        )
      : requestHttp({ ...options, agent: agents.http }, receive);
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ problem: problemOf(error) });
    const receive = (response: IncomingMessage) => readAnswer(response).then(resolve, fail);
    const outgoing = send(KEPT, receive);
    outgoing.once("error", (error: Error) => {
      if (!wasClosed(outgoing, error)) fail(error);
      else send(NEW, receive).once("error", fail).end(content);
    });
    outgoing.end(content);
  });
};

/** Connections that several requests use. An idle one is closed after a second. */
const KEPT = {
  http: new HttpAgent({ keepAlive: true, timeout: 1_000 }),
  https: new HttpsAgent({ keepAlive: true, timeout: 1_000 }),
} as const;
const NEW = { http: false, https: false } as const;

/** Whether the listener closed an idle connection at the moment of the request (RFC 9112, 9.5). */
const wasClosed = ({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");

/** A server name is never an address (RFC 6066, 3). */
const serverName = ({ hostname }: URL): { servername?: string } =>
  isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? { servername: hostname } : {};

const readAnswer = async (response: IncomingMessage): Promise<Reply> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_LIMIT) break;
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8").slice(0, ANSWER_LIMIT),
  };
};

const problemOf = (error: Error): string => {
  if (error.name === "TimeoutError" || error.name === "AbortError") {
    return `There was no answer within ${TIME_LIMIT / 1000} seconds.`;
  }
  return `The call failed: ${(error as NodeJS.ErrnoException).code ?? error.message}.`;
};
