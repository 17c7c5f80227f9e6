/** Pages that a service serves to people beside the operations of its contract. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Answer, PageRoute, Visit } from "./service.ts";
import { type Room, routeOf } from "./tenant.ts";

interface Place {
  /** Path under which the service is mounted. */
  readonly mount: string;
  roomOf(request: FastifyRequest): Room;
  send(reply: FastifyReply, answer: Answer): void;
}

export const registerPages = (
  app: FastifyInstance,
  pages: readonly PageRoute[],
  { mount, roomOf, send }: Place,
): void => {
  for (const { name, method, path } of pages) {
    app.route({
      method,
      url: routeOf(mount, path),
      handler: async (request, reply) => {
        const { open, bends } = roomOf(request);
        const answer = await open.pages?.[name]?.(visitOf(request, bends.behaves));
        send(reply, answer ?? { status: 404 });
      },
    });
  }
};

const visitOf = (request: FastifyRequest, bent: (behaviour: string) => boolean): Visit => {
  const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "");
  return {
    path: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    form: Object.fromEntries(fields),
    all: (field) => fields.getAll(field),
    bent,
  };
};
