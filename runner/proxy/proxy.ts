/** The recording proxy: a server that forwards requests to a target and gives each exchange to a recorder. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { keptIn } from "../../helpers/contract/once.ts";
import { dispatcherFor, readingEarlyAnswers } from "../../helpers/exchange/connections.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { Gateways } from "../../helpers/gateway/through-gateway.ts";
import type { Target } from "../../helpers/target/target.ts";
import type { Observed } from "../../helpers/traffic/capture.ts";
import { createMatcher, type Match } from "../../helpers/traffic/match.ts";
import { note } from "../../reports/print.ts";
import { type Addresses, addressesOf, type Mount } from "./addresses.ts";
import type { RecordingClock } from "./clock.ts";
import { CONTROL_PATH, type Control } from "./control.ts";
import { forward } from "./forward.ts";
import { type Intervention, NO_INTERVENTION } from "./forwarding.ts";
import type { Signatures } from "./signatures.ts";

export interface ProxyOptions {
  readonly target: Target;
  readonly contracts: readonly Contract[];
  /** 0 selects a free port. */
  readonly port: number;
  readonly clock: RecordingClock;
  readonly gateways: Gateways;
  readonly signatures: Signatures;
  /** Runs when a body passes unchanged although it may contain addresses. */
  readonly onUnchanged: () => void;
  /** Runs when a request is below the base URL of no service, so that it is not forwarded. */
  readonly onRefused: () => void;
  /** Receives each exchange before the client gets the end of its response. */
  readonly onExchange: (observed: Observed) => void;
  readonly control?: Control;
  /** Chooses how an exercise changes an exchange. */
  readonly intervene?: (request: Asked) => Chosen | undefined;
  /** Decrypts fields of a body, and encrypts them again for the target. */
  readonly reseal?: (service: Service, body: string) => Promise<Resealed>;
}

/** A request as an exercise sees it. */
export interface Asked extends Match {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
}

export interface Chosen extends Intervention {
  readonly exercises: readonly string[];
}

export interface Resealed {
  readonly body: string;
  readonly opened: Readonly<Record<string, unknown>>;
}

export interface RecordingProxy {
  readonly origin: string;
  readonly baseUrls: Readonly<Record<Service, string>>;
  /** Returns the time of the last request or response, in milliseconds since 1970; `undefined` before the first one. */
  lastActivity(): number | undefined;
  /** The number of requests under way. */
  underWay(): number;
  close(): Promise<void>;
}

/** @throws Error when the port is taken */
export const openProxy = async (options: ProxyOptions): Promise<RecordingProxy> => {
  let port = options.port;
  const addresses = addressesOf(options.target, () => `http://127.0.0.1:${port}`);
  const activity: Activity = { last: undefined, underWay: 0, isClosing: false };
  const pools = new Map<Service, Dispatcher>();
  const handle = handlerOf(options, addresses, pools, activity);
  const handling = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const handled = handle(incoming, outgoing).catch((error: Error) => {
      note(`The proxy failed: ${error.stack}\n`);
      outgoing.destroy();
    });
    handling.add(handled);
    void handled.then(() => handling.delete(handled));
  });
  // Large uploads and slow answers take longer than Node's usual limits.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 60_000, httpAllowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port;
  return {
    origin: `http://127.0.0.1:${port}`,
    baseUrls: addresses.baseUrls(),
    lastActivity: () => activity.last,
    underWay: () => activity.underWay,
    async close() {
      activity.isClosing = true;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // Exchanges that the clients abandoned are recorded too.
      await Promise.race([Promise.all(handling), sleep(CLOSING)]);
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
};

/** Milliseconds to wait for requests under way. */
const CLOSING = 2_000;

interface Activity {
  last: number | undefined;
  underWay: number;
  isClosing: boolean;
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

const handlerOf = (
  {
    target,
    contracts,
    clock,
    gateways,
    signatures,
    onUnchanged,
    onRefused,
    onExchange,
    control,
    intervene,
    reseal,
  }: ProxyOptions,
  addresses: Addresses,
  pools: Map<Service, Dispatcher>,
  activity: Activity,
): Handler => {
  const match = createMatcher(contracts, target.baseUrls);
  const poolOf = ({ service, origin }: Mount): Dispatcher =>
    keptIn(pools, service, () => {
      const connection = gateways[service]?.connection;
      if (connection !== undefined) return dispatcherFor(UNHURRIED, connection);
      return new Pool(origin, { ...UNHURRIED, connect: readingEarlyAnswers(UNHURRIED.connect) });
    });
  let exchanges = 0;
  return async (incoming, outgoing) => {
    const { url: requested = "/", method = "GET", headers, socket } = incoming;
    const chosenFor = (choose: NonNullable<typeof intervene>, url: URL): Chosen | undefined => {
      const found = match(method, url);
      return found && choose({ ...found, method, url, headers });
    };
    if (control !== undefined && requested.startsWith(CONTROL_PATH)) return control(incoming, outgoing);
    const route = addresses.route(requested);
    if (route === undefined) {
      onRefused();
      return unknown(outgoing, addresses.baseUrls());
    }
    const { mount, path } = route;
    const exchangeOne = async (): Promise<void> => {
      const started = clock.now();
      const chosen = intervene && chosenFor(intervene, new URL(path, mount.origin));
      const id = `p-${++exchanges}`;
      let opened: Resealed["opened"] = {};
      await forward(incoming, outgoing, {
        mount,
        path,
        dispatcher: poolOf(mount),
        addresses,
        signatures,
        intervention: chosen ?? NO_INTERVENTION,
        onUnchanged,
        isClosing: () => activity.isClosing,
        async rewrite(body) {
          const resealed = await reseal?.(mount.service, body);
          opened = resealed?.opened ?? {};
          return addresses.inward().text(resealed?.body ?? body);
        },
        onEnd(ended) {
          activity.last = Date.now();
          const durationMs = Math.max(0, clock.now() - started);
          const exchange: Exchange = { ...UNMATCHED, id, ...ended, startedAt: new Date(started), durationMs };
          const { exercises = [] } = chosen ?? {};
          onExchange({ exchange, address: socket.remoteAddress ?? "", opened, exercises });
        },
      });
    };
    activity.underWay += 1;
    activity.last = Date.now();
    try {
      await clock.during(exchangeOne);
    } finally {
      activity.underWay -= 1;
    }
  };
};

/** The client sets the time limits. */
const UNHURRIED = { headersTimeout: 0, bodyTimeout: 0, connections: 512, connect: { timeout: 30_000 } };

const UNMATCHED = { service: "", operationId: "", requestJson: undefined };

const unknown = (outgoing: ServerResponse, baseUrls: Readonly<Record<Service, string>>): void => {
  const list = Object.entries(baseUrls).map(([service, url]) => `${service}: ${url}`);
  const body = JSON.stringify({ message: `The proxy serves these base URLs: ${list.join(", ")}.` });
  outgoing.writeHead(404, { "content-type": "application/json" }).end(body);
};
