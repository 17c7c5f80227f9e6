/**
 * The sandbox in the process of a test. It stops with the test:
 *
 *     await using sandbox = await startSandbox({ services: ["installments"] });
 */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { services as allServices } from "../helpers/contract/services.ts";
import { arranged } from "./engine/admin/admin.ts";
import { checkedData, type SandboxData } from "./engine/data/data.ts";
import type { DeliveryRecord } from "./engine/deliveries/deliveries.ts";
import {
  assertVerified,
  type Expectation,
  type LoggedRequest,
  type RequestFilter,
  type Verification,
  verify,
} from "./engine/request-log.ts";
import { type Sandbox, type SandboxOptions, startSandbox as startServer } from "./engine/server.ts";
import { imageOfTenant } from "./engine/state/tenant-image.ts";
import { addressesOf, dataOf, type Tenant } from "./engine/tenant.ts";
import { checkedTroubles, type Trouble } from "./engine/trouble/troubles.ts";

/** The services of this version. */
export type ServiceName = "card-enrollment" | "installments" | "financial-data";

/** All are optional. A contract that is absent is loaded from `schemas/`. */
export interface TestSandboxOptions<Name extends Service = Service>
  extends Partial<Omit<SandboxOptions, "data" | "troubles" | "services">> {
  /** All services if absent. */
  readonly services?: readonly Name[];
  /** The data to start with, by service, as `--data` reads it. */
  readonly data?: SandboxData;
  readonly troubles?: readonly Trouble[];
}

/** @template Name the services that run */
export interface TestSandbox<Name extends Service = Service> extends AsyncDisposable {
  /** By service. */
  readonly baseUrls: Readonly<Record<Name, string>>;
  /** Base URLs and credentials, by the names of `.env.example`. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The same, under its older name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: TestClock;
  /** The present state, in the form of the data that a sandbox starts with. */
  data(): SandboxData;
  /** What the sandbox sent: webhooks, events, callbacks and notifications, oldest first. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Sends everything that is due, and waits until it is sent. */
  settle(): Promise<void>;
  requests(filter?: RequestFilter): readonly LoggedRequest[];
  /** Compares the requests with the expected ones. */
  called(calls: readonly Expectation[], options?: { readonly inOrder?: boolean }): Verification;
  /** @throws Error with a table of the expected requests, if one was not met */
  verify(calls: readonly Expectation[], options?: { readonly inOrder?: boolean }): void;
  /** Adds troubles. @throws DataError when one is not valid */
  trouble(...troubles: readonly Trouble[]): void;
  endTroubles(): void;
  /**
   * Causes a situation that no client can cause.
   * @returns the identifiers with which the situation applies
   */
  arrange(
    situation: string,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, string>>>;
  /** Brings the sandbox into its first state. */
  reset(): Promise<void>;
  /** Keeps the present state. @returns a function that restores it */
  snapshot(): () => Promise<void>;
  stop(): Promise<void>;
}

export interface TestClock {
  now(): Date;
  /** Moves the clock, and does all work that becomes due. */
  advance(seconds: number): Promise<void>;
  set(time: Date): Promise<void>;
}

/** @throws DataError when the data or a trouble is not valid */
export const startSandbox = async <const Name extends Service = ServiceName>(
  options: TestSandboxOptions<Name> = {},
): Promise<TestSandbox<Name>> => {
  const { services = allServices(), data = {}, troubles = [] } = options;
  const contracts = await Promise.all(services.map((service) => contractOf(service, options.contracts)));
  const server = await startServer({
    port: 0,
    seed: 1,
    faults: [],
    ...options,
    services,
    contracts,
    data: await checkedData(data, services),
    troubles: checkedTroubles(troubles, contracts),
  });
  return controlsOf(server, contracts, "", server.close);
};

export interface SandboxCopies {
  /** @param faults ids of the faults of the copy @throws UnknownFaultError */
  open(faults: readonly string[]): Promise<TestSandbox<ServiceName>>;
  close(): Promise<void>;
}

/** Starts a sandbox that many tests share: each opens a copy of its own. */
export const startCopies = async (contracts: readonly Contract[]): Promise<SandboxCopies> => {
  const services = contracts.map(({ service }) => service);
  const server = await startServer({ services, port: 0, seed: 1, faults: [], contracts });
  let opened = 0;
  return {
    async open(faults) {
      opened += 1;
      const name = `test-${opened}`;
      await server.tenants.open(name, { faults });
      return controlsOf(server, contracts, name, async () => void server.tenants.close(name));
    },
    close: server.close,
  };
};

const contractOf = async (service: Service, given: readonly Contract[] = []): Promise<Contract> =>
  given.find((contract) => contract.service === service) ?? (await loadContract(service));

const clockOf = (tenant: () => Tenant): TestSandbox["clock"] => {
  const now = () => tenant().clock.now();
  const set = (time: Date) => tenant().clock.moveTo(time);
  return { now, set, advance: (seconds) => set(new Date(now().getTime() + seconds * 1000)) };
};

const controlsOf = <Name extends Service>(
  server: Sandbox,
  contracts: readonly Contract[],
  name: string,
  stop: () => Promise<void>,
): TestSandbox<Name> => {
  const { tenants } = server;
  const tenant = (): Tenant => tenants.all.get(name) as Tenant;
  const called: TestSandbox["called"] = (calls, { inOrder = false } = {}) =>
    verify(tenant().requests, calls, inOrder);
  const clock = clockOf(tenant);
  const { baseUrls, environment } =
    name === "" ? server : addressesOf(tenant(), `http://127.0.0.1:${server.port}`);
  return {
    baseUrls: baseUrls as Record<Name, string>,
    ...{ environment, credentials: environment, clock },
    data: () => dataOf(tenant()),
    get deliveries() {
      return tenant().deliveries.log;
    },
    settle: async () => {
      await clock.set(clock.now());
      await tenant().deliveries.settled();
    },
    requests: (filter = {}) => tenant().requests.find(filter),
    called,
    verify: (calls, options) => assertVerified(calls, called(calls, options)),
    trouble: (...troubles) => tenant().troubles.add(checkedTroubles(troubles, contracts)),
    endTroubles: () => tenant().troubles.clear(),
    arrange: async (situation, parameters = {}) => (await arranged(tenant(), situation, parameters)).ids,
    reset: async () => void (await tenants.reopen(name)),
    snapshot: () => {
      const image = imageOfTenant(tenant());
      return async () => void (await tenants.reopen(name, image));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
};
