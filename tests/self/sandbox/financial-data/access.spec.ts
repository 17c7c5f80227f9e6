/** Who may call the sandbox of financial data: the app key, tokens and secrets, and configurations that are one's own. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import type { Sandbox } from "../../../../mocks/engine/server.ts";
import { admin, type Client, clientOf, contractOf, send, startFinancialData } from "./client.ts";
import { openTenant } from "./witness.ts";

let contract: Contract;
let sandbox: Sandbox;
let client: Client;

test.beforeAll(async () => {
  contract = await contractOf();
  sandbox = await startFinancialData(contract);
  client = await clientOf(contract, sandbox.environment);
});

test.afterAll(() => sandbox.close());

test("a call needs the app key and a token, and authentication the key alone", async () => {
  const base = client.environment.FINANCIAL_DATA_BASE_URL;
  const key = client.environment.FINANCIAL_DATA_APP_KEY ?? "";
  const statuses = [];
  for (const headers of [
    {},
    { "partner-app-key": key },
    { "partner-app-token": client.token },
    { "partner-app-key": "x", "partner-app-token": client.token },
    { "partner-app-key": key, "partner-app-token": "x" },
    { "partner-app-key": key, "partner-app-token": client.token },
  ]) {
    const { status } = await send(
      "GET",
      `${base}/aggregation/v1/customers`,
      headers as Record<string, string>,
    );
    statuses.push(status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 200]);
});

test("a token lives two hours on the clock of its tenant", async () => {
  const { client: own, name } = await openTenant(contract, sandbox);
  const moveClock = (body: { advance: number }) =>
    admin(sandbox, "POST", "/clock", { tenant: name, ...body });
  const { json } = await moveClock({ advance: 7_190 });
  expect(json).toEqual({ now: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect((await own.operate("GetCustomers")).status).toBe(200);
  await moveClock({ advance: 20 });
  expect((await own.operate("GetCustomers")).status).toBe(401);
  expect((await client.operate("GetCustomers")).status).toBe(200);
});

test("the fifth wrong secret locks the account for good", async () => {
  const { environment } = await openTenant(contract, sandbox);
  const id = environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_ID;
  const right = environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET;
  const signIn = async (partnerSecret: unknown) => {
    const url = `${environment.FINANCIAL_DATA_BASE_URL}/aggregation/v2/partners/authentication`;
    const key = { "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "" };
    return (await send("POST", url, key, { partnerId: id, partnerSecret })).status;
  };
  expect(await signIn(right)).toBe(200);
  for (let failures = 0; failures < 4; failures += 1) expect(await signIn("wrong")).toBe(401);
  expect(await signIn(right)).toBe(200);
  for (let failures = 0; failures < 5; failures += 1) expect(await signIn("wrong")).toBe(401);
  expect(await signIn(right)).toBe(401);
});

test("a secret is changed when the new one keeps the rules", async () => {
  const { client: own, environment } = await openTenant(contract, sandbox);
  const change = (newPartnerSecret: string) =>
    own.operate(
      "ModifyPartnerSecret",
      {},
      {
        partnerId: environment.FINANCIAL_DATA_PARTNER_ID,
        partnerSecret: environment.FINANCIAL_DATA_PARTNER_SECRET,
        newPartnerSecret,
      },
    );
  const refused = ["Short1aaaaa", "a1".repeat(128), "no-digit-in-here", "123456789012", "blank in it 1"];
  for (const secret of refused) expect([secret, (await change(secret)).status]).toEqual([secret, 400]);
  expect((await change("Fresh_Secret-1!")).status).toBe(204);
  expect((await change("Fresh_Secret-2!")).status).toBe(401);
});

test("a configuration is its owner's alone", async () => {
  const created = await client.operate("post-configurations", {}, { aoRequired: true });
  expect([created.status, created.json.aoRequired]).toEqual([201, true]);
  const configuration_id = String(created.json.id);
  expect((await client.operate("get-configurations-configurationId", { configuration_id })).status).toBe(200);
  const arranged = await admin(sandbox, "POST", "/situations", { situation: "foreign-configuration" });
  const foreign = (arranged.json.environment as Record<string, string>).FINANCIAL_DATA_CONFIGURATION_ID ?? "";
  const read = await client.operate("get-configurations-configurationId", { configuration_id: foreign });
  expect(read.status).toBe(404);
  const { text } = await client.operate("get-configurations");
  expect([text.includes(configuration_id), text.includes(foreign)]).toEqual([true, false]);
});
