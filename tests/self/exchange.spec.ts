/** The client against servers that behave and servers that do not. */
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { expect, test } from "@playwright/test";
import { type ClientOptions, type ClientRequest, createClient } from "../../helpers/exchange/client.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";

const ALLOW_ALL = { billableCalls: Number.POSITIVE_INFINITY, destructive: true, locking: true };

const closers: (() => Promise<unknown> | unknown)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: net.Server): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

const web = (listener: http.RequestListener) => listen(http.createServer(listener));

/** A server that answers whatever it is asked with these bytes and, unless told to stay, hangs up. */
const raw = (bytes: string, stay = false) =>
  listen(
    net.createServer((socket) => {
      socket.once("data", () => (stay ? socket.write(bytes) : socket.end(bytes)));
    }),
  );

function client(options: Partial<ClientOptions> = {}) {
  const created = createClient({ prefix: "t0", permissions: ALLOW_ALL, ...options });
  closers.unshift(() => created.close());
  return created;
}

const get = (url: string, more: Partial<ClientRequest> = {}): ClientRequest => ({
  service: "example",
  operationId: "GetThing",
  method: "GET",
  url,
  ...more,
});

const kindOf = (exchange: Exchange) => exchange.failure?.kind;

test("an exchange tells what was sent and what came back", async () => {
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
    headers: { "content-type": "application/json", "x-one": "é" },
    body: '{"name":"Zoë 😀"}',
  });
  expect(exchange.requestJson).toEqual({ name: "Zoë 😀" });
  expect(exchange.response?.headers["x-twice"]).toBe("one, two");
  expect(exchange.response?.json).toMatchObject({ body: '{"name":"Zoë 😀"}' });
  expect(exchange.response?.body.toString()).not.toContain("accept-encoding");
});

test("dot segments, odd bodies and left-out headers are sent as they are", async () => {
  const seen: unknown[] = [];
  const origin = await web(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    seen.push([request.url, request.headers["content-type"], body.toString("hex")]);
    response.end();
  });
  const sender = client({ authenticate: () => ({ "X-Key": "k" }) });
  await sender.send(
    get(`${origin}/a/%2e%2e/../b#part`, { method: "POST", body: Buffer.from([0xff, 0, 0x7b]) }),
  );
  await sender.send(get(origin, { method: "POST", json: {}, headers: { "Content-Type": null } }));
  expect(seen).toEqual([
    ["/a/%2e%2e/../b", undefined, "ff007b"],
    ["/", undefined, "7b7d"],
  ]);
});

test("authentication is added, replaced or left out", async () => {
  const origin = await web((request, response) =>
    response.end(JSON.stringify(request.headers["x-key"] ?? null)),
  );
  const sender = client({ authenticate: async () => ({ "X-Key": "right" }) });
  const answers = [];
  for (const headers of [{}, { "x-KEY": "wrong" }, { "x-key": null }]) {
    answers.push((await sender.send(get(origin, { headers }))).response?.json);
  }
  expect(answers).toEqual(["right", "wrong", null]);
});

test("JSON is known by its content", async () => {
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

test("a redirect loop is answered with its first redirect", async () => {
  let requests = 0;
  const origin = await web((_, response) => {
    requests += 1;
    response.writeHead(302, { location: "/" }).end();
  });
  const exchange = await client().send(get(origin));
  expect([exchange.response?.status, requests]).toEqual([302, 1]);
});

test("connections are kept alive, and no more are opened than allowed", async () => {
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

test("a 100 MB body is not read to its end and its connection is dropped", async () => {
  let sent = 0;
  let closed: Promise<unknown> | undefined;
  const origin = await web((_, response) => {
    closed = once(response, "close");
    const chunk = Buffer.alloc(1_000_000, " ");
    const write = (): void => {
      if (response.destroyed || sent === 100) return void response.end();
      sent += 1;
      response.write(chunk, write);
    };
    write();
  });
  const exchange = await client().send(get(origin));
  expect(kindOf(exchange)).toBe("body-too-large");
  await closed;
  expect(sent).toBeLessThan(100);
});

test("a server that hangs before or within its response runs into the time limit", async () => {
  const silent = await raw("", true);
  const stuck = await raw("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", true);
  const sender = client({ timeLimitMs: 50 });
  const before = await sender.send(get(silent));
  const within = await sender.send(get(stuck));
  expect([kindOf(before), kindOf(within)]).toEqual(["timeout", "timeout"]);
  expect(within.failure?.message).toContain("status 200");
});

test("a server that sends a byte now and then runs into the time limit", async () => {
  const origin = await web((_, response) => {
    const timer = setInterval(() => response.write("."), 5);
    response.on("close", () => clearInterval(timer));
  });
  expect(kindOf(await client({ timeLimitMs: 60 }).send(get(origin)))).toBe("timeout");
});

const FAILING: readonly [what: string, bytes: string, kind: string][] = [
  ["garbage", "What do you want?\r\n\r\n", "malformed-response"],
  ["a status line that is none", "HTTP/1.1 abc OK\r\n\r\n", "malformed-response"],
  ["headers without end", `HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`, "malformed-response"],
  [
    "an upgrade nobody asked for",
    "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    "malformed-response",
  ],
  ["nothing", "", "connection-lost"],
  ["half of its headers", "HTTP/1.1 200 OK\r\ncontent-le", "connection-lost"],
  ["half of its body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", "connection-lost"],
  [
    "half of its chunks",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "connection-lost",
  ],
];
for (const [what, bytes, kind] of FAILING) {
  test(`a server that answers ${what}: ${kind}`, async () => {
    const origin = await raw(bytes);
    const exchange = await client().send(get(origin));
    expect(exchange.response).toBeUndefined();
    expect(kindOf(exchange)).toBe(kind);
    expect(exchange.failure?.message).toContain(origin);
  });
}

test("a dead port and an unknown host: connection-refused", async () => {
  const server = net.createServer();
  const origin = await listen(server);
  server.close();
  await once(server, "close");
  const sender = client();
  for (const url of [origin, origin.replace("127.0.0.1", "localhost"), "http://nowhere.invalid"]) {
    const exchange = await sender.send(get(url));
    expect(kindOf(exchange), exchange.failure?.message).toBe("connection-refused");
    expect(exchange.failure?.message).toContain("base URL");
  }
});

test("TLS towards a plain server: connection-refused", async () => {
  const origin = await web((_, response) => response.end());
  const exchange = await client().send(get(origin.replace("http:", "https:")));
  expect(kindOf(exchange), exchange.failure?.message).toBe("connection-refused");
});

test("a request that is no HTTP is the caller's mistake", async () => {
  const sender = client();
  await expect(sender.send(get("/relative"))).rejects.toThrow("GetThing: GET /relative cannot be sent");
  await expect(sender.send(get("http://127.0.0.1:9", { headers: { x: "a\r\nb" } }))).rejects.toThrow(
    "invalid x",
  );
});

test("what is not allowed is not sent", async () => {
  let requests = 0;
  const origin = await web((_, response) => {
    requests += 1;
    response.end();
  });
  const seen: Exchange[] = [];
  const careful = client({
    permissions: { billableCalls: 2, destructive: false, locking: false },
    authenticate: () => Promise.reject(new Error("a call that is refused needs no token")),
    onExchange: (exchange) => seen.push(exchange),
  });
  for (const hazard of ["destructive", "locks-account"] as const) {
    const exchange = await careful.send(get(origin, { hazards: ["billable", hazard] }));
    expect(kindOf(exchange)).toBe("not-allowed");
  }
  expect([careful.billableCalls, requests, seen.length]).toEqual([0, 0, 2]);
  expect(seen.map((exchange) => exchange.failure?.message)).toEqual([
    expect.stringContaining("ALLOW_DESTRUCTIVE"),
    expect.stringContaining("ALLOW_LOCKING"),
  ]);
});

test("billable calls are counted, and end with the budget", async () => {
  const origin = await web((_, response) => response.end());
  const sender = client({ permissions: { billableCalls: 2, destructive: false, locking: false } });
  const exchanges = await Promise.all(
    Array.from({ length: 4 }, () => sender.send(get(origin, { hazards: ["billable"] }))),
  );
  expect(exchanges.map(kindOf)).toEqual([undefined, undefined, "not-allowed", "not-allowed"]);
  expect(kindOf(await sender.send(get(origin)))).toBeUndefined();
  expect(sender.billableCalls).toBe(2);
});

test("requests are spaced by the rate, after a pause as well", async () => {
  const origin = await web((_, response) => response.end());
  let now = 0;
  const waits: number[] = [];
  const clock = { now: () => now, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  const sender = client({ clock, permissions: { ...ALLOW_ALL, requestsPerSecond: 4 } });
  const sendThree = () => Promise.all([1, 2, 3].map(() => sender.send(get(origin))));
  await sendThree();
  now = 10_000;
  await sendThree();
  expect(waits).toEqual([250, 500, 250, 500]);
});

test("closing ends what is under way", async () => {
  const origin = await raw("", true);
  const sender = client();
  const pending = sender.send(get(origin));
  await sender.close();
  expect(kindOf(await pending)).toBe("connection-lost");
  expect(kindOf(await sender.send(get(origin)))).toBe("connection-lost");
});
