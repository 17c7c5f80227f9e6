/** The embedded sandbox: a stateful server on the loopback interface for the services of the given contracts. */
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { registerAdmin, type TenantWishes } from "./admin.ts";
import { type Destinations, NO_DESTINATIONS } from "./deliveries/destinations.ts";
import type { Difference } from "./differences/difference.ts";
import { differencesNamed, listDifferences } from "./differences/differences.ts";
import type { Fault } from "./faults/fault.ts";
import { faultsById, listFaults } from "./faults/faults.ts";
import type { Demand } from "./gateway/gateway.ts";
import { type GatewayEnvironment, sandboxGateway } from "./gateway/sandbox-gateway.ts";
import { registerRoutes } from "./routes.ts";
import { sandboxService } from "./services.ts";
import { addressesOf, documentedPath, type MountedService, openTenant, type Tenant } from "./tenant.ts";
import type { TestData } from "./test-data.ts";
import { validatorsOf } from "./validators.ts";

export interface SandboxOptions {
  readonly services: readonly Service[];
  /** 0 selects a free port. */
  readonly port: number;
  readonly seed: number;
  /** Ids of the faults in force in the default tenant. */
  readonly faults: readonly string[];
  /** Permitted differences in force in the default tenant: ids, names of sets, or `all`. */
  readonly differences?: readonly string[];
  /** One contract per service. */
  readonly contracts: readonly Contract[];
  /** Leaves out the admin interface, so that the sandbox looks like an external server. It has test data instead. */
  readonly plain?: boolean;
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
  close(): Promise<void>;
}

/**
 * @throws UnknownFaultError when a fault id is unknown, UnknownDifferenceError when a difference is
 * @throws Error when a service has no sandbox or no contract, or the port is taken
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const mountedServices = await Promise.all(
    options.services.map((service) => mountedOf(service, options.contracts)),
  );
  let listed: Promise<readonly Fault[]> | undefined;
  const chosen = async (ids: readonly string[]): Promise<Fault[]> => {
    if (ids.length === 0) return [];
    listed ??= listFaults(options.contracts);
    return faultsById(await listed, ids);
  };
  let listedDifferences: Promise<readonly Difference[]> | undefined;
  const differing = async (names: readonly string[]): Promise<Difference[]> => {
    if (names.length === 0) return [];
    listedDifferences ??= listDifferences(options.contracts);
    return differencesNamed(await listedDifferences, names);
  };
  const tenants = new Map<string, Tenant>();
  const tenantOf = new WeakMap<IncomingMessage, Tenant>();
  const { demands = [] } = options;
  const gateway = sandboxGateway(demands, options.contracts);
  const app = createApp(tenants, tenantOf, gateway?.https);
  const scheme = gateway?.https === undefined ? "http" : "https";
  const origin = (): string =>
    `${scheme}://127.0.0.1:${(app.server.address() as AddressInfo | null)?.port ?? 0}`;
  const { destinations = NO_DESTINATIONS } = options;
  const open = async (
    name: string,
    {
      seed = options.seed,
      faults = options.faults,
      differences = options.differences ?? [],
      testData = options.plain === true,
    }: TenantWishes,
  ): Promise<Tenant> => {
    const tenant = await openTenant(mountedServices, {
      name,
      seed,
      faults: await chosen(faults),
      differences: await differing(differences),
      destinations,
      hasTestData: testData,
      origin,
    });
    tenants.set(name, tenant);
    return tenant;
  };
  const opening = open("", {});
  gateway?.guard(app, origin);
  registerRoutes(app, mountedServices, (raw) => tenantOf.get(raw) ?? (tenants.get("") as Tenant));
  if (options.plain !== true && gateway === undefined) {
    registerAdmin(app, { mountedServices, tenants, open, origin });
  }
  app.addHook("onClose", async () => {
    for (const { clock } of tenants.values()) clock.stop();
    gateway?.close();
  });
  // The keys of a tenant take time to generate, off the main thread. Meanwhile the routes are registered.
  const [standard] = await Promise.all([opening, app.ready()]);
  await app.listen({ host: "127.0.0.1", port: options.port });
  const { port } = app.server.address() as AddressInfo;
  const { testData } = standard;
  const { baseUrls, environment } = addressesOf(standard, origin());
  const seen: GatewayEnvironment = gateway?.before(environment) ?? { environment };
  return { port, baseUrls, ...seen, testData, close: () => app.close() };
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

const createApp = (
  tenants: ReadonlyMap<string, Tenant>,
  tenantOf: WeakMap<IncomingMessage, Tenant>,
  https?: object,
): FastifyInstance => {
  const app = fastify({
    ...(https && { https }),
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // Node's own limit for a request line with headers, so that a long identifier is refused as unknown, like any other.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: (raw) => {
      const requested = raw.url ?? "/";
      const [, name, below] = requested.startsWith("/t/") ? (PREFIXED.exec(requested) ?? []) : [];
      const tenant = tenants.get(name ?? "");
      if (tenant === undefined) return "/unknown-tenant";
      tenantOf.set(raw, tenant);
      const path = below ?? requested;
      return tenant.paths.length === 0 || path.startsWith("/__") ? path : documentedPath(tenant.paths, path);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  return app;
};

const PREFIXED = /^\/t\/([^/?]+)(.*)$/s;
