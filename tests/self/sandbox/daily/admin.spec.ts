/** The admin interface against its own OpenAPI document, and the edges: origins, hosts and HTTPS. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { expect, test } from "@playwright/test";
import { checkDocumentedStatus } from "../../../../helpers/checks/documented-status.ts";
import { checkJsonBody } from "../../../../helpers/checks/json-body.ts";
import type { Contract, Operation } from "../../../../helpers/contract/contract.ts";
import { readDocument } from "../../../../helpers/contract/documents/read-document.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { operationsOf } from "../../../../helpers/contract/operations.ts";
import { createValidator } from "../../../../helpers/contract/schemas/schema-validator.ts";
import { services } from "../../../../helpers/contract/services.ts";
import { HOLDS } from "../../../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../../helpers/exchange/json-of.ts";
import { selfSigned } from "../../../../helpers/flows/self-signed.ts";
import { outsider } from "../../../../mocks/engine/admin/outsiders.ts";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { run } from "../../support/command.ts";
import { CHOSEN } from "./chosen-data.ts";
import { OUTSIDERS, statusOf } from "./outsiders.ts";

let sandbox: TestSandbox;
let origin: string;

test.beforeAll(async () => {
  sandbox = await startSandbox({ data: CHOSEN });
  origin = new URL(sandbox.baseUrls.installments ?? "").origin;
});
test.afterAll(() => sandbox.stop());

/** Calls of every operation, in order, with the status that each expects. */
const CALLS: readonly [operation: string, path: string, body: unknown, status: number][] = [
  ["about", "", undefined, 200],
  ["health", "/health", undefined, 200],
  ["mockedDocument", "/openapi.json", undefined, 200],
  ["adminDocument", "/openapi/admin.json", undefined, 200],
  ["dataSchema", "/data.schema.json", undefined, 200],
  ["troublesSchema", "/troubles.schema.json", undefined, 200],
  ["deviations", "/deviations", undefined, 200],
  ["faults", "/faults", undefined, 200],
  ["differences", "/differences", undefined, 200],
  ["openTenant", "/tenants", { seed: 5 }, 201],
  ["openTenant", "/tenants", { seed: "five" }, 400],
  ["openTenant", "/tenants", { faults: ["card-enrollment.none"] }, 400],
  ["tenants", "/tenants", undefined, 200],
  ["tenant", "/tenants/{tenant}", undefined, 200],
  ["tenant", "/tenants/nobody", undefined, 404],
  ["closeTenant", "/tenants/{tenant}", undefined, 204],
  ["closeTenant", "/tenants/{tenant}", undefined, 404],
  ["arrange", "/situations", { situation: "internal-failure" }, 201],
  ["arrange", "/situations", { situation: "no such" }, 404],
  ["arrange", "/situations", {}, 400],
  ["link", "/link", { customerId: "7001", accounts: ["checking"] }, 201],
  ["link", "/link", { customerId: "nobody" }, 400],
  ["moveClock", "/clock", { advance: 5 }, 201],
  ["moveClock", "/clock", {}, 400],
  ["time", "/clock", undefined, 200],
  ["time", "/clock?tenant=nobody", undefined, 404],
  ["events", "/events", undefined, 200],
  ["events", "/events?tenant=nobody", undefined, 404],
  ["sendEvent", "/events", { event: "accounts-linked" }, 201],
  ["sendEvent", "/events", { event: "none" }, 404],
  ["sendEvent", "/events", {}, 400],
  ["resolve", "/resolutions", { resolve: "client.example.com:443=127.0.0.1:9" }, 201],
  ["resolve", "/resolutions", { resolve: "client" }, 400],
  ["settle", "/settlement", {}, 201],
  ["mails", "/mails", undefined, 200],
  ["deliveries", "/deliveries?last=5", undefined, 200],
  ["deliveries", "/deliveries?tenant=nobody", undefined, 404],
  ["exchange", "/requests/{request}", undefined, 200],
  ["exchange", "/requests/0", undefined, 404],
  ["takeSnapshot", "/snapshots", { name: "before" }, 201],
  ["snapshots", "/snapshots", undefined, 200],
  ["restore", "/restore", { snapshot: "before" }, 201],
  ["restore", "/restore", { snapshot: "never" }, 404],
  ["restore", "/restore", {}, 400],
  ["removeSnapshot", "/snapshots/before", undefined, 204],
  ["removeSnapshot", "/snapshots/before", undefined, 404],
  ["addTroubles", "/troubles", { troubles: [{ latency: 0 }] }, 201],
  ["addTroubles", "/troubles", { troubles: [{ speed: 0 }] }, 400],
  ["troubles", "/troubles", undefined, 200],
  ["endTroubles", "/troubles", undefined, 204],
  ["requests", "/requests?operation=getPlan&status=200&method=get&after=0&last=3", undefined, 200],
  ["verify", "/verify", { calls: [{ operation: "getPlan", times: 0 }], inOrder: false }, 201],
  ["verify", "/verify", { calls: [{ operaton: "getPlan" }] }, 400],
  ["forgetRequests", "/requests", undefined, 204],
  ["data", "/data", undefined, 200],
  ["reset", "/reset", {}, 201],
];

/** Reads the document as the suite reads a document of a provider. */
const adminContract = async (): Promise<{ operations: Operation[]; schemas: Contract["schemas"] }> => {
  const file = test.info().outputPath("admin.json");
  await writeFile(file, await (await fetch(`${origin}/__sandbox/openapi/admin.json`)).text());
  const document = readDocument(file);
  const { components } = document.root as { components: { schemas: Contract["schemas"] } };
  return { operations: operationsOf(document, "sandbox", "documented"), schemas: components.schemas };
};

const exchangeOf = async (response: Response, { operationId, method }: Operation): Promise<Exchange> => {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries(response.headers);
  return {
    ...{ id: operationId, service: "sandbox", operationId, requestJson: undefined },
    request: { method, url: response.url, headers: {} },
    response: { status: response.status, headers, body, ...jsonOf(body) },
    startedAt: new Date(),
    durationMs: 0,
  };
};

test("the suite's own checks hold for every operation of the admin interface", async () => {
  const { operations, schemas } = await adminContract();
  expect(new Set(CALLS.map(([operation]) => operation))).toEqual(
    new Set(operations.map(({ operationId }) => operationId)),
  );
  const validator = createValidator({ schemas });
  // Other tests may have sent requests and opened tenants before.
  await (await fetch(`${sandbox.baseUrls.installments}/plans/none`)).text();
  const { id: request } = sandbox.requests().at(-1) ?? {};
  let tenant = "";
  for (const [operationId, template, body, status] of CALLS) {
    const operation = operations.find((one) => one.operationId === operationId) as Operation;
    const path = template.replace("{tenant}", tenant).replace("{request}", String(request));
    const response = await fetch(`${origin}/__sandbox${path}`, {
      method: operation.method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    const exchange = await exchangeOf(response, operation);
    const { body: bytes, json } = exchange.response ?? {};
    const what = `${operationId} ${template} ${bytes?.subarray(0, 300)}`;
    expect(response.status, what).toBe(status);
    expect(checkDocumentedStatus(operation, exchange), what).toEqual(HOLDS);
    expect(checkJsonBody(exchange) ?? HOLDS, what).toEqual(HOLDS);
    if (status === 201 && template === "/tenants") tenant = (json as { tenant: string }).tenant;
    const schema = operation.responses[status]?.content["application/json"];
    if (schema === undefined) expect(bytes, what).toHaveLength(0);
    else expect(validator.validate(schema, json), what).toEqual([]);
    const sent = operation.requestBody?.content["application/json"];
    if (status === 201 && sent !== undefined) expect(validator.validate(sent, body), what).toEqual([]);
  }
});

test("the document of the mocked operations stands alone, and names every operation", async () => {
  const document = (await (await fetch(`${origin}/__sandbox/openapi.json`)).json()) as { paths: object };
  const file = test.info().outputPath("mocked.json");
  await writeFile(file, JSON.stringify(document));
  const contracts = services().map((service) => loadContract(service, { providerFile: file }));
  expect((await Promise.all(contracts)).flatMap(({ differences }) => differences.lacking)).toEqual([]);
  expect(Object.values(document.paths).flatMap(Object.keys)).toHaveLength(159);
});

test("requests are recorded and verified: whether, how often and in which order", async () => {
  await sandbox.reset();
  const plan = (id: string) => fetch(`${sandbox.baseUrls.installments}/plans/${id}`);
  await plan("99999999-9999-4999-8999-999999999999");
  await plan("none");
  await fetch(`${sandbox.baseUrls.installments}/nowhere`, { method: "POST" });
  expect(sandbox.requests().map(({ operation, status }) => [operation, status])).toEqual([
    ["getPlan", 200],
    ["getPlan", 404],
    [undefined, 404],
  ]);
  const [found, missed, elsewhere] = [
    { operation: "getPlan", status: 200 },
    { operation: "getPlan", status: 404, times: 1 },
    { method: "post", url: "/nowhere" },
  ];
  sandbox.verify([found, missed, elsewhere], { inOrder: true });
  expect(() => sandbox.verify([missed, found], { inOrder: true })).toThrow("in this order");
  const often = { operation: "getPlan", atMost: 1 };
  expect(sandbox.called([often])).toEqual({ verified: false, results: [{ called: 2, met: false }] });
  expect(() => sandbox.verify([often, found])).toThrow(
    `✗ ${JSON.stringify(often)} came 2 times\n  ✓ ${JSON.stringify(found)} came 1 times`,
  );
  expect(() => sandbox.verify([{ operation: "postOffers" }])).toThrow("came 0 times");
});

test("pages of other origins call the services, but not the admin interface", async () => {
  const url = `${sandbox.baseUrls.installments}/plans/99999999-9999-4999-8999-999999999999`;
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin: "https://shop.example.com",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
    204,
    "https://shop.example.com",
  ]);
  expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization");
  const allowed = async (at: string, from: string) =>
    (await fetch(at, { headers: { origin: from } })).headers.get("access-control-allow-origin");
  expect(await allowed(url, "https://shop.example.com")).toBe("https://shop.example.com");
  expect(await allowed(`${origin}/__sandbox`, "https://shop.example.com")).toBeNull();
  expect(await allowed(`${origin}/__sandbox`, "http://localhost:5173")).toBe("http://localhost:5173");
  expect((await fetch(url)).headers.get("access-control-allow-origin")).toBeNull();
});

test("only this machine commands the sandbox, unless --admin-host allows a name", async () => {
  await using named = await startSandbox({ services: ["installments"], adminHosts: ["admin.example.com"] });
  const base = named.baseUrls.installments ?? "";
  const { host: at, origin: sandboxOrigin } = new URL(base);
  for (const [from, host, command, read] of OUTSIDERS) {
    const headers = { host: at.replace("127.0.0.1", host), ...(from !== "-" && { origin: from }) };
    const admin = `${sandboxOrigin}/__sandbox`;
    expect(await statusOf(`${admin}/reset`, "POST", headers), `${from} ${host}`).toBe(command);
    expect(await statusOf(`${sandboxOrigin}/%5F_sandbox/reset`, "POST", headers)).toBe(command);
    expect(await statusOf(`${admin}/clock`, "GET", headers), `${from} ${host}`).toBe(read);
    expect(await statusOf(`${base}/plans/none`, "GET", headers)).toBe(404);
  }
});

test("a request from another machine commands nothing under a loopback name", () => {
  const sender = (remoteAddress: string, host: string) =>
    outsider({ method: "POST", headers: { host }, socket: { remoteAddress } }, ["admin.example.com"]);
  expect(sender("127.0.0.1", "localhost:4012")).toBeUndefined();
  expect(sender("::ffff:127.0.0.1", "localhost:4012")).toBeUndefined();
  expect(sender("192.0.2.7", "localhost:4012")).toBe("The request comes from another machine.");
  expect(sender("192.0.2.7", "admin.example.com:4012")).toBeUndefined();
});

test("HTTPS is served with the given certificate", async () => {
  const tls = selfSigned("127.0.0.1");
  await using secure = await startSandbox({ services: ["installments"], tls });
  const url = `${secure.baseUrls.installments}/plans/none`;
  expect(url).toMatch(/^https:/);
  const call = requestHttps(url, { ca: tls.cert, checkServerIdentity: () => undefined, agent: false }).end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(404);
  const { code, stderr } = await run("mock", ["--service", "installments", "--cert", "no.pem"]);
  expect([code, stderr]).toEqual([2, "--cert needs --https.\n"]);
});
