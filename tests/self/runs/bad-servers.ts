/** Servers that misbehave on every request, each in its own way. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { listen, raw, web } from "../support/loopback.ts";

/** Starts a server and returns its origin. */
export type BadServer = () => Promise<string>;

/** Creates a server that reads the whole request before it answers. */
const answering =
  (answer: (response: http.ServerResponse, request: http.IncomingMessage) => void): BadServer =>
  () =>
    web((request, response) => {
      request.resume().once("end", () => answer(response, request));
    });

const json = (status: number, body: unknown): BadServer =>
  answering((response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });

/** Returns an address at which no server listens. */
export const deadPort: BadServer = async () => {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
};

export const garbage: BadServer = () => raw("\u0000\u0001 220 mail.example.com ready\r\n");

export const htmlPage: BadServer = answering((response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>");
});

export const redirectLoop: BadServer = answering((response, request) => {
  response.writeHead(302, { location: request.url }).end();
});

export const emptyObjects: BadServer = json(200, {});

/** Creates a server that refuses every request with a documented error body. */
const refusal = (httpStatus: number, code: number, status: string): BadServer =>
  json(httpStatus, { code, status, message: "Refused.", details: [] });

export const refusesAll401: BadServer = refusal(401, 16, "UNAUTHENTICATED");
export const fails500: BadServer = refusal(500, 13, "INTERNAL");

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

/** Starts a proxy that leads the first connection, which examines the target, to a correct server, and others to `bad`. */
export const afterExamination = async (origin: string, bad: BadServer): Promise<string> => {
  const [first, then] = [origin, await bad()].map((address) => Number(new URL(address).port));
  let connections = 0;
  return listen(
    net.createServer((socket) => {
      connections += 1;
      const onwards = net.connect(connections === 1 ? (first ?? 0) : (then ?? 0), "127.0.0.1");
      socket.on("error", () => onwards.destroy()).once("close", () => onwards.destroy());
      onwards.on("error", () => socket.destroy());
      socket.pipe(onwards).pipe(socket);
    }),
  );
};
