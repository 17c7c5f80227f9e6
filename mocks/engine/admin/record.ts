/** Records the requests of clients in the log of their tenant. Requests to the admin interface are not recorded. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Tenant } from "../tenant.ts";
import type { LoggedRequest, NewRequest } from "./request-log.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation of the route. */
    readonly service?: string;
    readonly operation?: string;
  }
}

const logged = new WeakMap<IncomingMessage, LoggedRequest>();

export const recordRequests = (
  app: FastifyInstance,
  tenantOf: (raw: IncomingMessage) => Tenant | undefined,
): void => {
  app.addHook("onRequest", (request, _reply, done) => {
    const tenant = request.url.startsWith("/__") ? undefined : tenantOf(request.raw);
    if (tenant !== undefined) logged.set(request.raw, tenant.requests.add(entryOf(tenant, request)));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const entry = logged.get(request.raw);
    if (entry !== undefined) {
      entry.status = reply.statusCode;
      entry.milliseconds = Math.round(reply.elapsedTime * 100) / 100;
    }
    done();
  });
};

export const markTroubled = (raw: IncomingMessage): void => {
  const entry = logged.get(raw);
  if (entry !== undefined) entry.troubled = true;
};

const entryOf = ({ clock }: Tenant, { method, url, routeOptions }: FastifyRequest): NewRequest => {
  const { service, operation } = routeOptions.config;
  return { at: clock.now().toISOString(), method, url, service, operation };
};
