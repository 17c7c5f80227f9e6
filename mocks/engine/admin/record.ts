/** Records the requests of clients in the log of their tenant. Requests to the admin interface are not recorded. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { KeptRequest, NewRequest } from "../request-log.ts";
import type { Tenant } from "../tenant.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation of the route. */
    readonly service?: string;
    readonly operation?: string;
  }
  interface FastifyRequest {
    /** The entry of the request in the log of its tenant. */
    logged: KeptRequest | undefined;
  }
}

export const recordRequests = (
  app: FastifyInstance,
  tenantOf: (raw: IncomingMessage) => Tenant | undefined,
): void => {
  app.decorateRequest("logged", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const tenant = request.url.startsWith("/__") ? undefined : tenantOf(request.raw);
    if (tenant !== undefined) request.logged = tenant.requests.add(entryOf(tenant, request));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { logged } = request;
    if (logged !== undefined) {
      logged.status = reply.statusCode;
      logged.milliseconds = Math.round(reply.elapsedTime * 100) / 100;
    }
    done();
  });
};

export const markTroubled = ({ logged }: FastifyRequest): void => {
  if (logged !== undefined) logged.troubled = true;
};

const entryOf = ({ clock }: Tenant, { method, url, routeOptions }: FastifyRequest): NewRequest => {
  const { service, operation } = routeOptions.config;
  return { at: clock.now().getTime(), method, url, service, operation };
};
