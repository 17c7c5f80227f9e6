/** The recording proxy in front of a gateway: client certificates, and signatures for the address of the target. */
import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { ENCODINGS, METHODS, type Sealing, type Signing } from "../../../helpers/gateway/gateway.ts";
import { loadGateways } from "../../../helpers/gateway/load-gateway.ts";
import { opened, sealed } from "../../../helpers/gateway/sealing.ts";
import { authorizationFor } from "../../../helpers/gateway/signature.ts";
import { throughGateways } from "../../../helpers/gateway/through-gateway.ts";
import { externalTarget, targetOf } from "../../../helpers/target/load-target.ts";
import { certified, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { fieldsIn } from "../../../mocks/engine/values/fields.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { client as clientWith, closeAll, get, web } from "../../../tests/self/support/loopback.ts";
import { exercisesNamed } from "../proxy/exercises.ts";
import { openRecording } from "../proxy/recording.ts";
import { createSignatures } from "../proxy/signatures.ts";

const SERVICE = "financial-data";

test("signatures are checked, and renewed for the target if the key is configured", async () => {
  const contracts = [await loadContract(SERVICE)];
  const sandbox = await startSandbox({
    ...{ services: [SERVICE], contracts },
    demands: ["signature", "mtls"],
  });
  const { environment } = sandbox;
  const signing = loadGateways(externalTarget("mine", environment))[SERVICE]?.signing;
  if (signing === undefined) throw new Error("the sandbox gives no signing key");
  const body = JSON.stringify({
    partnerId: environment.FINANCIAL_DATA_PARTNER_ID,
    partnerSecret: environment.FINANCIAL_DATA_PARTNER_SECRET,
  });
  const recorded = async (
    settings: Readonly<Record<string, string>>,
    signed: string,
    repeats = false,
  ): Promise<{
    readonly status: number;
    readonly notes: readonly string[];
    readonly told: readonly string[];
  }> => {
    const told: string[] = [];
    const recording = await openRecording({
      target: externalTarget("mine", settings),
      contracts,
      port: 0,
      tell: (message) => told.push(message),
    });
    const url = `${recording.proxy.baseUrls[SERVICE]}/aggregation/v2/partners/authentication`;
    const request = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "",
        authorization: authorizationFor({ method: "POST", url, bytes: signed }, signing, Date.now()),
      },
      body,
    };
    let response = await fetch(url, request);
    await response.text();
    if (repeats) response = await fetch(url, request);
    await recording.end({});
    return { status: response.status, notes: recording.notes(), told };
  };
  try {
    const right = await recorded(environment, body);
    expect(right).toEqual({
      status: 200,
      notes: [
        `${SERVICE}: 1 signed request, signed again for the target.`,
        `${SERVICE}: signatures were seen in rfc encoding, RSA-SHA256.`,
      ],
      told: [],
    });
    const wrong = await recorded(environment, "{}");
    expect(wrong.status).toBe(401);
    expect(wrong.told).toEqual([expect.stringContaining("oauth_body_hash is not the hash of the body")]);
    const repeated = await recorded(environment, body, true);
    expect(repeated.told).toEqual([expect.stringContaining("oauth_nonce was used before")]);
    const { FINANCIAL_DATA_CONSUMER_KEY: _, FINANCIAL_DATA_SIGNING_KEY: __, ...without } = environment;
    const unknown = await recorded(without, body);
    expect(unknown.status).toBe(401);
    expect(unknown.notes).toContainEqual(expect.stringContaining("set FINANCIAL_DATA_CONSUMER_KEY"));
  } finally {
    await sandbox.close();
  }
});

test("encrypted bodies are opened, recorded without secrets, and encrypted again for the gateway", async () => {
  const contracts = [await loadContract("installments")];
  const sandbox = await startSandbox({
    ...{ services: ["installments"], contracts },
    demands: ["encryption", "signature"],
  });
  const recording = await openRecording({
    ...{ target: externalTarget("mine", sandbox.environment), contracts, port: 0, out: await temporary() },
  });
  // The client has the settings of the target, and the settings that the proxy gives it.
  const settings = { ...sandbox.environment, ...recording.environment };
  const client = clientWith(throughGateways(loadGateways(externalTarget("client", settings))));
  const url = `${recording.proxy.baseUrls.installments}/merchants/searches`;
  const { response } = await client.send(
    get(url, {
      ...{ service: "installments", operationId: "postMerchantSearches", method: "POST" },
      json: { merchants: [] },
    }),
  );
  await closeAll();
  await recording.end({});
  await sandbox.close();
  expect(response?.status).toBe(200);
  expect(recording.notes()).toContain("installments: 1 signed request, signed again for the target.");
  const [, line = ""] = (await readFile(recording.log ?? "", "utf8")).split("\n");
  const { request, response: recorded } = JSON.parse(line) as Exchange;
  expect(request.body).toBe('{"merchants":[]}');
  expect(JSON.parse(String(recorded?.body))).toEqual(response?.json);
});

test("a large encrypted body passes unread in each direction, and the user is told", async () => {
  const folder = openKeyFolder();
  const { publicPem, privatePem } = certified({ name: "gateway" });
  const body = JSON.stringify({ sealed: "x".repeat(9_000_000) });
  const server = await web(async (request, response) => {
    const received = (await request.toArray()).join("");
    response.setHeader("content-type", "application/json").end(request.method === "GET" ? body : received);
  });
  const toldWith = async (parts: object, init?: RequestInit): Promise<readonly string[]> => {
    const told: string[] = [];
    const target = externalTarget("mine", {
      FINANCIAL_DATA_BASE_URL: server,
      FINANCIAL_DATA_BODY_ENCRYPTION: folder.write("parts.json", JSON.stringify({ "*": parts })),
      FINANCIAL_DATA_BODY_ENCRYPTION_KEY: folder.write("public.pem", publicPem),
      FINANCIAL_DATA_BODY_DECRYPTION_KEY: folder.write("private.pem", privatePem),
    });
    const contracts = [await loadContract(SERVICE)];
    const recording = await openRecording({ target, contracts, port: 0, tell: (one) => void told.push(one) });
    const response = await fetch(`${recording.proxy.baseUrls[SERVICE]}/aggregation/v1/customers`, init);
    expect((await response.text()) === body).toBe(true);
    await recording.end({});
    return told;
  };
  const [request, response] = [{ "": "/sealed" }, { "/sealed": "" }];
  const upload = { method: "POST", headers: { "content-type": "application/json" }, body };
  const unread = expect.stringContaining("that may be encrypted: it is not decrypted, recorded or judged");
  const unchanged = expect.stringContaining("addresses in it are not replaced");
  expect([
    await toldWith({ response }),
    await toldWith({ request }),
    await toldWith({ request }, upload),
    await toldWith({ response }, upload),
  ]).toEqual([[unread], [], [unread], [unchanged, unread]]);
  await closeAll();
  folder.remove();
});

test("answers that an exercise or the proxy changes are encrypted for the client, like all others", async () => {
  const contracts = [await loadContract(SERVICE)];
  const sandbox = await startSandbox({
    ...{ services: [SERVICE], port: 0, seed: 1, faults: [], contracts },
    demands: ["encryption=sealed:kid"],
  });
  const recording = await openRecording({
    ...{ target: externalTarget("mine", sandbox.environment), contracts, port: 0 },
    exercises: await exercisesNamed(contracts, ["list-of-thousand", "failure"]),
  });
  const settings = { ...sandbox.environment, ...recording.environment };
  const sealing = loadGateways(externalTarget("client", settings))[SERVICE]?.sealing as Sealing;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "partner-app-key": settings.FINANCIAL_DATA_APP_KEY ?? "",
  };
  const ask = async (method: string, path: string, json?: object): Promise<unknown> => {
    const body = json && (await sealed({ ...sealing, alg: "RSA-OAEP" }, "any", JSON.stringify(json)));
    const init = { method, headers, ...(body !== undefined && { body: String(body) }) };
    const response = await fetch(`${recording.proxy.baseUrls[SERVICE]}${path}`, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(JSON.parse(bytes.toString())).toEqual({ sealed: expect.stringMatching(/^(\w|-|\.)+$/) });
    const received = { status: response.status, headers: {}, body: bytes, ...jsonOf(bytes) };
    return (await opened(sealing, "any", received)).json;
  };
  const { token } = fieldsIn(
    await ask("POST", "/aggregation/v2/partners/authentication", {
      partnerId: settings.FINANCIAL_DATA_PARTNER_ID,
      partnerSecret: settings.FINANCIAL_DATA_PARTNER_SECRET,
    }),
  );
  headers["partner-app-token"] = String(token);
  const customers = "/aggregation/v1/customers?start=1&limit=25";
  const answers = [
    await ask("GET", customers),
    await ask("GET", customers),
    await ask("GET", customers),
    await ask("POST", "/connect/v2/generate", {
      partnerId: settings.FINANCIAL_DATA_PARTNER_ID,
      customerId: settings.FINANCIAL_DATA_CUSTOMER_ID,
    }),
  ];
  await recording.end({});
  await sandbox.close();
  expect(answers).toEqual([
    expect.objectContaining({ code: 500 }),
    // The client recovers from a failure before it meets the next exercise.
    expect.objectContaining({ displaying: 1 }),
    expect.objectContaining({ displaying: 1000, customers: expect.any(Array) }),
    { link: expect.stringContaining(recording.proxy.origin) },
  ]);
});

test("a recording without the settings of an encrypting gateway says so once; one of plain bodies says nothing", async () => {
  const contracts = [await loadContract(SERVICE)];
  const origin = await web((request, response) => {
    const json = request.method === "POST" ? { token: JWE } : { sealed: JWE };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  const told: string[] = [];
  const target = targetOf("mine", { FINANCIAL_DATA_BASE_URL: origin }, false);
  const tell = (message: string) => void told.push(message);
  const recording = await openRecording({ target, contracts, port: 0, tell });
  const ask = (path: string, method = "GET") =>
    fetch(`${recording.proxy.baseUrls[SERVICE]}${path}`, { method });
  await ask("/aggregation/v2/partners/authentication", "POST");
  expect(told).toEqual([]);
  await ask("/aggregation/v1/customers");
  await ask("/aggregation/v1/customers/5");
  await recording.end({});
  expect(told).toEqual([expect.stringContaining("FINANCIAL_DATA_BODY_ENCRYPTION")]);
});

/** Five parts, of which only the header is read. */
const JWE = `${Buffer.from('{"alg":"RSA-OAEP-256","enc":"A256GCM"}').toString("base64url")}.a.b.c.d`;

const [own, other] = [certified({ name: "signer" }), certified({ name: "other" })];
const ASKED = "http://127.0.0.1:1/offers";
const BYTES = '{"a":1}';

const signedBy = (signing: Signing): string =>
  authorizationFor({ method: "POST", url: ASKED, bytes: BYTES }, signing, Date.now());

for (const dialect of ENCODINGS.flatMap((encoding) => METHODS.map((method) => ({ encoding, method })))) {
  const { encoding, method } = dialect;
  test(`the proxy signs again what has the encoding ${encoding} and ${method}, and nothing else`, () => {
    const told: string[] = [];
    const privateKey = createPrivateKey(own.privatePem);
    const signing = { ...dialect, consumerKey: "consumer!Key_1", privateKey };
    const gateways = { parcels: { connection: { tls: {} }, headers: {}, signing } };
    const renewed = (signatures: ReturnType<typeof createSignatures>, authorization: string): boolean => {
      const headers = ["authorization", authorization];
      const received = Buffer.from(BYTES);
      const again = signatures.renew({
        ...{ service: "parcels", method: "POST", headers, asked: ASKED, received, sent: received },
        url: "https://gateway.example.com/offers?b=2",
      });
      return again[1] !== authorization;
    };
    const signatures = createSignatures(gateways, (problem) => told.push(problem));
    expect([
      renewed(signatures, signedBy(signing)),
      renewed(signatures, signedBy({ ...signing, privateKey: createPrivateKey(other.privatePem) })),
    ]).toEqual([true, false]);
    expect(signatures.notes()).toEqual([
      "signature of 1 request: parcels: oauth_signature is not the signature of the request.",
      "parcels: 1 signed request, signed again for the target.",
      `parcels: signatures were seen in ${encoding} encoding, ${method}.`,
    ]);
    const [strange] = ENCODINGS.filter((one) => one !== encoding);
    const strict = createSignatures(gateways, (problem) => told.push(problem), strange);
    expect(renewed(strict, signedBy(signing))).toBe(false);
    expect(told.at(-1)).toContain(`the encoding is ${encoding}, and ${strange} is required`);
  });
}
