/** Lets pages in a browser call the sandbox (Fetch standard, CORS protocol). */
import type { FastifyInstance } from "fastify";

/** Seconds for which a browser may keep the answer to a preflight request. */
const KEPT = 600;

/** Pages of other origins may call the services, but only pages of this machine may call the admin interface. */
export const allowOrigins = (app: FastifyInstance): void => {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || (request.url.startsWith("/__") && !isLocal(origin))) return done();
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

const isLocal = (origin: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
};
