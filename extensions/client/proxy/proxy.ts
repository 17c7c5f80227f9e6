/** The recording proxy: a server that forwards requests to a target and gives each exchange to a recorder. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { dispatcherFor, readingPermittedAnswers } from "../../../helpers/exchange/connections.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Gateways } from "../../../helpers/gateway/through-gateway.ts";
import type { Target } from "../../../helpers/target/target.ts";
import type { Observed } from "../../../helpers/traffic/capture.ts";
import { createMatcher } from "../../../helpers/traffic/match.ts";
import type { Authority, ServerIdentity } from "../../../mocks/engine/gateway/authority.ts";
import { note } from "../../../reports/print.ts";
import type { Occasion } from "../judging/exercise.ts";
import type { Resealing } from "../judging/resealing.ts";
import { type Addresses, addressesOf, type Mount, type Route } from "./addresses.ts";
import { replyWithText, textOf } from "./bodies.ts";
import type { RecordingClock } from "./clock.ts";
import { CONTROL_PATH, type Control } from "./control.ts";
import { forward } from "./forward.ts";
import { type Forwarding, type Intervention, NO_INTERVENTION } from "./forwarding.ts";
import { outsidersOf } from "./outsiders.ts";
import { sendJson } from "./reply.ts";
import { NO_REWRITING } from "./rewriting.ts";
import type { SealedBodies } from "./sealed-bodies.ts";
import type { Signatures } from "./signatures.ts";
import { createTunnels, refusal } from "./tunnels.ts";

export interface ProxyOptions {
  readonly target: Target;
  readonly contracts: readonly Contract[];
  /** 0 selects a free port. */
  readonly port: number;
  /** The host name in the base URLs; without it, the proxy listens on 127.0.0.1 only. */
  readonly host?: string;
  /** Serves HTTPS at the base URLs. */
  readonly tls?: ServerIdentity;
  /** Certifies the proxy as the target, for clients that use the addresses of an HTTPS target. */
  readonly authority?: Authority;
  readonly clock: RecordingClock;
  readonly gateways: Gateways;
  readonly signatures: Signatures;
  /** Runs when a body passes unchanged although it may contain addresses. @param isSealed whether it may be encrypted */
  readonly onUnchanged: (isSealed: boolean) => void;
  /** Runs when a request is for no service, so that it is not forwarded. */
  readonly onRefused: () => void;
  /** Receives each exchange before the client gets the end of its response. */
  readonly onExchange: (observed: Observed) => void;
  readonly control: Control;
  /** Chooses how an exercise changes an exchange. */
  readonly intervene?: ((request: Occasion) => Intervention | undefined) | undefined;
  /** Returns what decrypts fields of a body, and encrypts them again for the target, if the service needs that. */
  readonly resealing: (service: Service) => Resealing | undefined;
  /** What decrypts and encrypts bodies for gateways, if one needs it. */
  readonly bodies: SealedBodies | undefined;
}

export type RecordingProxy = Awaited<ReturnType<typeof openProxy>>;

/** @throws Error when the port is taken */
export const openProxy = async (options: ProxyOptions) => {
  let port = options.port;
  const { host = LOOPBACK, tls } = options;
  const origin = (): string => `${tls === undefined ? "http" : "https"}://${host}:${port}`;
  const addresses = addressesOf(options.target, origin);
  const pools = new Map<Service, Dispatcher>();
  const { handle, state } = handlerOf(options, addresses, pools);
  const handling = new Set<Promise<void>>();
  const listen = (incoming: IncomingMessage, outgoing: ServerResponse, tunnel?: string): void => {
    const handled = handle(incoming, outgoing, tunnel).catch((error: Error) => {
      note(`The proxy failed: ${error.stack}\n`);
      outgoing.destroy();
    });
    handling.add(handled);
    void handled.then(() => handling.delete(handled));
  };
  const server = Object.assign(
    tls === undefined ? createServer(listen) : createSecureServer({ ...tls }, listen),
    PATIENT,
  );
  const tunnels = createTunnels(addresses.origins, options.authority, PATIENT, listen, options.onRefused);
  server.on("connect", tunnels.connect);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host === LOOPBACK ? LOOPBACK : ANY_ADDRESS, resolve);
  });
  port = (server.address() as AddressInfo).port;
  return {
    origin: origin(),
    baseUrls: addresses.baseUrls(),
    /** Returns the time of the last request or response, as `performance.now`; `undefined` before the first one. */
    lastActivity: () => state.last,
    /** The number of requests under way. */
    underWay: () => state.underWay,
    async close(): Promise<void> {
      state.isClosing = true;
      server.closeAllConnections();
      tunnels.close();
      await new Promise((resolve) => server.close(resolve));
      // Exchanges that the clients abandoned are recorded too.
      await Promise.race([Promise.all(handling), sleep(CLOSING)]);
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
};

/** Large uploads and slow answers take longer than Node's usual limits. */
const PATIENT = {
  requestTimeout: 0,
  headersTimeout: 60_000,
  httpAllowHalfOpen: true,
  keepAliveTimeout: 60_000,
};

const LOOPBACK = "127.0.0.1";
const ANY_ADDRESS = "0.0.0.0";

/** Milliseconds to wait for requests under way. */
const CLOSING = 2_000;

const handlerOf = (options: ProxyOptions, addresses: Addresses, pools: Map<Service, Dispatcher>) => {
  const state = { last: undefined as number | undefined, underWay: 0, isClosing: false };
  const { clock, signatures, intervene } = options;
  const match = createMatcher(options.contracts, options.target.baseUrls);
  const own = options.host === undefined ? [] : [`http://${options.host}`];
  const outsiderIn = outsidersOf([...own, ...addresses.origins], options.gateways);
  const poolOf = ({ service, origin }: Mount): Dispatcher =>
    getOrInsert(pools, service, () => {
      const connection = options.gateways[service]?.connection;
      if (connection !== undefined) return dispatcherFor(UNHURRIED, connection);
      return new Pool(origin, {
        ...UNHURRIED,
        connect: readingPermittedAnswers(UNHURRIED.connect, ignoreRefusedWrites),
      });
    });
  let exchanges = 0;
  const handle = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    tunnel?: string,
  ): Promise<void> => {
    const { method = "GET", headers, socket } = incoming;
    const { origin, requested, asked } = askedBy(incoming, tunnel, options.host);
    if (origin === undefined && requested.startsWith(CONTROL_PATH))
      return options.control(incoming, outgoing);
    const route: Route | undefined =
      origin === undefined
        ? addresses.route(requested)
        : addresses.direct(origin, requested, match(method, new URL(asked))?.service);
    const outsider = outsiderIn(incoming, asked, route?.mount.service);
    if (route === undefined || outsider !== undefined) {
      options.onRefused();
      const isOther = route === undefined && origin !== undefined;
      return refuse(outgoing, addresses, isOther ? refusal(addresses.origins) : outsider);
    }
    const { mount, path } = route;
    const url = new URL(path, mount.origin);
    const found = match(method, url);
    const exchangeOne = async (): Promise<void> => {
      const started = clock.now();
      const intervention = (found && intervene?.({ ...found, method, url, headers })) ?? NO_INTERVENTION;
      const id = `p-${++exchanges}`;
      const changes = bodyChanges(options, addresses, mount.service, found?.operation?.operationId ?? "");
      await forward(incoming, outgoing, {
        ...{ mount, path, asked, signatures, intervention },
        outward: origin === undefined ? addresses.outward(mount) : NO_REWRITING,
        dispatcher: poolOf(mount),
        onUnchanged: (part) => options.onUnchanged(changes.forwarding.isSealed(part)),
        isClosing: () => state.isClosing,
        ...changes.forwarding,
        onEnd(ended) {
          state.last = performance.now();
          const durationMs = Math.max(0, clock.now() - started);
          const exchange: Exchange = { ...UNMATCHED, id, ...ended, startedAt: new Date(started), durationMs };
          const { exercises = [] } = intervention;
          const opened = changes.opened();
          const address = socket.remoteAddress ?? "";
          options.onExchange({ exchange, address, exercises, ...(opened && { opened }) });
        },
      });
    };
    state.underWay += 1;
    state.last = performance.now();
    try {
      await clock.during(exchangeOne);
    } finally {
      state.underWay -= 1;
    }
  };
  return { handle, state };
};

/** Returns what changes the bodies of one exchange, and what it has decrypted. */
const bodyChanges = (
  { bodies, resealing }: ProxyOptions,
  addresses: Addresses,
  service: Service,
  operationId: string,
) => {
  let opened: Observed["opened"];
  let plain: string | undefined;
  const rewritten = async (body: string): Promise<string> => {
    const resealed = await resealing(service)?.reseal(body);
    opened = resealed?.opened;
    return addresses.inward().text(resealed?.body ?? body);
  };
  const forwarding: Pick<Forwarding, "plain" | "open" | "seal" | "isSealed" | "rewrite"> = {
    isSealed: (part) =>
      bodies?.wants(service, operationId, part) === true ||
      (part === "request" && resealing(service) !== undefined),
    plain: () => plain,
    open: async (reply) =>
      bodies === undefined ? reply : replyWithText(reply, (text) => bodies.open(service, operationId, text)),
    async seal(reply, received) {
      if (bodies === undefined) return reply;
      const like = received && textOf(received);
      return replyWithText(reply, (text) => bodies.seal(service, operationId, text, like));
    },
    async rewrite(body) {
      if (bodies === undefined) return rewritten(body);
      const sealed = await bodies.reseal(service, operationId, body, rewritten);
      plain = sealed.plain;
      return sealed.body;
    },
  };
  return { forwarding, opened: () => opened };
};

/** The client sets the time limits. */
const UNHURRIED = { headersTimeout: 0, bodyTimeout: 0, connections: 512, connect: { timeout: 30_000 } };

const UNMATCHED = { service: "", operationId: "", requestJson: undefined };

/**
 * Reads the address that a client asked for. The absolute form of an address of the proxy itself is not forwarded.
 * @param tunnel the origin of the target at the end of its tunnel
 * @param own the host of the proxy in its base URLs
 */
const askedBy = (
  { url = "/", headers: { host = "" }, socket }: IncomingMessage,
  tunnel?: string,
  own = LOOPBACK,
) => {
  const [start = "", rest = ""] = tunnel === undefined ? (ABSOLUTE.exec(url)?.slice(1) ?? []) : [tunnel, url];
  if (start === "" || !URL.canParse(`${start}${rest}`)) {
    const scheme = "encrypted" in socket ? "https" : "http";
    return { origin: undefined, requested: url, asked: `${scheme}://${host}${url}` };
  }
  const { origin, hostname, port } = new URL(start);
  const requested = rest.startsWith("/") ? rest : `/${rest}`;
  const isOwn = Number(port) === socket.localPort && [own, "localhost"].includes(hostname);
  return { origin: isOwn ? undefined : origin, requested, asked: `${origin}${requested}` };
};

/** The absolute form, in which clients ask a forward proxy (RFC 9112, 3.2.2). */
const ABSOLUTE = /^(https?:\/\/[^/?#]+)(.*)$/is;

/** @param reason why the client is not served; without it, the path is below no base URL */
const refuse = (outgoing: ServerResponse, { baseUrls }: Addresses, reason: string | undefined): void => {
  const list = Object.entries(baseUrls()).map(([service, url]) => `${service}: ${url}`);
  const message = reason ?? `The proxy serves these base URLs: ${list.join(", ")}.`;
  sendJson(outgoing, reason === undefined ? 404 : 403, { message });
};

/**
 * Lets an answer be read although the server no longer reads the request. Undici gives up a connection at the first
 * failed write, and then loses an answer that came before the end of an upload.
 */
const ignoreRefusedWrites = (socket: Socket): void => {
  const { _write: write, _writev: writeMany } = socket;
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, unlessRefused(done));
  socket._writev = (chunks, done) => writeMany?.call(socket, chunks, unlessRefused(done));
};

type Done = (error?: NodeJS.ErrnoException | null) => void;

const unlessRefused =
  (done: Done): Done =>
  (error) =>
    done(["EPIPE", "ECONNRESET"].includes(error?.code ?? "") ? null : error);
