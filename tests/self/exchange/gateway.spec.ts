/** Gateways: signed requests, client certificates, encrypted bodies and proxies, with right, wrong and missing keys. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { loadGateways } from "../../../helpers/gateway/load-gateway.ts";
import { throughGateways } from "../../../helpers/gateway/through-gateway.ts";
import { externalTarget } from "../../../helpers/target/load-target.ts";
import type { Demand } from "../../../mocks/engine/gateway/gateway.ts";
import { certified, container, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { examine, exitCodeFor } from "../../../runner/doctor/doctor.ts";
import { linesOf } from "../../../runner/doctor/render.ts";
import { certify, startMock } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { client, closeAll, get, listen, web } from "../support/loopback.ts";

const contract = await loadContract("financial-data");
const service = contract.service;
const FAST = { MAX_REQUESTS_PER_SECOND: "100000", REQUEST_TIMEOUT_SECONDS: "5" };

test.afterEach(closeAll);

const WRONG = 2;
const UNREACHABLE = 3;

interface Case {
  readonly demand: Demand;
  /** The line and the exit code for a wrong, an expired and a missing key. */
  readonly wrong: readonly [number, RegExp];
  readonly expired: readonly [number, RegExp];
  readonly missing: readonly [number, RegExp];
  readonly unknown?: readonly [number, RegExp];
}

const CASES: readonly Case[] = [
  {
    demand: "signature",
    wrong: [WRONG, /the consumer key is known, but not its signature: correct FINANCIAL_DATA_SIGNING_KEY/],
    expired: [WRONG, /if it has expired: 401 .*The consumer key has expired/],
    missing: [WRONG, /set FINANCIAL_DATA_CONSUMER_KEY and FINANCIAL_DATA_SIGNING_KEY/],
    unknown: [WRONG, /so is an unknown consumer key: correct FINANCIAL_DATA_CONSUMER_KEY\./],
  },
  {
    demand: "mtls",
    wrong: [
      WRONG,
      /does not seem to accept the client certificate; correct FINANCIAL_DATA_CLIENT_CERTIFICATE/,
    ],
    expired: [WRONG, /^FINANCIAL_DATA_CLIENT_CERTIFICATE: the certificate expired on /],
    missing: [UNREACHABLE, /if it asks for a client certificate, set FINANCIAL_DATA_CLIENT_CERTIFICATE/],
  },
  {
    demand: "encryption=sealed:x5t#S256",
    wrong: [WRONG, /an encrypted body is refused with 400, .* correct FINANCIAL_DATA_BODY_ENCRYPTION_KEY/],
    expired: [WRONG, /an encrypted body is refused with 400, .* correct FINANCIAL_DATA_BODY_ENCRYPTION_KEY/],
    missing: [WRONG, /the log-in is refused with 400 .*The body is not encrypted/],
  },
];

const GATEWAY_SETTING = /_(CONSUMER_KEY|SIGNING_KEY\w*|CLIENT_\w+|BODY_\w+)$/;

for (const { demand, ...expected } of CASES) {
  test(`a gateway that asks for ${demand} accepts the right key, and the doctor names a wrong one`, async () => {
    const sandbox = await startSandbox({ contracts: [contract], demands: [demand] });
    const outcomeWith = async (settings: Readonly<Record<string, string>>) => {
      try {
        const diagnosis = await examine(externalTarget("mine", { ...settings, ...FAST }), [contract]);
        return [exitCodeFor(diagnosis), linesOf(diagnosis.causes), diagnosis.requests] as const;
      } catch (error) {
        return [WRONG, [(error as Error).message], 0] as const;
      }
    };
    try {
      const { environment, refused = { wrong: {}, expired: {} } } = sandbox;
      const right = await outcomeWith(environment);
      expect(right.slice(0, 2)).toEqual([0, []]);
      const missing = Object.entries(environment).filter(([name]) => !GATEWAY_SETTING.test(name));
      for (const [settings, [code, line] = []] of [
        [{ ...environment, ...refused.wrong }, expected.wrong],
        [{ ...environment, ...refused.expired }, expected.expired],
        [Object.fromEntries(missing), expected.missing],
        [{ ...environment, FINANCIAL_DATA_CONSUMER_KEY: "nobody" }, expected.unknown],
      ] as const) {
        if (line === undefined) continue;
        const [ended, lines, requests] = await outcomeWith(settings);
        expect(lines).toEqual([expect.stringMatching(line)]);
        expect(ended).toBe(code);
        expect(requests).toBeLessThanOrEqual(12);
      }
    } finally {
      await sandbox.close();
    }
  });
}

const CERTIFIED: readonly (readonly [Demand, Readonly<Record<string, string>>])[] = [
  ["signature=rfc", {}],
  ["signature=single", {}],
  ["signature=rfc", { INSTALLMENTS_SIGNATURE_METHOD: "RSA-PSS" }],
  ["signature=single", { INSTALLMENTS_SIGNATURE_METHOD: "RSA-PSS" }],
  ["encryption=sealed:x5t#S256", {}],
];
for (const [demand, settings] of CERTIFIED) {
  const how = Object.values(settings).join("");
  test(`a run certifies a server behind a gateway that asks for ${demand} ${how}`.trim(), LONG, async () => {
    const mock = await startMock(["--service", "installments", "--plain", "--require", demand]);
    try {
      const { code, stdout } = await certify(["--target", "mine", "--service", "installments"], {
        ...mock.credentials,
        ...{ MAX_REQUESTS_PER_SECOND: "100000" },
        ...settings,
      });
      expect([code, stdout]).toEqual([0, expect.stringContaining("certified")]);
    } finally {
      await mock.stop();
    }
  });
}

test("a server whose certificate has another name, or an unknown authority, is not trusted", async () => {
  const options = { contracts: [contract] };
  const sandbox = await startSandbox({ ...options, demands: ["mtls"] });
  try {
    const { FINANCIAL_DATA_CA: _, ...unknown } = sandbox.environment;
    const named = {
      FINANCIAL_DATA_BASE_URL: sandbox.baseUrls[service]?.replace("127.0.0.1", "localhost") ?? "",
    };
    for (const [values, line] of [
      [unknown, /has a certificate of an authority that is not known here; is it a private CA\?/],
      [{ ...sandbox.environment, ...named }, /has a certificate for another host name/],
    ] as const) {
      const diagnosis = await examine(externalTarget("mine", { ...values, ...FAST }), [contract]);
      expect(linesOf(diagnosis.causes)).toEqual([expect.stringMatching(line)]);
      expect(exitCodeFor(diagnosis)).toBe(UNREACHABLE);
    }
  } finally {
    await sandbox.close();
  }
});

test("a server that agrees on HTTP/2 only is named as such", async () => {
  const authority = certified({ name: "authority" });
  const { certificatePem, privatePem } = certified({
    name: "127.0.0.1",
    issuer: authority,
    hosts: ["127.0.0.1"],
  });
  const server = http2.createSecureServer({ cert: certificatePem, key: privatePem });
  const origin = (await listen(server)).replace("http:", "https:");
  const sender = client({ connectionTo: () => ({ tls: { ca: [authority.certificatePem] } }) });
  const { response, failure } = await sender.send(get(origin));
  expect(response).toBeUndefined();
  expect(failure?.message).toContain(`${origin} speaks only HTTP/2; the run needs HTTP/1.1`);
});

test("keys are read from PEM and PKCS#12 files, and a wrong password is one clear line", () => {
  const folder = openKeyFolder();
  try {
    const issued = certified({ name: "client" });
    const path = folder.write("client.p12", container(issued, "secret"));
    const base = { FINANCIAL_DATA_BASE_URL: "https://api.example.com" };
    const load = (values: Record<string, string>) =>
      loadGateways(externalTarget("mine", { ...base, ...values }));
    const signed = { FINANCIAL_DATA_CONSUMER_KEY: "me", FINANCIAL_DATA_SIGNING_KEY: path };
    const gateway = load({ ...signed, FINANCIAL_DATA_SIGNING_KEY_PASSWORD: "secret" })[service];
    const publicKey = new X509Certificate(issued.certificatePem).publicKey;
    expect(createPublicKey(gateway?.signing?.privateKey as never).equals(publicKey)).toBe(true);
    expect(() => load({ ...signed, FINANCIAL_DATA_SIGNING_KEY_PASSWORD: "guess" })).toThrow(
      /^FINANCIAL_DATA_SIGNING_KEY: .* FINANCIAL_DATA_SIGNING_KEY_PASSWORD is not its password/,
    );
    expect(() => load({ FINANCIAL_DATA_CONSUMER_KEY: "me" })).toThrow(
      /set FINANCIAL_DATA_SIGNING_KEY as well/,
    );
    expect(() => load({ FINANCIAL_DATA_CA: folder.write("ca.pem", "nothing") })).toThrow(
      /has no PEM certificate/,
    );
    const pem = folder.write("client.pem", issued.certificatePem);
    const other = folder.write("other.pem", certified({ name: "other" }).privatePem);
    expect(() => load({ FINANCIAL_DATA_CLIENT_CERTIFICATE: pem, FINANCIAL_DATA_CLIENT_KEY: other })).toThrow(
      /does not belong to the certificate/,
    );
    expect(readFileSync(pem, "utf8")).toContain("CERTIFICATE");
  } finally {
    folder.remove();
  }
});

test("requests go through the proxy of their address, except to the hosts of NO_PROXY", async () => {
  const tunnels: string[] = [];
  const server = await web((request, response) => response.end(request.headers["x-route"]));
  const proxy = http.createServer((_, response) => response.writeHead(400).end());
  proxy.on("connect", ({ url = "", headers }, socket) => {
    tunnels.push(`${url} ${headers["proxy-authorization"] ?? "nobody"}`);
    const [host = "", port] = url.split(":");
    const onwards = net.connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onwards).pipe(socket);
    });
    socket.on("error", () => onwards.destroy()).once("close", () => onwards.destroy());
  });
  const address = (await listen(proxy)).replace("//", "//user:pass@");
  const sent = async (settings: Record<string, string>, more = {}) => {
    const headers = { FINANCIAL_DATA_HEADERS: '{"X-Route": "blue"}' };
    const target = externalTarget("mine", { FINANCIAL_DATA_BASE_URL: server, ...headers, ...settings });
    return client(throughGateways(loadGateways(target))).send(get(server, { service, ...more }));
  };
  const through = await sent({ HTTP_PROXY: address });
  expect([through.response?.body.toString(), tunnels.length]).toEqual(["blue", 1]);
  expect(tunnels[0]).toMatch(/ Basic dXNlcjpwYXNz$/);
  expect((await sent({ FINANCIAL_DATA_PROXY: address }, { abandon: true })).failure?.kind).toBe("abandoned");
  expect(tunnels).toHaveLength(2);
  expect((await sent({ HTTP_PROXY: address, NO_PROXY: "127.0.0.1" })).response?.status).toBe(200);
  expect(tunnels).toHaveLength(2);
  const down = await sent({ FINANCIAL_DATA_PROXY: "http://127.0.0.1:1" });
  expect(down.failure).toMatchObject({ kind: "connection-refused" });
  expect(down.failure?.message).toMatch(/^the proxy 127\.0\.0\.1:1 can't be reached/);
});

test("fixed headers and passwords are never written", () => {
  const redactor = createRedactor(
    {
      FINANCIAL_DATA_HEADERS: '{"X-Route": "blue-secret-route"}',
      FINANCIAL_DATA_SIGNING_KEY_PASSWORD: "open-sesame",
    },
    [],
  );
  const text = redactor.text("to blue-secret-route with open-sesame");
  expect(text).toBe("to ‹part of FINANCIAL_DATA_HEADERS› with ‹FINANCIAL_DATA_SIGNING_KEY_PASSWORD›");
});
