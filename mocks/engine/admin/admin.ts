/** The admin interface: tenants, time, deliveries, and situations that no client can cause by itself. */
import type { FastifyInstance } from "fastify";
import { isLoopback, resolutionOf } from "../deliveries/destinations.ts";
import { UnknownDeviationError } from "../deviations/named.ts";
import { AdminError, type OpenService } from "../service.ts";
import { addressesOf, type Tenant } from "../tenant.ts";
import type { TenantWishes } from "../tenants.ts";
import { idsIn } from "../test-data.ts";
import { type Fields, isObject } from "../values/fields.ts";
import type { Administered } from "./administered.ts";
import { informAdmin } from "./information.ts";
import { complain, isOptionalTexts, lastIn, postsTo, readJson, readsOf, UnknownName } from "./replies.ts";
import shapes from "./shapes.json" with { type: "json" };
import { administerState } from "./state-admin.ts";

/**
 * `new-implementation`: the server was written from the documents, and must meet their requirements for new servers.
 */
const NEW = "new-implementation";

const CAPABILITIES = ["situations", NEW, "clock", "deliveries"];

export const registerAdmin = (app: FastifyInstance, administered: Administered): void => {
  const { mountedServices } = administered;
  const tenants = administered.tenants.all;
  app.get("/__sandbox", async () => ({
    capabilities: [
      // A sandbox with permitted differences uses other assumed names and shapes, as an external server may.
      ...CAPABILITIES.filter((name) => name !== NEW || tenants.get("")?.isDifferent !== true),
      ...mountedServices.flatMap(({ service }) => service.capabilities ?? []),
    ],
    situations: situationsOf(tenants.get("")),
  }));
  administerTenants(app, administered);
  const post = postsTo({ app, tenants });
  post("situations", arrange);
  post("link", link);
  post("clock", moveClock);
  post("resolutions", resolveTo);
  post("settlement", settle);
  post("events", sendEvent);
  const read = readsOf({ app, tenants });
  read("GET", "mails", ({ deliveries }) =>
    deliveries.log.filter(({ kind }) => kind === "e-mail").map(({ body }) => body),
  );
  read("GET", "deliveries", ({ deliveries }, query) => ({ deliveries: lastIn(deliveries.log, query) }));
  read("GET", "clock", ({ clock }) => ({ now: clock.now().toISOString() }));
  read("GET", "events", (tenant) => ({ events: eventsOf(tenant) }));
  administerState(app, administered);
  informAdmin(app, administered);
};

const administerTenants = (app: FastifyInstance, { tenants, origin }: Administered): void => {
  app.post("/__sandbox/tenants", async (request, reply) => {
    const wanted = readJson(request);
    if (!isTenantRequest(wanted)) return complain(reply, 400, `Send ${shapes.tenants}.`);
    try {
      const tenant = await tenants.open(freeName(tenants.all), wanted);
      return reply.code(201).send({ tenant: tenant.name, ...addressesOf(tenant, origin()) });
    } catch (error) {
      if (error instanceof UnknownDeviationError) return complain(reply, 400, error.message);
      throw error;
    }
  });
  app.get("/__sandbox/tenants", async () => ({ tenants: [...tenants.all.keys()] }));
  app.get<{ Params: { tenant: string } }>("/__sandbox/tenants/:tenant", async (request, reply) => {
    const tenant = tenants.all.get(request.params.tenant);
    if (tenant === undefined) return complain(reply, 404, `No tenant "${request.params.tenant}".`);
    const instances = [...tenant.instances.values()];
    return { changes: instances.reduce((sum, { effects }) => sum + effects.changes(), 0) };
  });
  app.delete<{ Params: { tenant: string } }>("/__sandbox/tenants/:tenant", async (request, reply) => {
    const { tenant } = request.params;
    return tenants.close(tenant) ? reply.code(204).send() : complain(reply, 404, `No tenant "${tenant}".`);
  });
};

let opened = 0;

/** A name that no tenant has or had. Tenants of a state file keep their names. */
const freeName = (tenants: ReadonlyMap<string, Tenant>): string => {
  opened += 1;
  return tenants.has(`t${opened}`) ? freeName(tenants) : `t${opened}`;
};

const arrange = async (tenant: Tenant, { situation, parameters = {} }: Fields): Promise<unknown> =>
  typeof situation === "string" && isObject(parameters) ? arranged(tenant, situation, parameters) : undefined;

/**
 * Causes a situation. @returns the identifiers with which it applies: also by the names of the settings
 * @throws UnknownName when the services do not offer the situation
 */
export const arranged = async (tenant: Tenant, situation: string, parameters: Fields) => {
  const [service = "", arranging] =
    [...tenant.instances]
      .map(([name, { open }]) => [name, open.situations[situation]] as const)
      .find(([, found]) => found !== undefined) ?? [];
  if (arranging === undefined) {
    const offered = situationsOf(tenant).join(", ");
    throw new UnknownName(`No situation "${situation}". There are: ${offered}.`);
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

const eventsOf = (tenant: Tenant): string[] =>
  servicesOf(tenant).flatMap(({ events }) => events?.names ?? []);

/** Sends an event to everybody who subscribed to it. */
const sendEvent = (tenant: Tenant, { event }: Fields): unknown => {
  if (typeof event !== "string") return undefined;
  const sender = servicesOf(tenant).find(({ events }) => events?.names.includes(event));
  if (sender === undefined)
    throw new UnknownName(`No event "${event}". There are: ${eventsOf(tenant).join(", ") || "none"}.`);
  return { sent: sender.events?.send(event) };
};

const servicesOf = (tenant: Tenant | undefined): OpenService[] =>
  [...(tenant?.instances.values() ?? [])].map(({ open }) => open);

const situationsOf = (tenant: Tenant | undefined): string[] =>
  servicesOf(tenant).flatMap(({ situations }) => Object.keys(situations));

const isTenantRequest = (value: unknown): value is TenantWishes =>
  isObject(value) &&
  (value.seed === undefined || Number.isSafeInteger(value.seed)) &&
  isOptionalTexts(value.faults) &&
  isOptionalTexts(value.differences) &&
  (value.testData === undefined || typeof value.testData === "boolean");
