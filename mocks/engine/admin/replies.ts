/** What all parts of the admin interface share: reading requests, finding tenants and refusing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DataError } from "../data/data-error.ts";
import { AdminError } from "../service.ts";
import type { Tenant } from "../tenant.ts";
import { type Fields, isObject } from "../values/fields.ts";
import { parsedJson } from "../values/parsed-json.ts";
import shapes from "./shapes.json" with { type: "json" };

/** What the request names does not exist. */
export class UnknownName extends Error {
  override readonly name = "UnknownName";
}

export interface Posting {
  readonly app: FastifyInstance;
  readonly tenants: ReadonlyMap<string, Tenant>;
}

/** Returns a function that registers a POST request for one tenant. `act` returns `undefined` for a wrong body. */
export const postsTo =
  ({ app, tenants }: Posting) =>
  (path: keyof typeof shapes, act: (tenant: Tenant, wanted: Fields) => unknown): void => {
    app.post(`/__sandbox/${path}`, async (request, reply) => {
      const wanted = readJson(request);
      if (!isObject(wanted) || !isOptionalText(wanted.tenant))
        return complain(reply, 400, `Send ${shapes[path]}.`);
      const tenant = tenants.get(wanted.tenant ?? "");
      if (tenant === undefined) return complain(reply, 404, `No tenant "${wanted.tenant}".`);
      try {
        const made = await act(tenant, wanted);
        return made === undefined
          ? complain(reply, 400, `Send ${shapes[path]}.`)
          : reply.code(201).send(made);
      } catch (error) {
        if (error instanceof AdminError) return complain(reply, 400, error.message);
        if (error instanceof DataError)
          return complain(reply, 400, `/${error.path.join("/")}: ${error.message}. Send ${shapes[path]}.`);
        if (error instanceof UnknownName) return complain(reply, 404, error.message);
        throw error;
      }
    });
  };

/**
 * Returns a function that registers a GET or DELETE request for the tenant in its query. `act` also gets the parameters of
 * the path, and returns `undefined` for what does not exist.
 */
export const readsOf =
  ({ app, tenants }: Posting) =>
  (method: "GET" | "DELETE", path: string, act: (tenant: Tenant, query: Fields) => unknown): void => {
    app.route({
      method,
      url: `/__sandbox/${path}`,
      handler: async (request, reply) => {
        const query = { ...(request.query as Fields), ...(request.params as Fields) };
        const { tenant: name = "" } = query;
        const tenant = tenants.get(String(name));
        if (tenant === undefined) return complain(reply, 404, `No tenant "${name}".`);
        const found = act(tenant, query);
        if (method === "DELETE") return reply.code(204).send();
        return found ?? complain(reply, 404, `"${request.url}" is not kept.`);
      },
    });
  };

/** Returns the last items, if the query says how many. */
export const lastIn = <Item>(items: readonly Item[], { last }: Fields): readonly Item[] =>
  last === undefined || !(Number(last) > 0) ? items : items.slice(-Math.floor(Number(last)));

export const complain = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ message });

/** @returns `undefined` when the body is not JSON, and an empty object when there is no body */
export const readJson = (request: FastifyRequest): unknown => {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return {};
  try {
    return parsedJson(request.body.toString("utf8"));
  } catch {
    return undefined;
  }
};

export const isOptionalTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string"));

export const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string";
