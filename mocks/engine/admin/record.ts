/** Records the requests of clients in the log of their tenant. Requests to the admin interface are not recorded. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { KeptRequest, Message, RequestLog } from "../request-log.ts";
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
    answered: Message | undefined;
  }
}

export const recordRequests = (
  app: FastifyInstance,
  tenantOf: (raw: IncomingMessage) => Tenant | undefined,
): void => {
  app.decorateRequest("logged", undefined);
  app.decorateRequest("answered", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const tenant = request.url.startsWith("/__") ? undefined : tenantOf(request.raw);
    if (tenant !== undefined) request.logged = tenant.requests.add(entryOf(tenant, request));
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.logged !== undefined) request.answered = messageOf(reply.getHeaders(), payload);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { logged, answered: answer } = request;
    if (logged !== undefined) {
      logged.status = reply.statusCode;
      logged.milliseconds = Math.round(reply.elapsedTime * 100) / 100;
      const sent = messageOf(request.headers, request.body);
      tenantOf(request.raw)?.requests.keep(logged.id, { sent, ...(answer && { answer }) });
    }
    done();
  });
};

export const markTroubled = ({ logged }: FastifyRequest): void => {
  if (logged !== undefined) logged.troubled = true;
};

/** Characters of a body that are kept. */
const KEPT = 32_768;

const messageOf = (headers: Message["headers"], body: unknown): Message => {
  const [text, length] = Buffer.isBuffer(body)
    ? [body.subarray(0, KEPT).toString("utf8"), body.length]
    : typeof body === "string"
      ? [body, body.length]
      : ["", 0];
  if (length <= KEPT) return { headers, body: text };
  // A copy: a part of a text would keep the whole text in memory.
  return { headers, body: `${Buffer.from(text.slice(0, KEPT))}… (${length} in all)` };
};

const entryOf = (
  { clock }: Tenant,
  { method, url, routeOptions }: FastifyRequest,
): Parameters<RequestLog["add"]>[0] => {
  const { service, operation } = routeOptions.config;
  return { at: clock.now().getTime(), method, url, service, operation };
};
