/** The HTTP client: it sends every request to a target, and returns an exchange. */
import type { Permissions } from "../target/target.ts";
import { type Allowance, createAllowance } from "./allowance.ts";
import type { ClientRequest, Draft, Interceptor } from "./draft.ts";
import type { Exchange, SentRequest } from "./exchange.ts";
import { enforcePermissions, keepBudget } from "./permission.ts";
import { createTransport, type TransportLimits } from "./transport.ts";
import { USER_AGENT } from "./user-agent.ts";

export interface ClientOptions extends TransportLimits {
  /** Exchange ids are `<prefix>-<n>`, starting at 1. */
  readonly prefix: string;
  readonly permissions: Permissions;
  /** The remaining permissions, if other clients of the run share them; all permissions by default. */
  readonly allowance?: Allowance;
  /** Sends requests as the gateways in front of the services ask. */
  readonly throughGateway?: Interceptor;
  /** Receives every exchange, including requests that were not allowed, before `send` returns it. */
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface Client {
  /**
   * Sends one request once, without following redirects. The exchange reports failures of the network or the server.
   * @throws Error when the request cannot be sent as HTTP (a line break in a header, a relative URL)
   */
  send(request: ClientRequest): Promise<Exchange>;
  /** Closes all connections; pending requests end as `connection-lost`. */
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const { permissions, throughGateway } = options;
  const transport = createTransport(options);
  const allowance = options.allowance ?? createAllowance(permissions);
  const interceptors = [
    recordTo(options.onExchange),
    enforcePermissions(permissions, allowance),
    ...(permissions.budget ? [keepBudget(allowance)] : []),
    limitRate(permissions.requestsPerSecond, allowance),
    // A signature contains the time, so it is made when the request is sent.
    ...(throughGateway ? [throughGateway] : []),
    named,
  ];
  const send = interceptors.reduceRight((next, interceptor) => interceptor(next), transport.send);
  let sent = 0;
  return {
    async send(request) {
      sent += 1;
      return await send(draftOf(request, `${options.prefix}-${sent}`));
    },
    close: transport.close,
  };
}

const recordTo =
  (onExchange: ClientOptions["onExchange"]): Interceptor =>
  (next) =>
  async (draft) => {
    const exchange = await next(draft);
    onExchange?.(exchange);
    return exchange;
  };

/** Enforces the rate limit of the user. */
const limitRate =
  (perSecond: number | undefined, { turn }: Allowance): Interceptor =>
  (next) => {
    if (perSecond === undefined) return next;
    return async (draft) => {
      await turn();
      return await next(draft);
    };
  };

/** Names the product to the server, unless the user gave another name as a fixed header. */
const named: Interceptor = (next) => (draft) =>
  next({ ...draft, request: { ...draft.request, headers: { ...USER_AGENT, ...draft.request.headers } } });

function draftOf(source: ClientRequest, id: string): Draft {
  const isJson = source.body === undefined && source.json !== undefined;
  const bytes = isJson ? JSON.stringify(source.json) : source.body;
  const request: SentRequest = {
    method: source.method,
    url: source.url,
    headers: headersOf(source.headers, isJson),
    ...(bytes === undefined ? {} : { body: bytes.toString() }),
  };
  return { id, source, request, bytes };
}

/** Returns the headers in lower case, without those that are `null`. */
const headersOf = (headers: ClientRequest["headers"], isJson: boolean): Record<string, string> => {
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = { ...(isJson && { "content-type": "application/json" }), ...Object.fromEntries(own) };
  return Object.fromEntries(
    Object.entries(all).filter((header): header is [string, string] => header[1] !== null),
  );
};
