/** The client against servers that misbehave: the exchange records each failure by its kind. */
import { once } from "node:events";
import net from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { client, closeAll, get, listen, raw, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const kindOf = (exchange: Exchange) => exchange.failure?.kind;

test("a 100 MB body is not read to the end, and the connection is closed", async () => {
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

test("a server that hangs before or within its response causes a timeout", async () => {
  const silent = await raw("", true);
  const stuck = await raw("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", true);
  const before = await client({ timeLimitMs: 50 }).send(get(silent));
  const within = await client({ timeLimitMs: 1000 }).send(get(stuck));
  expect([kindOf(before), kindOf(within)]).toEqual(["timeout", "timeout"]);
  expect(within.failure?.message).toContain("status 200");
});

test("a server that sends a byte now and then causes a timeout", async () => {
  const origin = await web((_, response) => {
    const timer = setInterval(() => response.write("."), 5);
    response.on("close", () => clearInterval(timer));
  });
  expect(kindOf(await client({ timeLimitMs: 60 }).send(get(origin)))).toBe("timeout");
});

const OK = "HTTP/1.1 200 OK\r\n";
const LENGTH = "a wrong Content-Length";

const FAILING: readonly [what: string, bytes: string, kind: string, says?: string][] = [
  ["garbage", "What do you want?\r\n\r\n", "malformed-response"],
  ["an invalid status line", "HTTP/1.1 abc OK\r\n\r\n", "malformed-response"],
  ["longer headers than we read", `HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`, "unsupported"],
  ["a length with 204", "HTTP/1.1 204 OK\r\ncontent-length: 5\r\n\r\n", "malformed-response", LENGTH],
  ["two lengths", `${OK}content-length: 4\r\ncontent-length: 5\r\n\r\n`, "malformed-response", LENGTH],
  ["101 without an upgrade", "HTTP/1.1 101 Switching\r\n\r\n", "malformed-response"],
  ["a frame of HTTP/2", `\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64`, "unsupported"],
  [
    "another content coding",
    "HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 2\r\n\r\nhi",
    "unsupported",
  ],
  [
    "an unrequested upgrade",
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
for (const [what, bytes, kind, says = ""] of FAILING) {
  test(`a server that answers ${what}: ${kind}`, async () => {
    const origin = await raw(bytes);
    const exchange = await client().send(get(origin));
    expect(exchange.response).toBeUndefined();
    expect(kindOf(exchange)).toBe(kind);
    expect(exchange.failure?.message).toContain(`${origin} ${says && `sent ${says}`}`.trim());
  });
}

const CONTINUES = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\na: b\r\n\r\n";
for (const [what, status, bytes] of [
  ["100 Continue unasked", 204, "HTTP/1.1 204 No Content\r\n\r\n"],
  ["a 304 with a length", 304, "HTTP/1.1 304 Not Modified\r\nETag: a\r\nContent-Length: 5\r\n\r\n"],
  ["a text like 100 Continue", 200, `${OK}content-length: ${CONTINUES.length}\r\n\r\n${CONTINUES}`],
] as const)
  test(`a client reads ${what}, in one part and in two, on a kept connection`, async () => {
    let requests = 0;
    const server = net.createServer((socket) => {
      socket.setNoDelay().on("data", async () => {
        requests += 1;
        if (requests > 1) await setImmediate(socket.write(CONTINUES));
        socket.write(requests > 1 ? bytes : CONTINUES + bytes);
      });
    });
    server.maxConnections = 1;
    const origin = await listen(server);
    const sender = client({ connections: 1 });
    for (const _ of ["one part", "two parts"]) {
      const { response, failure } = await sender.send(get(origin));
      expect([failure, response?.status]).toEqual([undefined, status]);
      expect(response?.body.toString()).toBe(status === 200 ? CONTINUES : "");
    }
  });

test("a closed port and an unknown host are reported as connection-refused", async () => {
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

test("TLS to a server without TLS is reported as connection-refused", async () => {
  const origin = await web((_, response) => response.end());
  const exchange = await client().send(get(origin.replace("http:", "https:")));
  expect(kindOf(exchange), exchange.failure?.message).toBe("connection-refused");
});

test("an invalid HTTP request is an error of the caller", async () => {
  const sender = client();
  await expect(sender.send(get("/relative"))).rejects.toThrow("GetThing: GET /relative cannot be sent");
  await expect(sender.send(get("http://127.0.0.1:9", { headers: { x: "a\r\nb" } }))).rejects.toThrow(
    "invalid x",
  );
});

test("closing the client ends pending requests", async () => {
  const origin = await raw("", true);
  const sender = client();
  const pending = sender.send(get(origin));
  await sender.close();
  expect(kindOf(await pending)).toBe("connection-lost");
  expect(kindOf(await sender.send(get(origin)))).toBe("connection-lost");
});
