/** The admin interface: tenants, and situations that no client can provoke by itself. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { UnknownFaultError } from "./faults.ts";
import { addressesOf, type Tenant } from "./tenant.ts";

export interface Administered {
  readonly tenants: Map<string, Tenant>;
  /** @throws UnknownFaultError */
  open(name: string, seed: number, faults: readonly string[]): Promise<Tenant>;
  readonly seed: number;
}

/** `new-implementation`: the server is written from the documents, so it owes what they ask of a new one. */
const CAPABILITIES = ["situations", "new-implementation"];

export const registerAdmin = (app: FastifyInstance, { tenants, open, seed }: Administered): void => {
  let opened = 0;
  app.get("/__sandbox", async () => ({
    capabilities: CAPABILITIES,
    situations: situationsOf(tenants.get("")),
  }));
  app.post("/__sandbox/tenants", async (request, reply) => {
    const wanted = readJson(request);
    if (!isTenantRequest(wanted)) return complain(reply, 400, `Send ${TENANT_SHAPE}.`);
    opened += 1;
    try {
      const tenant = await open(`t${opened}`, wanted.seed ?? seed, wanted.faults ?? []);
      return reply.code(201).send({ tenant: tenant.name, ...addressesOf(tenant, originOf(app)) });
    } catch (error) {
      if (error instanceof UnknownFaultError) return complain(reply, 400, error.message);
      throw error;
    }
  });
  app.delete<{ Params: { tenant: string } }>("/__sandbox/tenants/:tenant", async (request, reply) => {
    const { tenant } = request.params;
    return tenants.delete(tenant) ? reply.code(204).send() : complain(reply, 404, `No tenant "${tenant}".`);
  });
  app.post("/__sandbox/situations", async (request, reply) => {
    const wanted = readJson(request);
    if (!isSituationRequest(wanted)) return complain(reply, 400, `Send ${SITUATION_SHAPE}.`);
    const tenant = tenants.get(wanted.tenant ?? "");
    if (tenant === undefined) return complain(reply, 404, `No tenant "${wanted.tenant}".`);
    const arrange = [...tenant.rooms.values()]
      .map(({ open: service }) => service.situations[wanted.situation])
      .find((situation) => situation !== undefined);
    if (arrange === undefined) {
      const offered = situationsOf(tenant).join(", ");
      return complain(reply, 404, `No situation "${wanted.situation}". There are: ${offered}.`);
    }
    return reply.code(201).send({ environment: arrange(wanted.parameters ?? {}) });
  });
};

const TENANT_SHAPE = '{"seed": integer, "faults": [fault ids]}, both optional';
const SITUATION_SHAPE = '{"situation": name, "tenant": name, "parameters": {…}}, the last two optional';

const situationsOf = (tenant: Tenant | undefined): string[] =>
  [...(tenant?.rooms.values() ?? [])].flatMap(({ open }) => Object.keys(open.situations));

const originOf = (app: FastifyInstance): string =>
  `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

const complain = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ message });

/** @returns `undefined` for what is no JSON, and an empty object for no body */
const readJson = (request: FastifyRequest): unknown => {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return {};
  try {
    return JSON.parse(request.body.toString("utf8"));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTenantRequest = (value: unknown): value is { seed?: number; faults?: string[] } =>
  isObject(value) &&
  (value.seed === undefined || Number.isSafeInteger(value.seed)) &&
  (value.faults === undefined ||
    (Array.isArray(value.faults) && value.faults.every((fault) => typeof fault === "string")));

const isSituationRequest = (
  value: unknown,
): value is { situation: string; tenant?: string; parameters?: Record<string, unknown> } =>
  isObject(value) &&
  typeof value.situation === "string" &&
  (value.tenant === undefined || typeof value.tenant === "string") &&
  (value.parameters === undefined || isObject(value.parameters));
