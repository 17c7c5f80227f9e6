/** The one HTTP client: every request to a target goes through it, and comes back as an exchange. */
import type { Permissions } from "../target/target.ts";
import { type Allowance, createAllowance } from "./allowance.ts";
import { type Clock, wallClock } from "./clock.ts";
import type { ClientRequest, Draft, Interceptor, Send } from "./draft.ts";
import type { Exchange, SentRequest } from "./exchange.ts";
import { enforcePermissions } from "./permission.ts";
import { limitRate } from "./rate.ts";
import { createTransport, type TransportLimits } from "./transport.ts";

export interface ClientOptions extends TransportLimits {
  /** Exchange ids are `<prefix>-<n>`, counted from 1. */
  readonly prefix: string;
  readonly permissions: Permissions;
  /** What is left of the permissions, where other clients of the run share them; else all of them. */
  readonly allowance?: Allowance;
  /** Headers that prove who calls, for this request. What it throws, `send` throws. */
  readonly authenticate?: (
    request: ClientRequest,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Is given every exchange, refused ones too, before `send` returns it. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** How the rate limit tells and passes time. */
  readonly clock?: Clock;
}

export interface Client {
  /**
   * Sends one request, once, and follows no redirect. Whatever the network or the server does is told in the
   * exchange, never thrown.
   * @throws when the request cannot be written as HTTP at all (a line break in a header, a relative URL)
   */
  send(request: ClientRequest): Promise<Exchange>;
  /** Billable calls that were sent so far. */
  readonly billableCalls: number;
  /** Drops all connections; what is still under way ends as `connection-lost`. */
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const { permissions } = options;
  const allowance = options.allowance ?? createAllowance(permissions, options.clock ?? wallClock);
  const permission = enforcePermissions(permissions, allowance);
  const send = compose(
    [
      recordTo(options.onExchange),
      permission.interceptor,
      authenticateWith(options.authenticate),
      limitRate(permissions.requestsPerSecond, allowance),
    ],
    transport.send,
  );
  let sent = 0;
  return {
    async send(request) {
      sent += 1;
      return await send(draftOf(request, `${options.prefix}-${sent}`));
    },
    get billableCalls() {
      return permission.billableCalls();
    },
    close: transport.close,
  };
}

const compose = (interceptors: readonly Interceptor[], transport: Send): Send =>
  interceptors.reduceRight((next, interceptor) => interceptor(next), transport);

const recordTo =
  (onExchange: ClientOptions["onExchange"]): Interceptor =>
  (next) =>
  async (draft) => {
    const exchange = await next(draft);
    onExchange?.(exchange);
    return exchange;
  };

const authenticateWith =
  (authenticate: ClientOptions["authenticate"]): Interceptor =>
  (next) =>
  async (draft) => {
    if (authenticate === undefined) return await next(draft);
    const given = present(lowerCased(await authenticate(draft.source)), lowerCased(draft.source.headers));
    return await next({
      ...draft,
      request: { ...draft.request, headers: { ...given, ...draft.request.headers } },
    });
  };

function draftOf(source: ClientRequest, id: string): Draft {
  const own = lowerCased(source.headers);
  const isJson = source.body === undefined && source.json !== undefined;
  const bytes = isJson ? JSON.stringify(source.json) : source.body;
  const request: SentRequest = {
    method: source.method,
    url: source.url,
    headers: present(isJson ? { "content-type": "application/json", ...own } : own, own),
    ...(bytes === undefined ? {} : { body: bytes.toString() }),
  };
  return { id, source, request, bytes };
}

type Headers = Readonly<Record<string, string | null>>;

const lowerCased = (headers: Headers = {}): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** `headers` without those that the caller left out on purpose. */
const present = (headers: Headers, own: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string] => header[1] !== null && own[header[0]] !== null,
    ),
  );
