/** A sandbox that plays the recording of a real server: here, of another sandbox with data and ids of its own. */
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { dataSeenIn } from "../../../mocks/engine/data/seen.ts";
import { playbackOf } from "../../../mocks/engine/recorded.ts";
import { service as financialData } from "../../../mocks/financial-data/service.ts";
import { startSandbox, type TestSandbox, type TestSandboxOptions } from "../../../mocks/sandbox.ts";
import { recordedIn } from "../../../runner/command/recording-file.ts";
import { CHOSEN, CHOSEN_ONCE } from "../../../tests/self/sandbox/daily/chosen-data.ts";
import { financialClient, type Seen } from "../../../tests/self/sandbox/daily/clients.ts";
import { answersOf } from "../../../tests/self/sandbox/daily/reads.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { closeAll, web } from "../../../tests/self/support/loopback.ts";
import { openRecording } from "../proxy/recording.ts";
import { before, endRecordings } from "./recordings.ts";

const SERVICES = ["financial-data", "installments"] as const;

/** Starts a sandbox with other data, and records what a client does with it. */
const recordingOf = async (
  use: (server: TestSandbox, through: TestSandbox) => Promise<void>,
  { data = CHOSEN, ...options }: Pick<TestSandboxOptions, "data" | "faults"> = {},
) => {
  const contracts = await Promise.all(SERVICES.map((service) => loadContract(service)));
  const chosen = Object.fromEntries(SERVICES.map((service) => [service, data[service] ?? {}]));
  await using server = await startSandbox({ ...options, services: SERVICES, data: chosen });
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

test("a page that was not recorded does not contradict one that was", async () => {
  const page = (start: number, limit: number) => `${CUSTOMERS}?start=${start}&limit=${limit}`;
  const { recorded, data } = await recordingOf(async (_, through) => {
    const client = await financialClient(through);
    for (const username of ["cy-1", "di-1", "ed-1"])
      await client("POST", "/aggregation/v2/customers/testing", { username });
    for (const start of [2, 4]) await client("GET", page(start, 1));
  });
  await using sandbox = await startSandbox({ services: SERVICES, data, recorded });
  const client = await financialClient(sandbox);
  const read = async (start: number, limit: number) => {
    const { found, displaying, moreAvailable, customers } = (await client("GET", page(start, limit))).json;
    const names = (customers as readonly { readonly username: string }[]).map(({ username }) => username);
    return [found, displaying, moreAvailable, names] as const;
  };
  const [[, , , [second]], [, , , [fourth]]] = [await read(2, 1), await read(4, 1)];
  // Nobody saw the fifth customer.
  expect([await read(1, 5), await read(3, 2), await read(1, 1), await read(6, 1)]).toEqual([
    [5, 4, false, [expect.any(String), second, expect.any(String), fourth]],
    [5, 2, true, [expect.any(String), fourth]],
    [5, 1, true, [expect.not.stringMatching(`^(${second}|${fourth})$`)]],
    [5, 0, false, []],
  ]);
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
  const { base, recording } = await before(server);
  const path = "/aggregation/v1/customers/7001/accounts/5001/txpush";
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: '{"callbackUrl":"https://a.test"}' };
  await fetch(`${base}${path}`, init);
  await endRecordings();
  const contract = await loadContract("financial-data");
  const recorded = await recordedIn(recording.log ?? "", [contract]);
  const operation = contract.operations.find((one) => one.path.endsWith("/txpush") && one.method === "POST");
  const asked = { path: { customerId: "7001", accountId: "5001" }, query: {}, bytes: Buffer.from(init.body) };
  const { written } = playbackOf(contract, recorded, () => "").answer(operation as Operation, asked) ?? {};
  expect(String(written)).toContain(subscription);
  expect(String(written)).not.toContain("abcdefgh12345678");
});

const TO_ENRICH = {
  ...{ externalCustomerId: "theirs-3", externalAccountId: "a", externalTransactionId: "t", amount: 1 },
  ...{ accountType: "checking", transactionTimestamp: "2026-11-01T12:00:00Z", description: "MILL BAKERY" },
};
const PAY_REQUEST = { settlementAmount: 20, settleByDate: "2026-12-24" };

const ACCESS = {
  ...{ customerId: "7001", partnerId: "9000", thirdPartyPartnerId: "9002" },
  products: [
    {
      ...{ product: "availableBalance", accountId: "5001" },
      accessPeriod: { type: "timeframe", startTime: "2026-12-01T12:00:00Z", endTime: "2027-12-01T12:00:00Z" },
    },
  ],
};
const RECEIVER = {
  ...{ routingNumber: "071000013", accountNumber: "7654321" },
  ...{ accountType: "personalChecking", name: "Ada Example" },
};

const PLACE = "streetAddress=1&city=Fairview&stateProvinceRegion=TX&postalCode=75069";

/** The calls that show what no read with an identifier shows as a whole. */
const MAKING: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["GET", "/transfer/customers/7001/deposit-switches/switch-1"],
  ["GET", `/decisioning/sbca/location-matches?merchantName=Ada's%20Lamps&${PLACE}`],
  ["POST", "/aggregation/v1/customers/7001/payStatements", { label: "lastPayPeriod", statement: "JVBERi0=" }],
  ["POST", "/payments/customers/7001/accounts/5001/payment-success-indicators", PAY_REQUEST],
  ["POST", "/decisioning/v2/customers/7001/voa", {}],
  ["POST", "/data-enrichment/transactions", { transactions: [TO_ENRICH] }],
  ["POST", "/aggregation/v1/partners/accessKey", ACCESS],
  ["POST", "/microentry/v1/customers/7001", { receiver: RECEIVER }],
];

const LISTENED = "/aggregation/v1/customers/7001/accounts/5001/txpush";

/** The kinds that a recording cannot show, and why. */
const UNSEEN = { formerConsumers: "a recording shows no deleted customers" };

test("a recording of the reads and creations of everything starts with each kind of resource", async () => {
  const contract = await loadContract("financial-data");
  const { data } = await recordingOf(
    async (_, through) => {
      const listener = await web((_, response) => void response.end());
      await answersOf(through, contract, 0, CHOSEN_ONCE);
      const client = await financialClient(through);
      for (const call of MAKING) expect((await client(...call)).status, call[1]).toBeLessThan(300);
      const subscribed = await client("POST", LISTENED, { callbackUrl: listener });
      expect(subscribed).toMatchObject({ status: 201, json: { subscriptions: [{ type: "account" }, {}] } });
      await closeAll();
    },
    // A listener of a test has no well-known port.
    { data: CHOSEN_ONCE, faults: ["financial-data.txpush.other-ports-fail.accepted"] },
  );
  const { "financial-data": seen = {} } = data;
  const shown = contract.operations.flatMap(({ produces, finds }) => [...produces, ...finds]);
  const { properties } = financialData.dataSchema as { readonly properties: Record<string, object> };
  const kinds = Object.entries(properties).flatMap(([name, schema]) =>
    shown.some(({ resource }) => JSON.stringify(schema).includes(`"x-resource":"${resource}"`)) ? [name] : [],
  );
  // Only requests name partners.
  expect([...Object.keys(seen), ...Object.keys(UNSEEN)].sort()).toEqual([...kinds, "partners"].sort());
  await using played = await startSandbox({ services: SERVICES, data });
  const again = await financialClient(played);
  for (const [kind, key, path] of [
    ["webhooks", "id", "/notification-subscriptions/webhooks/"],
    ["thirdParties", "receiptId", "/aggregation/v1/partners/accessKey/"],
    ["txPush", "id", "/aggregation/v1/customers/7001/subscriptions/"],
  ] as const) {
    const [row] = seen[kind] as readonly [Readonly<Record<string, string>>];
    expect((await again("DELETE", `${path}${row[key]}`)).status, kind).toBe(204);
  }
  expect(played.data()["financial-data"]).toMatchObject({
    ...{ webhooks: [], thirdParties: [], txPush: [{ type: "transaction" }] },
    ...{ portfolios: seen.portfolios, microDeposits: seen.microDeposits },
  });
  expect(played.credentials.FINANCIAL_DATA_PARTNER_ID).toBe("9000");
});
