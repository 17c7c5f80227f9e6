/** The embedded sandbox: a stateful server on the loopback interface for the services of the given contracts. */
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { registerAdmin } from "./admin/admin.ts";
import { recordRequests } from "./admin/record.ts";
import { allowOrigins } from "./cors.ts";
import type { SandboxData } from "./data/data.ts";
import { type Destinations, NO_DESTINATIONS } from "./deliveries/destinations.ts";
import type { Demand } from "./gateway/gateway.ts";
import { type GatewayEnvironment, sandboxGateway } from "./gateway/sandbox-gateway.ts";
import type { Recorded } from "./recorded.ts";
import { registerRoutes } from "./routes.ts";
import { sandboxService } from "./services.ts";
import { addressesOf, dataOf, documentedPath, type MountedService, type Tenant } from "./tenant.ts";
import { type TenantBook, tenantBook } from "./tenants.ts";
import type { TestData } from "./test-data.ts";
import type { Trouble } from "./trouble/troubles.ts";
import { validatorsOf } from "./validators.ts";

export interface SandboxOptions {
  /** The services of the contracts if absent. */
  readonly services?: readonly Service[];
  /** 0 selects a free port, as by default. */
  readonly port?: number;
  /** 1 by default. */
  readonly seed?: number;
  /** Ids of the faults in force in the default tenant. */
  readonly faults?: readonly string[];
  /** Permitted differences in force in the default tenant: ids, names of sets, or `all`. */
  readonly differences?: readonly string[];
  /** One contract per service. */
  readonly contracts: readonly Contract[];
  /** Leaves out the admin interface, so that the sandbox looks like an external server. It has test data instead. */
  readonly plain?: boolean;
  /** The data that every tenant starts with, in place of the sandbox's own. */
  readonly data?: SandboxData;
  /** What a real server answered. The sandbox repeats it. */
  readonly recorded?: Recorded;
  /** The troubles of every tenant. */
  readonly troubles?: readonly Trouble[];
  /** The address to listen on; 127.0.0.1 if absent. */
  readonly host?: string;
  /** Names of hosts under which other machines may use the admin interface too. */
  readonly adminHosts?: readonly string[];
  /** Serves HTTPS: a certificate and its key in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Where the state is kept between two starts. */
  readonly stateFile?: string;
  /** Addresses other than this machine to which the sandbox may send. */
  readonly destinations?: Destinations;
  /** What a gateway in front of the sandbox asks for. It hides the admin interface. */
  readonly demands?: readonly Demand[];
}

export interface Sandbox extends GatewayEnvironment {
  readonly port: number;
  readonly baseUrls: Readonly<Record<Service, string>>;
  /** The situations that exist since the start. */
  readonly testData: TestData;
  /** Returns the present state of the default tenant, in the form of the data that a sandbox starts with. */
  data(): SandboxData;
  readonly tenants: TenantBook;
  close(): Promise<void>;
}

/**
 * @throws UnknownDeviationError when a fault or a permitted difference is unknown
 * @throws Error when a service has no sandbox or no contract, or the port is taken
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const mountedServices = await Promise.all(
    servicesOf(options).map((service) => mountedOf(service, options.contracts)),
  );
  const tenantOf = new WeakMap<IncomingMessage, Tenant>();
  const { host = LOOPBACK, demands = [] } = options;
  const gateway = sandboxGateway(demands, options.contracts);
  const tls = gateway?.https ?? options.tls;
  const hasAdmin = options.plain !== true && gateway === undefined;
  const portOf = () => (app.server.address() as AddressInfo | null)?.port ?? 0;
  const origin = (): string => `${tls === undefined ? "http" : "https"}://${hostIn(host)}:${portOf()}`;
  const tenants = bookOf(options, mountedServices, origin);
  const { all, file } = tenants;
  const app = createApp(all, tenantOf, tls);
  allowOrigins(app, hasAdmin ? (options.adminHosts ?? []) : undefined);
  if (hasAdmin) recordRequests(app, (raw) => tenantOf.get(raw));
  if (file !== undefined) app.addHook("onResponse", async () => file.changed());
  const opening = tenants.openFirst();
  gateway?.guard(app, origin);
  const standard = () => all.get("") as Tenant;
  registerRoutes(app, mountedServices, { tenantOf: (raw) => tenantOf.get(raw) ?? standard(), hasAdmin });
  if (hasAdmin) registerAdmin(app, { mountedServices, tenants, origin });
  app.addHook("onClose", async () => {
    file?.write();
    for (const { clock } of all.values()) clock.stop();
    gateway?.close();
  });
  // The keys of a tenant take time to generate, off the main thread. Meanwhile the routes are registered.
  await Promise.all([opening, app.ready()]);
  await app.listen({ host, port: options.port ?? 0 });
  const { baseUrls, environment } = addressesOf(standard(), origin());
  const seen: GatewayEnvironment = gateway?.before(environment) ?? { environment };
  return {
    ...{ port: portOf(), baseUrls, tenants, ...seen },
    testData: standard().testData,
    data: () => dataOf(standard()),
    close: () => app.close(),
  };
};

const servicesOf = ({ services, contracts }: SandboxOptions): readonly Service[] =>
  services ?? contracts.map(({ service }) => service);

const bookOf = (
  options: SandboxOptions,
  mountedServices: readonly MountedService[],
  origin: () => string,
): TenantBook => {
  const { seed = 1, faults = [], differences = [], data = {}, troubles = [] } = options;
  const { contracts, recorded, destinations = NO_DESTINATIONS } = options;
  return tenantBook(mountedServices, {
    contracts,
    services: servicesOf(options),
    standard: { seed, faults, differences, testData: options.plain === true },
    data,
    recorded,
    troubles,
    destinations,
    stateFile: options.stateFile,
    origin,
  });
};

const LOOPBACK = "127.0.0.1";

/** Returns the host for an address of the sandbox: a client cannot connect to "every address". */
const hostIn = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return LOOPBACK;
  return host.includes(":") ? `[${host}]` : host;
};

const mountedOf = async (name: Service, contracts: readonly Contract[]): Promise<MountedService> => {
  const service = await sandboxService(name);
  const contract = contracts.find((candidate) => candidate.service === name);
  if (contract === undefined)
    throw new Error(`The contract of "${name}" is missing. Load it and pass it on.`);
  return { service, contract, validators: validatorsOf(contract) };
};

/** Bytes. The largest documented body has a thousand transactions, about two million bytes. */
const BODY_LIMIT = 4_194_304;

/** No route has schemas of Fastify: the compilers for them take long to load. */
const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema },
};

const refuseSchema = (): never => {
  throw new Error("A route has a schema of Fastify: pass its compiler to the server.");
};

const createApp = (
  tenants: ReadonlyMap<string, Tenant>,
  tenantOf: WeakMap<IncomingMessage, Tenant>,
  tls?: object,
): FastifyInstance => {
  const app = fastify({
    // The types of Fastify have one function for HTTP and another for HTTPS.
    ...((tls === undefined ? {} : { https: tls }) as object),
    bodyLimit: BODY_LIMIT,
    schemaController: WITHOUT_SCHEMAS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // What it refuses before it finds a route, such as a path that is wrongly encoded.
    frameworkErrors: (error, request, reply) => reply.server.errorHandler(error, request, reply),
    // Node's own limit for a request line with headers, so that a long identifier is refused as unknown, like any other.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: (raw) => {
      const requested = raw.url ?? "/";
      const prefixed = requested.startsWith("/t/") ? PREFIXED.exec(requested) : null;
      const tenant = tenants.get(prefixed?.[1] ?? "");
      if (tenant === undefined) return "/unknown-tenant";
      tenantOf.set(raw, tenant);
      const path = prefixed?.[2] ?? requested;
      return tenant.paths.length === 0 || path.startsWith("/__") ? path : documentedPath(tenant.paths, path);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  return app;
};

const PREFIXED = /^\/t\/([^/?]+)(.*)$/s;
