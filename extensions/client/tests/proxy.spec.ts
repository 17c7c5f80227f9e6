/** The recording proxy: what passes through it unchanged, what it rewrites, and what it records. */
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { certified, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";
import { startSandbox } from "../../../mocks/sandbox.ts";
import { attack } from "../../../tests/self/hostile/attacks.ts";
import { OUTSIDERS, statusOf } from "../../../tests/self/sandbox/daily/outsiders.ts";
import { start, temporary } from "../../../tests/self/support/command.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { listen, web } from "../../../tests/self/support/loopback.ts";
import { addressesOf } from "../proxy/addresses.ts";
import { CLOCK_PATH } from "../proxy/control.ts";
import { outsidersOf } from "../proxy/outsiders.ts";
import { openRecording } from "../proxy/recording.ts";
import { before, endedLater, endRecordings, linesIn } from "./recordings.ts";

test.afterEach(endRecordings);

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
    `DELETE ${pathname}/a/../b//c?x=%41|1 HTTP/1.1\r\nhost: 127.0.0.1\r\nx-own: 1\r\nconnection: close\r\n\r\n`,
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
  socket.end(`POST ${pathname}/x HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\n\r\nok`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).includes("done")) break;
  }
  expect(Buffer.concat(chunks).toString()).toContain("done");
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
  for (const path of ["/api/v1", "/api/v1/a?b=/../c", "/api/v1/a/../b", base])
    expect(await statusOf(path)).toBe(200);
  const others = ["/", "/admin", "/api/v1.2/a", "/api/v1/../../admin", "/api/v1/%2e%2e/%2E%2e/admin"];
  for (const path of [...others, "/api/v1/..%2f..%2Fadmin", "/api/v1/..%5c..%5cadmin"])
    expect(await statusOf(path), path).toBe(404);
  expect(asked).toHaveLength(4);
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
  const recording = endedLater(await openRecording({ target, contracts, port: 0, host: "phone.test" }));
  const { port } = new URL(recording.proxy.origin);
  expect(recording.proxy.baseUrls).toEqual({ installments: `http://phone.test:${port}/installments` });
  const asked = async (host: string): Promise<number> => {
    const call = http.get({ port, host: "127.0.0.1", path: CLOCK_PATH, headers: { host } });
    const [response] = (await once(call, "response")) as [http.IncomingMessage];
    return response.resume().statusCode ?? 0;
  };
  expect(await asked(`phone.test:${port}`)).toBe(200);
  expect(await asked("other.test")).toBe(403);
  expect((await fetch(`http://127.0.0.1:${port}${CLOCK_PATH}?until=1e400`, { method: "POST" })).status).toBe(
    400,
  );
});

test("a client may name the host of the target", () => {
  const outsiderIn = outsidersOf(["https://api.example.com:8443/a"], {});
  const incoming = { headers: {} } as http.IncomingMessage;
  expect(outsiderIn(incoming, "http://api.example.com/b")).toBeUndefined();
  expect(outsiderIn(incoming, "http://example.com/b")).toContain("--host");
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

test("only this machine commands the proxy", async () => {
  await using sandbox = await startSandbox({ services: ["installments"] });
  const base = sandbox.baseUrls.installments ?? "";
  const contracts = [await loadContract("installments")];
  const target = targetOf("test", { INSTALLMENTS_BASE_URL: base }, false);
  const recording = await openRecording({ target, contracts, port: 0 });
  const folder = openKeyFolder();
  const { certificatePem, privatePem } = certified({ name: "client" });
  const pem = folder.write("client.pem", certificatePem + privatePem);
  const values = { INSTALLMENTS_BASE_URL: base, INSTALLMENTS_CLIENT_CERTIFICATE: pem };
  const lending = await openRecording({ target: targetOf("test", values, false), contracts, port: 0 });
  const clock = `${recording.proxy.origin}${CLOCK_PATH}`;
  const { host: at } = new URL(base);
  for (const [from, host, command, read] of OUTSIDERS) {
    const headers = { host: at.replace("127.0.0.1", host), ...(from !== "-" && { origin: from }) };
    // The proxy listens on loopback only, and allows no name.
    const isNamed = host === "admin.example.com";
    const isOutside = isNamed || command === 403;
    expect(await statusOf(clock, "POST", headers), `${from} ${host}`).toBe(isOutside ? 403 : 200);
    const forwarded = ({ proxy }: typeof recording) =>
      statusOf(`${proxy.baseUrls.installments}/plans/none`, "GET", headers);
    expect(await forwarded(recording), `${from} ${host}`).toBe(isNamed || read === 403 ? 403 : 404);
    // No page of another origin borrows the certificate.
    expect(await forwarded(lending), `${from} ${host}`).toBe(isOutside ? 403 : 404);
  }
  folder.remove();
  await Promise.all([recording.end({}), lending.end({})]);
});

attack("proxy", async () => {
  const sandbox = await startSandbox({ services: ["financial-data"] });
  const { base } = await before(sandbox.baseUrls["financial-data"] ?? "");
  const close = async () => {
    await endRecordings();
    await sandbox.stop();
  };
  return { url: `${base}/institution/v2/institutions`, status: 401, close };
});
