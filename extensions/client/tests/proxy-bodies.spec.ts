/** The proxy and bodies: large, in parts, refused before their end, and broken off. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type net from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { web } from "../../../tests/self/support/loopback.ts";
import { before, endRecordings, linesIn } from "./recordings.ts";

test.afterEach(endRecordings);

test("100 MB pass in both directions", async () => {
  const megabyte = Buffer.alloc(1_048_576, "0123456789abcdef");
  const hash = createHash("sha256");
  for (let count = 0; count < 100; count += 1) hash.update(megabyte);
  const expected = hash.digest("hex");
  const origin = await web(async (request, response) => {
    const received = createHash("sha256");
    for await (const chunk of request) received.update(chunk as Buffer);
    response.writeHead(200, {
      "x-received": received.digest("hex"),
      "content-type": "application/octet-stream",
    });
    for (let count = 0; count < 100; count += 1) {
      if (!response.write(megabyte)) await once(response, "drain");
    }
    response.end();
  });
  const { base, out } = await before(origin);
  const request = http.request(`${base}/upload`, { method: "POST" });
  const answer = once(request, "response") as Promise<[http.IncomingMessage]>;
  for (let count = 0; count < 100; count += 1) {
    if (!request.write(megabyte)) await once(request, "drain");
  }
  request.end();
  const [response] = await answer;
  const received = createHash("sha256");
  for await (const chunk of response) received.update(chunk as Buffer);
  expect(response.headers["x-received"]).toBe(expected);
  expect(received.digest("hex")).toBe(expected);
  const [line] = await linesIn(out);
  expect(line?.response?.body).toMatch(/104857600 bytes|octet-stream/);
});

test("an exercise waits until it has changed an answer: not if one is too large, and not if none came", async () => {
  const small = JSON.stringify({ found: 1, displaying: 1, customers: [{ id: "5", username: "one" }] });
  const answers = [{ body: small.replace("one", "1".repeat(9_000_000)) }, undefined, { body: small }];
  const origin = await web((request, response) => {
    const answer = answers.shift();
    if (answer === undefined) return void request.socket.destroy();
    response.writeHead(200, { "content-type": "application/json" }).end(answer.body);
  });
  const { base, out, recording } = await before(origin, ["list-of-thousand"]);
  const states: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    const url = `${base}/aggregation/v1/customers?start=1&limit=25`;
    await fetch(url, { headers: CREDENTIALS }).then(
      (response) => response.text(),
      () => "",
    );
    states.push(recording.exercises().map(({ state }) => state));
  }
  expect(states).toEqual([["waiting"], ["waiting"], ["passed"]]);
  expect((await linesIn(out)).map((line) => line.exercises ?? [])).toEqual([[], [], [expect.any(String)]]);
});

test("a stream arrives part by part", async () => {
  let next = (): void => {};
  const origin = await web((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: one\n\n");
    next = () => response.end("data: two\n\n");
  });
  const { base } = await before(origin);
  const response = await fetch(`${base}/events`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? "").toString()).toBe("data: one\n\n");
  next();
  expect(Buffer.from((await reader.read()).value ?? "").toString()).toBe("data: two\n\n");
});

const UPLOAD = "/aggregation/v1/customers/5/payStatements";
const UPLOAD_SIZE = 10_000_000;
const CREDENTIALS = { "partner-app-key": "k", "partner-app-token": "t" };

/** Sends the start of an upload, and goes on sending. */
const uploading = (base: string, headers: http.OutgoingHttpHeaders): http.ClientRequest => {
  const call = http.request(`${base}${UPLOAD}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...CREDENTIALS, ...headers },
    agent: false,
  });
  call.on("error", () => {});
  const part = Buffer.alloc(100_000, '{"statement":"');
  let sent = 0;
  const send = (): void => {
    for (; sent < UPLOAD_SIZE && !call.destroyed; ) {
      sent += part.length;
      if (!call.write(part)) return void call.once("drain", send);
    }
    call.end();
  };
  send();
  return call;
};

/** How a target that refuses an upload early goes on. */
const REFUSALS: readonly (readonly [string, http.OutgoingHttpHeaders, (socket: net.Socket) => void])[] = [
  ["reads the rest", {}, () => {}],
  ["closes its half", { connection: "close" }, () => {}],
  ["closes the connection", { connection: "close" }, (socket) => setTimeout(() => socket.destroy(), 20)],
];

for (const [what, headers, goOn] of REFUSALS) {
  test(`an answer before the end of an upload reaches the client: the target ${what}`, async () => {
    const origin = await web((request, response) => {
      response.writeHead(413, { "content-type": "application/json", ...headers });
      response.end('{"code":413,"message":"Too large."}', () => goOn(request.socket));
    });
    const { base, out } = await before(origin);
    for (const length of [{}, { "content-length": UPLOAD_SIZE }]) {
      const [response] = (await once(uploading(base, length), "response")) as [http.IncomingMessage];
      expect(response.statusCode).toBe(413);
      response.resume();
    }
    await expect.poll(async () => (await linesIn(out)).length).toBe(2);
    for (const { request, response, judged = [] } of await linesIn(out)) {
      expect([request.body, response?.status]).toEqual([expect.stringMatching(/^‹a body of /), 413]);
      expect(judged).toEqual([]);
    }
  });
}

test("an upload that the client or the recording ends is not judged by its first part", async () => {
  let arrived = (): void => {};
  const origin = await web((request) => request.once("data", () => arrived()));
  const { base, recording, out } = await before(origin);
  for (const end of [(call: http.ClientRequest) => call.destroy(), () => recording.proxy.close()]) {
    const started = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    // Bodies of more than 8 MB are passed on while they arrive.
    const call = uploading(base, { "content-length": 2 * UPLOAD_SIZE });
    await started;
    await end(call);
  }
  await expect.poll(async () => (await linesIn(out)).length).toBe(2);
  for (const { request, failure, judged = [] } of await linesIn(out)) {
    expect([request.body, failure !== undefined, judged]).toEqual([
      expect.stringMatching(/^‹a body of /),
      true,
      [],
    ]);
  }
});

test("large bodies in chunks keep their bytes and their coding, and have the addresses of the proxy", async () => {
  const long = "x".repeat(2_000_000);
  const received: Buffer[] = [];
  const origin = await web(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push(Buffer.concat(chunks), Buffer.from(String(request.headers["transfer-encoding"])));
    const isHuge = request.url === "/huge";
    response.writeHead(200, {
      "content-type": "application/json",
      ...(!isHuge && { "content-encoding": "gzip" }),
    });
    const body = isHuge
      ? hugeWith(own)
      : gzipSync(JSON.stringify({ link: `${own}/next`, noise: noise.toString("hex") }));
    for (let at = 0; at < body.length; at += 100_000) response.write(body.subarray(at, at + 100_000));
    response.end();
  });
  const own = origin;
  const hugeWith = (address: string): Buffer =>
    Buffer.from(JSON.stringify({ long: `${long}${address}/${long.repeat(4)}`, next: `${address}/n` }));
  const noise = randomBytes(1_500_000);
  const { base, out } = await before(origin);
  const exchanged = async (path: string, body: Buffer): Promise<readonly [Buffer, http.IncomingMessage]> => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const request = http.request(`${base}${path}`, { method: "POST", headers });
    request.write(body.subarray(0, 10));
    request.end(body.subarray(10));
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return [Buffer.concat(chunks), response];
  };
  const plain = gzipSync(JSON.stringify({ a: 1 }));
  const [whole] = await exchanged("/huge", plain);
  expect(whole.equals(hugeWith(base))).toBe(true);
  expect(received).toEqual([plain, Buffer.from("chunked")]);
  const [zipped, { headers }] = await exchanged("/zipped", gzipSync(JSON.stringify({ back: `${base}/b` })));
  expect(headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(zipped).toString())).toEqual({
    link: `${base}/next`,
    noise: noise.toString("hex"),
  });
  expect(gunzipSync(received[2] ?? "").toString()).toBe(JSON.stringify({ back: `${origin}/b` }));
  const [line] = await linesIn(out);
  expect(line?.request.body).toBe('{"a":1}');
});

test("a stream that breaks gives the client each byte once", async () => {
  const origin = await web((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: one\n\n", () => setTimeout(() => response.destroy(), 20));
  });
  const { base } = await before(origin);
  const response = await fetch(`${base}/events`);
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>)
      chunks.push(Buffer.from(chunk).toString());
  })();
  await expect(reading).rejects.toThrow();
  expect(chunks.join("")).toBe("data: one\n\n");
});
