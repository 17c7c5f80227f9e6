/** A sandbox that plays the recording of a real server: here, of another sandbox with data and ids of its own. */
import { expect, test } from "@playwright/test";
import type { Contract, Operation } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { externalTarget, targetOf } from "../../../../helpers/target/load-target.ts";
import { resourcesSeen } from "../../../../mocks/engine/convention-data.ts";
import { dataSeenIn } from "../../../../mocks/engine/data/seen.ts";
import { HIDDEN, playbackOf, type RecordedCall } from "../../../../mocks/engine/recorded.ts";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { recordedIn } from "../../../../runner/command/recording-file.ts";
import { openRecording } from "../../../../runner/proxy/recording.ts";
import { temporary } from "../../support/command.ts";
import { closeAll, web } from "../../support/loopback.ts";
import { CHOSEN } from "./chosen-data.ts";
import { financialClient, type Seen } from "./clients.ts";

const SERVICES = ["financial-data", "installments"] as const;

const CHOSEN_HERE = Object.fromEntries(SERVICES.map((service) => [service, CHOSEN[service] ?? {}]));

/** Starts a sandbox with other data, and records what a client does with it. */
const recordingOf = async (use: (server: TestSandbox, through: TestSandbox) => Promise<void>) => {
  const contracts = await Promise.all(SERVICES.map((service) => loadContract(service)));
  await using server = await startSandbox({ services: SERVICES, data: CHOSEN_HERE });
  const target = targetOf("real", { ...server.credentials }, false);
  const recording = await openRecording({ target, contracts, port: 0, out: await temporary() });
  await use(server, { ...server, baseUrls: recording.proxy.baseUrls } as TestSandbox);
  await recording.end({});
  const recorded = await recordedIn(recording.log ?? "", contracts);
  return { recorded, data: await dataSeenIn(recorded.calls, contracts) };
};

const CUSTOMERS = "/aggregation/v1/customers";

/** The requests at the end of the recording, in order. */
const CALLS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["GET", `${CUSTOMERS}/7001/accounts`],
  ["GET", "/aggregation/v2/customers/7001/accounts/5001"],
  ["GET", "/aggregation/v3/customers/7001/transactions?fromDate=1600000000&toDate=1900000000&limit=1"],
  ["GET", `${CUSTOMERS}/404`],
  ["POST", "/aggregation/v2/customers/testing", { username: "ada" }],
  ["GET", "/institution/v2/institutions/42"],
  ["GET", CUSTOMERS],
];

test("it starts with the resources and answers of the real server, and lets clients change them", async () => {
  const answers: Seen[] = [];
  const { recorded, data } = await recordingOf(async (_, through) => {
    const client = await financialClient(through);
    await client("GET", CUSTOMERS);
    await client("GET", `${CUSTOMERS}/7001`);
    await client("POST", "/aggregation/v2/customers/testing", { username: "cy-1", firstName: "Cy" });
    await client("DELETE", `${CUSTOMERS}/7000`);
    await client("PUT", `${CUSTOMERS}/7001`, { firstName: "Adele", lastName: "Example" });
    for (const call of CALLS) answers.push(await client(...call));
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 409, 200, 200]);
  expect(data["financial-data"]).toMatchObject({
    institutions: [{ id: 42, name: "First Fictional Bank" }],
    customers: [
      { username: "ada", firstName: "Adele", logins: [{ id: "4001", accounts: [{ id: "5001" }, {}] }] },
      { username: "cy-1", firstName: "Cy" },
    ],
  });
  await using sandbox = await startSandbox({ services: SERVICES, data, recorded });
  const client = await financialClient(sandbox);
  const shown = (seen: unknown) => JSON.parse(JSON.stringify(seen).replaceAll(/127\.0\.0\.1:\d+/g, "server"));
  for (const [index, call] of CALLS.entries())
    expect(shown(await client(...call)), call[1]).toEqual(shown(answers[index]));
  const { json } = await client(...(CALLS[2] ?? ["", ""]));
  expect(JSON.stringify(json)).not.toContain(recorded.baseUrls["financial-data"]);
  // The client changes what was recorded.
  const { json: renamed } = await client("GET", `${CUSTOMERS}/7001`);
  expect(renamed.firstName).toBe("Adele");
  expect((await client("PUT", `${CUSTOMERS}/7001`, { firstName: "Ava", lastName: "B" })).status).toBe(204);
  expect((await client("GET", `${CUSTOMERS}/7001`)).json.firstName).toBe("Ava");
  expect((await client("GET", "/aggregation/v2/customers/7001/accounts/5001")).json).toMatchObject({
    balance: 321.09,
  });
  const restore = sandbox.snapshot();
  expect((await client("DELETE", `${CUSTOMERS}/7001`)).status).toBe(204);
  for (const path of ["", "/accounts"])
    expect((await client("GET", `${CUSTOMERS}/7001${path}`)).status).toBe(404);
  expect((await client("GET", CUSTOMERS)).json).toMatchObject({ found: 1 });
  await restore();
  expect((await client("GET", `${CUSTOMERS}/7001`)).json.firstName).toBe("Ava");
  await sandbox.reset();
  const again = await financialClient(sandbox);
  expect((await again("GET", `${CUSTOMERS}/7001`)).json.firstName).toBe("Adele");
});

test("an offer of the recording can be chosen", async () => {
  const purchase = {
    useCase: "DURING_PURCHASE",
    consumer: { panListId: "list-1", primaryAccountNumber: "5555341244441115" },
    merchant: { merchantLegalName: "My Lamps", countryCode: "USA", acquirerICA: "001111" },
    transaction: { amount: 250.25, currency: "USD" },
  };
  const call = async ({ baseUrls, credentials }: TestSandbox, path: string, content: unknown) => {
    const { INSTALLMENTS_AUTHORIZATION: authorization = "" } = credentials;
    const headers = { authorization, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(content) };
    const response = await fetch(`${baseUrls.installments}${path}`, init);
    return { status: response.status, json: await response.json() };
  };
  let seen: unknown;
  const { recorded, data } = await recordingOf(async (_, through) => {
    seen = await call(through, "/offers", purchase);
  });
  await using sandbox = await startSandbox({ services: SERVICES, data, recorded });
  const answer = await call(sandbox, "/offers", purchase);
  expect(answer).toEqual(seen);
  const [{ offerId }] = (answer.json as { readonly offers: readonly [{ readonly offerId: string }] }).offers;
  expect((await call(sandbox, "/plans", { offerId, useCase: "DURING_PURCHASE" })).status).toBe(201);
});

test("integers that a double does not hold keep their digits, beside values that the recording hides", async () => {
  const subscription = `{"id":12345678901234567890,"accountId":5001,"type":"account","callbackUrl":"https://a.test"`;
  const server = await web((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(`{"subscriptions":[${subscription},"signingKey":"abcdefgh12345678"}]}`);
  });
  const contracts = [await loadContract("financial-data")];
  const target = externalTarget("real", { FINANCIAL_DATA_BASE_URL: server });
  const recording = await openRecording({ target, contracts, port: 0, out: await temporary() });
  const path = "/aggregation/v1/customers/7001/accounts/5001/txpush";
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: '{"callbackUrl":"https://a.test"}' };
  await fetch(`${recording.proxy.baseUrls["financial-data"]}${path}`, init);
  await recording.end({});
  await closeAll();
  const recorded = await recordedIn(recording.log ?? "", contracts);
  const [contract] = contracts as [Contract];
  const operation = contract.operations.find((one) => one.path.endsWith("/txpush") && one.method === "POST");
  const asked = { path: { customerId: "7001", accountId: "5001" }, query: {}, bytes: Buffer.from(init.body) };
  const { written } = playbackOf(contract, recorded, () => "").answer(operation as Operation, asked) ?? {};
  expect(String(written)).toContain(subscription);
  expect(String(written)).not.toContain("abcdefgh12345678");
});

test("resources of any document are recognised by the places of their identifiers", () => {
  const operation = (method: string, path: string, more: object) => ({
    method,
    path,
    parameters: [{ in: "path", name: "id", resource: "room" }],
    finds: [],
    produces: [],
    ...more,
  });
  const calls = [
    [
      operation("POST", "/rooms", { produces: [{ resource: "room", pointer: "/id" }] }),
      {},
      { id: 1, size: 4 },
    ],
    [
      operation("GET", "/rooms", { finds: [{ resource: "room", pointer: "/rooms/*/id" }] }),
      {},
      { rooms: [{ id: 2 }, { id: 3 }] },
    ],
    [operation("GET", "/rooms/{id}", {}), { id: "2" }, { id: 2, size: HIDDEN, name: "Blue" }],
    [operation("PATCH", "/rooms/{id}", {}), { id: "2" }, undefined],
    [operation("DELETE", "/rooms/{id}", {}), { id: "3" }, undefined],
  ].map(([one, path, json]) => ({
    operation: one,
    path,
    json,
    query: [],
    status: 200,
    body: { name: "Red" },
  }));
  expect(resourcesSeen(calls as unknown as readonly RecordedCall[], { schemas: {}, operations: [] })).toEqual(
    {
      room: { 1: { id: 1, name: "Red", size: 4 }, 2: { id: 2, name: "Red" } },
    },
  );
});
