/** Lets pages in a browser call the sandbox (Fetch standard, CORS protocol). */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isOwnOrigin, outsider } from "./admin/outsiders.ts";
import { complain } from "./admin/replies.ts";

/** Seconds for which a browser may keep the answer to a preflight request. */
const KEPT = 600;

/**
 * Pages of other origins may call the services, but only this machine may use the admin interface.
 * @param adminHosts names under which others may use it too; `undefined` without an admin interface
 */
export const allowOrigins = (app: FastifyInstance, adminHosts: readonly string[] | undefined): void => {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    const isAdmin = adminHosts !== undefined && isForAdmin(request);
    const reason = isAdmin ? outsider(request.raw, adminHosts) : undefined;
    if (reason !== undefined) {
      complain(reply, 403, `${reason} ${ADVICE}`);
      return;
    }
    if (origin === undefined || (isAdmin && !isOwnOrigin(origin, adminHosts))) return done();
    reply.headers({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "*",
      vary: "origin",
    });
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) return done();
    reply
      .code(204)
      .headers({
        "access-control-allow-methods": method,
        "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "",
        "access-control-max-age": String(KEPT),
      })
      .send();
  });
};

/** The route counts, because a path can be written in several ways; a preflight request has no route. */
const isForAdmin = ({ url, routeOptions }: FastifyRequest): boolean =>
  url.startsWith("/__") || routeOptions.url?.startsWith("/__") === true;

const ADVICE =
  "Only this machine may use the admin interface; the option --admin-host of the sandbox allows another name.";
