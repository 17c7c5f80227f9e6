/** The recording proxy: what passes through it unchanged, what it rewrites, and what it records. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { LogLine } from "../../../helpers/traffic/log.ts";
import { addressesOf } from "../../../runner/proxy/addresses.ts";
import { CLOCK_PATH } from "../../../runner/proxy/control.ts";
import { openRecording, type Recording } from "../../../runner/proxy/recording.ts";
import { start, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";
import { closeAll, listen, web } from "../support/loopback.ts";

const open: Recording[] = [];

test.afterEach(async () => {
  for (const recording of open.splice(0)) await recording.end({});
  await closeAll();
});

/** Starts a recording in front of a server, and returns the base URL for clients. */
const before = async (
  origin: string,
): Promise<{ readonly base: string; readonly recording: Recording; readonly out: string }> => {
  const out = await temporary();
  const contracts = [await loadContract("financial-data")];
  const target = targetOf("test", { FINANCIAL_DATA_BASE_URL: origin }, false);
  const recording = await openRecording({ target, contracts, port: 0, out });
  open.push(recording);
  return { base: recording.proxy.baseUrls["financial-data"] ?? "", recording, out };
};

const linesIn = async (out: string): Promise<LogLine[]> => {
  const [name = ""] = (await readdir(out)).filter((file) => file.endsWith(".ndjson"));
  const lines = (await readFile(join(out, name), "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.request !== undefined);
};

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

test("compressed bodies, repeated headers, unusual paths and statuses stay as they are", async () => {
  const body = gzipSync('{"a":1}');
  let seen = "";
  const origin = await web((request, response) => {
    seen = `${request.method} ${request.url} ${request.headers["x-own"]}`;
    response.writeHead(299, "Fine", [
      ...[
        "content-type",
        "application/json",
        "content-encoding",
        "gzip",
        "content-length",
        String(body.length),
      ],
      ...["set-cookie", "a=1", "set-cookie", "b=2", "X-Case", "Kept"],
    ]);
    response.end(body);
  });
  const { base, out } = await before(origin);
  const { port, pathname } = new URL(base);
  const socket = net.connect(Number(port), "127.0.0.1");
  socket.write(
    `DELETE ${pathname}/a/../b//c?x=%41|1 HTTP/1.1\r\nhost: a\r\nx-own: 1\r\nconnection: close\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const [head = ""] = all.toString("latin1").split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 299 /);
  expect(head).toContain("set-cookie: a=1\r\nset-cookie: b=2\r\nX-Case: Kept");
  expect(all.subarray(-body.length)).toEqual(body);
  expect(seen).toBe("DELETE /a/../b//c?x=%41|1 1");
  const [line] = await linesIn(out);
  expect(line?.response?.body).toBe('{"a":1}');
});

test("a client that closes its half of the connection gets the answer", async () => {
  const origin = await web((request, response) => {
    request.resume().once("end", () => setTimeout(() => response.end("done"), 50));
  });
  const { base } = await before(origin);
  const { port, pathname } = new URL(base);
  const socket = net.connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  socket.end(`POST ${pathname}/x HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nok`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).includes("done")) break;
  }
  expect(Buffer.concat(chunks).toString()).toContain("done");
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

test("only what is below the base URL is forwarded", async () => {
  const asked: string[] = [];
  const origin = await web((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ own: `${origin}/api/v1/a`, other: `${origin}/admin` }));
  });
  const { base, recording } = await before(`${origin}/api/v1`);
  expect(base).toMatch(/:\d+\/api\/v1$/);
  const { port } = new URL(base);
  const statusOf = async (path: string): Promise<number> => {
    const call = http.get({ port, host: "127.0.0.1", path });
    const [response] = (await once(call, "response")) as [http.IncomingMessage];
    return response.resume().statusCode ?? 0;
  };
  for (const path of ["/api/v1", "/api/v1/a?b=/../c", "/api/v1/a/../b"])
    expect(await statusOf(path)).toBe(200);
  const others = ["/", "/admin", "/api/v1.2/a", "/api/v1/../../admin", "/api/v1/%2e%2e/%2E%2e/admin"];
  for (const path of [...others, "/api/v1/..%2f..%2Fadmin", "/api/v1/..%5c..%5cadmin"])
    expect(await statusOf(path), path).toBe(404);
  expect(asked).toHaveLength(3);
  expect(recording.notes()).toEqual([expect.stringContaining("7 requests below no base URL")]);
  expect(await (await fetch(`${base}/a`)).json()).toEqual({ own: `${base}/a`, other: `${origin}/admin` });
});

test(
  "base URLs of the proxy name a service only where the target's do not tell services apart",
  QUICK,
  () => {
    const basesOf = (values: Readonly<Record<string, string>>) =>
      addressesOf(targetOf("test", values, false), () => "http://proxy").baseUrls();
    expect(
      basesOf({
        FINANCIAL_DATA_BASE_URL: "http://a.test/v1/data",
        INSTALLMENTS_BASE_URL: "http://b.test/v1",
      }),
    ).toEqual({
      "financial-data": "http://proxy/financial-data/v1/data",
      installments: "http://proxy/installments/v1",
    });
    expect(
      basesOf({
        FINANCIAL_DATA_BASE_URL: "http://a.test/data/",
        INSTALLMENTS_BASE_URL: "http://b.test/data-2",
      }),
    ).toEqual({ "financial-data": "http://proxy/data", installments: "http://proxy/data-2" });
    expect(basesOf({ INSTALLMENTS_BASE_URL: "http://b.test" })).toEqual({
      installments: "http://proxy/installments",
    });
  },
);

test("another machine reaches the proxy under the name that it is given", async () => {
  const origin = await web((_, response) => void response.writeHead(200).end("{}"));
  const target = targetOf("test", { INSTALLMENTS_BASE_URL: `${origin}/installments` }, false);
  const contracts = [await loadContract("installments")];
  const recording = await openRecording({ target, contracts, port: 0, host: "phone.test" });
  open.push(recording);
  const { port } = new URL(recording.proxy.origin);
  expect(recording.proxy.baseUrls).toEqual({ installments: `http://phone.test:${port}/installments` });
  const asked = async (host: string): Promise<number> => {
    const call = http.get({ port, host: "127.0.0.1", path: CLOCK_PATH, headers: { host } });
    const [response] = (await once(call, "response")) as [http.IncomingMessage];
    return response.resume().statusCode ?? 0;
  };
  expect(await asked(`phone.test:${port}`)).toBe(200);
  expect(await asked("other.test")).toBe(403);
});

test("half an answer and a refused connection stay failures, and are recorded", async () => {
  const origin = await listen(
    net.createServer((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
        setTimeout(() => socket.destroy(), 20);
      });
    }),
  );
  const { base, out } = await before(origin);
  await expect(fetch(`${base}/a`).then((response) => response.text())).rejects.toThrow();
  await expect
    .poll(async () => (await linesIn(out)).map(({ failure }) => failure))
    .toEqual([expect.stringContaining("connection-lost")]);
  const { base: nothing } = await before("http://127.0.0.1:9");
  expect((await fetch(`${nothing}/a`)).status).toBe(502);
});

test("addresses of the target become addresses of the proxy, and back", async () => {
  let body = "";
  const origin = await web(async (request, response) => {
    for await (const chunk of request) body += String(chunk);
    response.writeHead(200, { "content-type": "application/json", location: `${own}/next` });
    response.end(
      JSON.stringify({ link: `${own}/hosted/1`, escaped: "no address" }).replaceAll("hosted/", "hosted\\/"),
    );
  });
  const own = origin;
  const { base } = await before(origin);
  const response = await fetch(`${base}/x`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirectUri: `${base}/back` }),
  });
  expect(response.headers.get("location")).toBe(`${base}/next`);
  expect(await response.json()).toEqual({ link: `${base}/hosted/1`, escaped: "no address" });
  expect(JSON.parse(body)).toEqual({ redirectUri: `${origin}/back` });
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

test("secrets are not written", async () => {
  const origin = await web((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"token":"very-secret-token-1"}');
  });
  const { base, out } = await before(origin);
  await fetch(`${base}/aggregation/v2/partners/authentication`, {
    method: "POST",
    headers: { "content-type": "application/json", "partner-app-key": "very-secret-key-1" },
    body: JSON.stringify({ partnerId: "24", partnerSecret: "very-secret-secret-1" }),
  });
  await fetch(`${base}/aggregation/v1/customers?token=very-secret-token-1`, {
    headers: { "partner-app-token": "very-secret-token-1" },
  });
  for (const path of ["customers?session=very-secret-token-1", "customers/very-secret-token-1"])
    await fetch(`${base}/aggregation/v1/${path}`);
  const lines = await linesIn(out);
  expect(lines).toHaveLength(4);
  expect(JSON.stringify(lines)).not.toContain("very-secret");
  expect(lines[1]?.marks.token).toBe(lines[0]?.marks.issued);
});

test("the log contains every answered exchange after SIGKILL", async () => {
  const out = await temporary();
  const child = start("proxy", ["--service", "installments", "--out", out]);
  const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const { baseUrls, credentials } = JSON.parse(first.split("\n")[0] ?? "") as {
    readonly baseUrls: Record<string, string>;
    readonly credentials: Record<string, string>;
  };
  let answered = 0;
  const lanes = Array.from({ length: 8 }, async () => {
    for (;;) {
      const response = await fetch(`${baseUrls.installments}/merchants/participations?limit=1`, {
        headers: { authorization: credentials.INSTALLMENTS_AUTHORIZATION ?? "" },
      });
      await response.text();
      answered += 1;
      if (answered === 300) child.kill("SIGKILL");
    }
  });
  await Promise.allSettled(lanes);
  expect(answered).toBeGreaterThanOrEqual(300);
  expect((await linesIn(out)).length).toBeGreaterThanOrEqual(answered);
});
