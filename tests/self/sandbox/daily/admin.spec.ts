/** The admin interface against its own OpenAPI document, and the edges: origins, hosts and HTTPS. */

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { expect, test } from "@playwright/test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { selfSigned } from "../../../../helpers/flows/self-signed.ts";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { run } from "../../support/command.ts";
import { CHOSEN } from "./chosen-data.ts";

let sandbox: TestSandbox;
let origin: string;

test.beforeAll(async () => {
  sandbox = await startSandbox({ data: CHOSEN });
  origin = new URL(sandbox.baseUrls.installments ?? "").origin;
});
test.afterAll(() => sandbox.stop());

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

const documentAt = async (path: string): Promise<Document> =>
  (await (await fetch(`${origin}${path}`)).json()) as Document;

/** Calls of every operation, in order, with the status that each expects. */
const CALLS: readonly [operation: string, path: string, body: unknown, status: number][] = [
  ["about", "", undefined, 200],
  ["health", "/health", undefined, 200],
  ["mockedDocument", "/openapi.json", undefined, 200],
  ["adminDocument", "/openapi/admin.json", undefined, 200],
  ["dataSchema", "/data.schema.json", undefined, 200],
  ["troublesSchema", "/troubles.schema.json", undefined, 200],
  ["faults", "/faults", undefined, 200],
  ["differences", "/differences", undefined, 200],
  ["openTenant", "/tenants", { seed: 5 }, 201],
  ["openTenant", "/tenants", { seed: "five" }, 400],
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
  ["resolve", "/resolutions", { resolve: "client.example.com:443=127.0.0.1:9" }, 201],
  ["resolve", "/resolutions", { resolve: "client" }, 400],
  ["settle", "/settlement", {}, 201],
  ["mails", "/mails", undefined, 200],
  ["deliveries", "/deliveries", undefined, 200],
  ["deliveries", "/deliveries?tenant=nobody", undefined, 404],
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
  ["requests", "/requests?operation=getPlan&status=200&method=get&after=0", undefined, 200],
  ["verify", "/verify", { calls: [{ operation: "getPlan", times: 0 }], inOrder: false }, 201],
  ["verify", "/verify", { calls: [{ operaton: "getPlan" }] }, 400],
  ["forgetRequests", "/requests", undefined, 204],
  ["data", "/data", undefined, 200],
  ["reset", "/reset", {}, 201],
];

test("every answer of the admin interface matches its document, and every operation is called", async () => {
  const document = await documentAt("/__sandbox/openapi/admin.json");
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  expect(new Set(CALLS.map(([operation]) => operation))).toEqual(
    new Set(operations.map(({ operationId }) => operationId)),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = (schema: object, value: unknown) =>
    ajv.compile({ ...schema, components: document.components })(value);
  // Other tests may have opened tenants before.
  let tenant = "";
  for (const [operationId, template, body, status] of CALLS) {
    const path = template.replace("{tenant}", tenant);
    const operation = operations.find((one) => one.operationId === operationId);
    const response = await fetch(`${origin}/__sandbox${path}`, {
      method: operation?.method.toUpperCase() ?? "GET",
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    const text = await response.text();
    const what = `${operationId} ${path} ${text.slice(0, 300)}`;
    expect(response.status, what).toBe(status);
    if (status === 201 && template === "/tenants") tenant = (JSON.parse(text) as { tenant: string }).tenant;
    const content = operation?.responses[String(status)]?.content;
    if (content === undefined) expect(text, what).toBe("");
    else expect(fits(content["application/json"]?.schema ?? {}, JSON.parse(text)), what).toBe(true);
    const sent = operation?.requestBody?.content["application/json"]?.schema;
    if (status === 201 && sent !== undefined) expect(fits(sent, body), what).toBe(true);
  }
});

test("the document of the mocked operations stands alone, and names every operation", async () => {
  const document = await documentAt("/__sandbox/openapi.json");
  const file = test.info().outputPath("mocked.json");
  await writeFile(file, JSON.stringify(document));
  const { code, stderr } = await run("diff", [file, file]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(Object.values(document.paths).flatMap(Object.keys)).toHaveLength(159);
});

test("requests are recorded and verified: whether, how often and in which order", async () => {
  await sandbox.reset();
  const plan = (id: string) => fetch(`${sandbox.baseUrls.installments}/plans/${id}`);
  await plan("plan-1");
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
  expect(sandbox.verify([found, missed, elsewhere], { inOrder: true })).toMatchObject({ verified: true });
  expect(sandbox.verify([missed, found], { inOrder: true })).toMatchObject({
    verified: false,
    inOrder: false,
  });
  expect(sandbox.verify([{ operation: "getPlan", atMost: 1 }])).toEqual({
    verified: false,
    results: [{ called: 2, met: false }],
  });
  expect(sandbox.verify([{ operation: "postOffers" }]).verified).toBe(false);
});

test("pages of other origins call the services, but not the admin interface", async () => {
  const url = `${sandbox.baseUrls.installments}/plans/plan-1`;
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

test("HTTPS is served with the given certificate", async () => {
  const tls = selfSigned("127.0.0.1");
  await using secure = await startSandbox({ services: ["installments"], tls });
  const url = `${secure.baseUrls.installments}/plans/none`;
  expect(url).toMatch(/^https:/);
  const call = requestHttps(url, { ca: tls.cert, checkServerIdentity: () => undefined, agent: false }).end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(404);
  const { code, stderr } = await run("mock", ["--service", "installments", "--cert", "no.pem"]);
  expect([code, stderr]).toEqual([2, "--cert and --key need --https.\n"]);
});
