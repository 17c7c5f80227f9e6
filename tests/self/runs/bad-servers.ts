/** Servers that misbehave on every request, each in its own way. */
import http from "node:http";
import { freePort } from "../support/command.ts";
import { api, listen, raw, web } from "../support/loopback.ts";

/** Starts a server and returns its origin. */
export type BadServer = () => Promise<string>;

/** Returns an address at which no server listens. */
export const deadPort: BadServer = async () => `http://127.0.0.1:${await freePort()}`;

export const garbage: BadServer = () => raw("\u0000\u0001 220 mail.example.com ready\r\n");

export const htmlPage: BadServer = () =>
  web((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    request.resume().once("end", () => response.end("<!doctype html><title>Welcome</title>"));
  });

export const redirectLoop: BadServer = () =>
  api(({ path }) => ({ status: 302, headers: { location: path } }));

export const emptyObjects: BadServer = () => api(() => ({ status: 200, json: {} }));

/** Creates a server that refuses every request with a documented error body. */
const refusal =
  (httpStatus: number, code: number, status: string): BadServer =>
  () =>
    api(() => ({ status: httpStatus, json: { code, status, message: "Refused.", details: [] } }));

export const refusesAll401 = refusal(401, 16, "UNAUTHENTICATED");
export const fails500 = refusal(500, 13, "INTERNAL");

/** Starts a proxy for a correct server; it stops for good after some requests. */
export const goesAway = async (origin: string, after: number): Promise<string> => {
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests += 1;
    if (requests > after) {
      server.close();
      server.closeAllConnections();
      return;
    }
    const { method, headers, url } = request;
    const onwards = http.request(`${origin}${url}`, { ...(method && { method }), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onwards);
  });
  return listen(server);
};
