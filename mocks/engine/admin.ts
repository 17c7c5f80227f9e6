/** The admin interface: tenants, time, deliveries, and situations that no client can cause by itself. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import shapes from "./admin-shapes.json" with { type: "json" };
import { isLoopback, resolutionOf } from "./deliveries/destinations.ts";
import { UnknownDifferenceError } from "./differences/differences.ts";
import { UnknownFaultError } from "./faults/faults.ts";
import { AdminError, type OpenService } from "./service.ts";
import { addressesOf, type MountedService, type Tenant } from "./tenant.ts";
import { idsIn } from "./test-data.ts";
import { type Fields, isObject } from "./values/fields.ts";

export interface Administered {
  readonly mountedServices: readonly MountedService[];
  readonly tenants: Map<string, Tenant>;
  /** @throws UnknownFaultError, UnknownDifferenceError */
  open(name: string, wishes: TenantWishes): Promise<Tenant>;
  /** Scheme, host and port of the sandbox. */
  origin(): string;
}

/** The options of a tenant. An absent option has the value of the default tenant. */
export interface TenantWishes {
  readonly seed?: number;
  readonly faults?: readonly string[];
  /** Ids of permitted differences, names of sets of them, or `all`. */
  readonly differences?: readonly string[];
  /** Whether the tenant has the test data of a sandbox without an admin interface. */
  readonly testData?: boolean;
}

/**
 * `new-implementation`: the server was written from the documents, and must meet their requirements for new servers.
 */
const CAPABILITIES = ["situations", "new-implementation", "clock", "deliveries"];

export const registerAdmin = (app: FastifyInstance, administered: Administered): void => {
  const { tenants, mountedServices } = administered;
  app.get("/__sandbox", async () => ({
    capabilities: [...CAPABILITIES, ...mountedServices.flatMap(({ service }) => service.capabilities ?? [])],
    situations: situationsOf(tenants.get("")),
  }));
  administerTenants(app, administered);
  const post = (path: keyof typeof shapes, act: (tenant: Tenant, wanted: Fields) => unknown): void => {
    const shape = shapes[path];
    app.post(`/__sandbox/${path}`, async (request, reply) => {
      const wanted = readJson(request);
      if (!isObject(wanted) || !isOptionalText(wanted.tenant)) return complain(reply, 400, `Send ${shape}.`);
      const tenant = tenants.get(wanted.tenant ?? "");
      if (tenant === undefined) return complain(reply, 404, `No tenant "${wanted.tenant}".`);
      try {
        const made = await act(tenant, wanted);
        return made === undefined ? complain(reply, 400, `Send ${shape}.`) : reply.code(201).send(made);
      } catch (error) {
        if (error instanceof AdminError) return complain(reply, 400, error.message);
        if (error instanceof UnknownSituation) return complain(reply, 404, error.message);
        throw error;
      }
    });
  };
  post("situations", arrange);
  post("link", link);
  post("clock", moveClock);
  post("resolutions", resolveTo);
  post("settlement", settle);
  app.get("/__sandbox/mails", async (request, reply) => {
    const { tenant: name = "" } = request.query as { tenant?: string };
    const tenant = tenants.get(name);
    if (tenant === undefined) return complain(reply, 404, `No tenant "${name}".`);
    return tenant.deliveries.log.filter(({ kind }) => kind === "e-mail").map(({ body }) => body);
  });
  app.get("/__sandbox/deliveries", async (request, reply) => {
    const { tenant: name = "" } = request.query as { tenant?: string };
    const tenant = tenants.get(name);
    if (tenant === undefined) return complain(reply, 404, `No tenant "${name}".`);
    return { deliveries: tenant.deliveries.log };
  });
};

const administerTenants = (app: FastifyInstance, { tenants, open, origin }: Administered): void => {
  let opened = 0;
  app.post("/__sandbox/tenants", async (request, reply) => {
    const wanted = readJson(request);
    if (!isTenantRequest(wanted)) return complain(reply, 400, `Send ${shapes.tenants}.`);
    opened += 1;
    try {
      const tenant = await open(`t${opened}`, wanted);
      return reply.code(201).send({ tenant: tenant.name, ...addressesOf(tenant, origin()) });
    } catch (error) {
      if (error instanceof UnknownFaultError || error instanceof UnknownDifferenceError)
        return complain(reply, 400, error.message);
      throw error;
    }
  });
  app.get<{ Params: { tenant: string } }>("/__sandbox/tenants/:tenant", async (request, reply) => {
    const tenant = tenants.get(request.params.tenant);
    if (tenant === undefined) return complain(reply, 404, `No tenant "${request.params.tenant}".`);
    const instances = [...tenant.instances.values()];
    return { changes: instances.reduce((sum, { effects }) => sum + effects.changes(), 0) };
  });
  app.delete<{ Params: { tenant: string } }>("/__sandbox/tenants/:tenant", async (request, reply) => {
    const { tenant } = request.params;
    tenants.get(tenant)?.clock.stop();
    return tenants.delete(tenant) ? reply.code(204).send() : complain(reply, 404, `No tenant "${tenant}".`);
  });
};

class UnknownSituation extends Error {
  override readonly name = "UnknownSituation";
}

const arrange = async (tenant: Tenant, { situation, parameters = {} }: Fields): Promise<unknown> => {
  if (typeof situation !== "string" || !isObject(parameters)) return undefined;
  const [service = "", arranging] =
    [...tenant.instances]
      .map(([name, { open }]) => [name, open.situations[situation]] as const)
      .find(([, found]) => found !== undefined) ?? [];
  if (arranging === undefined) {
    const offered = situationsOf(tenant).join(", ");
    throw new UnknownSituation(`No situation "${situation}". There are: ${offered}.`);
  }
  const environment = await arranging(parameters);
  return { environment, ids: idsIn(service, environment) };
};

const link = (tenant: Tenant, wanted: Fields): unknown => {
  const linker = servicesOf(tenant).find((service) => service.link !== undefined);
  if (linker === undefined)
    throw new AdminError("No service that runs here links accounts. Start the sandbox with one that does.");
  return wanted.customerId === undefined ? undefined : linker.link?.(wanted);
};

const moveClock = async ({ clock }: Tenant, { advance, set }: Fields): Promise<unknown> => {
  const target =
    typeof advance === "number" && Number.isFinite(advance) && advance >= 0
      ? new Date(clock.now().getTime() + advance * 1000)
      : typeof set === "string"
        ? new Date(set)
        : undefined;
  if (target === undefined || Number.isNaN(target.getTime())) return undefined;
  await clock.moveTo(target);
  return { now: clock.now().toISOString() };
};

const resolveTo = ({ deliveries }: Tenant, { resolve }: Fields): unknown => {
  const resolution = typeof resolve === "string" ? resolutionOf(resolve) : undefined;
  if (resolution === undefined || !isLoopback(resolution.address)) return undefined;
  deliveries.resolve(resolution);
  return resolution;
};

/** Sends everything that is due and waits until it is sent. */
const settle = async ({ clock, deliveries }: Tenant): Promise<unknown> => {
  await clock.moveTo(clock.now());
  await deliveries.settled();
  return { deliveries: deliveries.log.length };
};

const servicesOf = (tenant: Tenant | undefined): OpenService[] =>
  [...(tenant?.instances.values() ?? [])].map(({ open }) => open);

const situationsOf = (tenant: Tenant | undefined): string[] =>
  servicesOf(tenant).flatMap(({ situations }) => Object.keys(situations));

const complain = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ message });

/** @returns `undefined` when the body is not JSON, and an empty object when there is no body */
const readJson = (request: FastifyRequest): unknown => {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return {};
  try {
    return JSON.parse(request.body.toString("utf8"));
  } catch {
    return undefined;
  }
};

const isTenantRequest = (value: unknown): value is TenantWishes =>
  isObject(value) &&
  (value.seed === undefined || Number.isSafeInteger(value.seed)) &&
  isOptionalTexts(value.faults) &&
  isOptionalTexts(value.differences) &&
  (value.testData === undefined || typeof value.testData === "boolean");

const isOptionalTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string"));

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string";
