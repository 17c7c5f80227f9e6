/** The requests that the client sends, the responses that it records, and the requests that it must not send. */
import http from "node:http";
import { expect, test } from "@playwright/test";
import { createAllowance } from "../../../helpers/exchange/allowance.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { ALLOW_ALL, client, closeAll, get, listen, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const kindOf = (exchange: Exchange) => exchange.failure?.kind;

test("an exchange records the request and the response", async () => {
  const origin = await web(async (request, response) => {
    const chunks = await request.toArray();
    response.setHeader("content-type", "text/plain");
    response.setHeader("X-Twice", ["one", "two"]);
    response.end(JSON.stringify({ raw: request.rawHeaders, body: Buffer.concat(chunks).toString() }));
  });
  const exchange = await client().send(
    get(`${origin}/a/../b?x=%2F`, { method: "POST", json: { name: "Zoë 😀" }, headers: { "X-One": "é" } }),
  );
  expect(exchange.id).toBe("t0-1");
  expect(exchange.request).toEqual({
    method: "POST",
    url: `${origin}/a/../b?x=%2F`,
    headers: {
      "user-agent": expect.stringMatching(/^assay\/\d+\.\d+\.\d+$/),
      "content-type": "application/json",
      "x-one": "é",
    },
    body: '{"name":"Zoë 😀"}',
  });
  expect(exchange.requestJson).toEqual({ name: "Zoë 😀" });
  expect(exchange.response?.headers["x-twice"]).toBe("one, two");
  expect(exchange.response?.json).toMatchObject({ body: '{"name":"Zoë 😀"}' });
  expect(exchange.response?.body.toString()).not.toContain("accept-encoding");
});

test("dot segments, unusual bodies and omitted headers are sent unchanged", async () => {
  const seen: unknown[] = [];
  const origin = await web(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    seen.push([request.url, request.headers["content-type"], body.toString("hex")]);
    response.end();
  });
  const sender = client();
  await sender.send(
    get(`${origin}/a/%2e%2e/../b#part`, { method: "POST", body: Buffer.from([0xff, 0, 0x7b]) }),
  );
  await sender.send(get(origin, { method: "POST", json: {}, headers: { "Content-Type": null } }));
  expect(seen).toEqual([
    ["/a/%2e%2e/../b", undefined, "ff007b"],
    ["/", undefined, "7b7d"],
  ]);
});

test("a header name can have any case, and the value null omits the header", async () => {
  const origin = await web((request, response) =>
    response.end(JSON.stringify(request.headers["x-key"] ?? null)),
  );
  const sender = client();
  const answers = [];
  for (const headers of [{}, { "x-KEY": "one" }, { "x-key": null }]) {
    answers.push((await sender.send(get(origin, { headers }))).response?.json);
  }
  expect(answers).toEqual([null, "one", null]);
});

test("JSON is recognized by its content", async () => {
  const bodies = [" {}", "\ufefftrue", "text", "<html>", "", "%PDF-1.7", '{"cut":'];
  const origin = await web((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(bodies[Number(request.url?.slice(1))]);
  });
  const sender = client();
  const parsed = [];
  for (const index of bodies.keys()) {
    parsed.push((await sender.send(get(`${origin}/${index}`))).response?.json);
  }
  expect(parsed).toEqual([{}, true, undefined, undefined, undefined, undefined, undefined]);
});

test("the first redirect of a loop is returned as the response", async () => {
  let requests = 0;
  const origin = await web((_, response) => {
    requests += 1;
    response.writeHead(302, { location: "/" }).end();
  });
  const exchange = await client().send(get(origin));
  expect([exchange.response?.status, requests]).toEqual([302, 1]);
});

test("connections are reused, up to the allowed number", async () => {
  let sockets = 0;
  const server = http.createServer((_, response) => response.end("{}"));
  server.on("connection", () => {
    sockets += 1;
  });
  const origin = await listen(server);
  const sender = client({ connections: 2 });
  await Promise.all(Array.from({ length: 50 }, () => sender.send(get(origin))));
  for (let count = 0; count < 20; count += 1) await sender.send(get(origin));
  expect(sockets).toBeLessThanOrEqual(2);
});

test("a request that is not permitted is not sent", async () => {
  let requests = 0;
  const origin = await web((_, response) => {
    requests += 1;
    response.end();
  });
  const seen: Exchange[] = [];
  const careful = client({
    permissions: { billableCalls: 2, destructive: false, locking: false },
    onExchange: (exchange) => seen.push(exchange),
  });
  for (const hazard of ["destructive", "locks-account"] as const) {
    const exchange = await careful.send(get(origin, { hazards: ["billable", hazard] }));
    expect(kindOf(exchange)).toBe("not-allowed");
  }
  expect([requests, seen.length]).toEqual([0, 2]);
  expect(seen.map((exchange) => exchange.failure?.message)).toEqual([
    expect.stringContaining("ALLOW_DESTRUCTIVE"),
    expect.stringContaining("ALLOW_LOCKING"),
  ]);
});

test("requests keep to the rate, even after a pause", async () => {
  const origin = await web((_, response) => response.end());
  let now = 0;
  const waits: number[] = [];
  const clock = { now: () => now, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  const permissions = { ...ALLOW_ALL, requestsPerSecond: 4 };
  const sender = client({ permissions, allowance: createAllowance(permissions, clock) });
  const sendThree = () => Promise.all([1, 2, 3].map(() => sender.send(get(origin))));
  await sendThree();
  now = 10_000;
  await sendThree();
  expect(waits).toEqual([250, 500, 250, 500]);
});
