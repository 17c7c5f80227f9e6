/** Registers a route for every operation of the contracts, and sends what they and the refusals answer. */
import type { IncomingMessage } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { answerTo, documented } from "./flow.ts";
import { registerPages } from "./pages.ts";
import type { Answer, Refusal } from "./service.ts";
import { mountOf, type Room, routeOf, type Stage, type Tenant } from "./tenant.ts";

export const registerRoutes = (
  app: FastifyInstance,
  stages: readonly Stage[],
  tenantOf: (raw: IncomingMessage) => Tenant,
): void => {
  const roomAt = (request: FastifyRequest): Room | undefined => {
    const stage = stages.find(({ contract }) => request.url.startsWith(mountOf(contract)));
    return stage === undefined ? undefined : tenantOf(request.raw).rooms.get(stage.contract.service);
  };
  for (const { contract, service } of stages) {
    const mount = mountOf(contract);
    for (const operation of contract.operations) {
      app.route({
        method: operation.method,
        url: routeOf(mount, operation.path),
        errorHandler: (error: FastifyError, request, reply) =>
          refuse(reply, roomAt(request), documented(operation, refusalOf(error)), operation),
        handler: async (request, reply) => {
          const room = tenantOf(request.raw).rooms.get(contract.service) as Room;
          const answer = room.bends.answer(await answerTo(room, operation, incoming(request)), operation);
          send(reply, await room.vary(answer, operation));
        },
      });
    }
    registerPages(app, service.pages ?? [], {
      mount,
      roomOf: (request) => tenantOf(request.raw).rooms.get(contract.service) as Room,
      send,
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const room = roomAt(request);
    const known = room !== undefined && isServed(room.stage.contract, request.url);
    return refuse(reply, room, known ? UNKNOWN_METHOD : UNKNOWN_PATH);
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(reply, roomAt(request), refusalOf(error)),
  );
};

const UNKNOWN_PATH: Refusal = {
  status: 404,
  cause: "unknown-path",
  message: "Nothing is served at this path.",
};
const UNKNOWN_METHOD: Refusal = {
  status: 405,
  cause: "unknown-method",
  message: "This path does not take this method.",
};

/** Whether the path is one of the contract's, so that only its method is unknown. */
const isServed = (contract: Contract, url: string): boolean => {
  const path = url.split("?")[0] ?? "";
  const mount = mountOf(contract);
  return contract.operations.some(({ path: template }) =>
    new RegExp(`^${patternOf(`${mount}${template}`)}$`).test(path),
  );
};

const patternOf = (template: string): string =>
  template
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^/]+");

const incoming = (request: FastifyRequest) => ({
  headers: request.headers,
  path: request.params as Record<string, string>,
  query: request.query as Record<string, unknown>,
  bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
});

const refusalOf = (error: FastifyError): Refusal => {
  const status = error.statusCode ?? 500;
  if (status === 413) return { status, cause: "too-large", message: "The body is too large." };
  if (status === 415) return { status, cause: "content-type", message: "The content type is malformed." };
  if (status < 500) return { status, cause: "malformed-request", message: "The request is malformed." };
  process.stderr.write(`The sandbox failed: ${error.stack}\n`);
  return { status: 500, cause: "internal", message: "The sandbox failed." };
};

const refuse = async (
  reply: FastifyReply,
  room: Room | undefined,
  refusal: Refusal,
  operation?: Operation,
): Promise<void> => {
  if (room === undefined) {
    send(reply, { status: refusal.status, json: { message: refusal.message } });
    return;
  }
  const { service, contract } = room.stage;
  const answer = room.bends.answer(service.refuse(refusal, operation && { contract, operation }), operation);
  send(reply, await room.vary(answer, operation));
};

/** Gives nothing back: to a handler that returned the reply, which is a promise of its end, it would cost a listener. */
const send = (reply: FastifyReply, { status, headers, json, written, raw }: Answer): void => {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (raw !== undefined) {
    if (raw.contentType !== undefined) reply.type(raw.contentType);
    reply.send(raw.content);
    return;
  }
  if (json === undefined && written === undefined) {
    reply.send();
    return;
  }
  if (headers?.["content-type"] === undefined) reply.type("application/json; charset=utf-8");
  reply.send(written ?? JSON.stringify(json));
};
