/** Access to the financial data sandbox: the app key, tokens, secrets, and the owners of configurations. */
import { expect } from "@playwright/test";
import { send } from "./client.ts";
import { test } from "./fixture.ts";

test("a call needs the app key and a token, authentication only the key", async ({ openTenant }) => {
  const { client } = await openTenant();
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

test("a token lives two hours on the clock of its tenant", async ({ openTenant }) => {
  const [{ client: own, advance }, { client: other }] = [await openTenant(), await openTenant()];
  expect(await advance(7_190)).toMatch(/^\d{4}-.*Z$/);
  expect((await own.operate("GetCustomers")).status).toBe(200);
  await advance(20);
  expect((await own.operate("GetCustomers")).status).toBe(401);
  expect((await other.operate("GetCustomers")).status).toBe(200);
});

test("the fifth wrong secret locks the account permanently", async ({ openTenant }) => {
  const { environment } = await openTenant();
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

test("a secret changes if the new one follows the rules", async ({ openTenant }) => {
  const { client: own, environment } = await openTenant();
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

test("only its owner can read a configuration", async ({ openTenant }) => {
  const { client, arrange } = await openTenant();
  const created = await client.operate("post-configurations", {}, { aoRequired: true });
  expect([created.status, created.json.aoRequired]).toEqual([201, true]);
  const configuration_id = String(created.json.id);
  expect((await client.operate("get-configurations-configurationId", { configuration_id })).status).toBe(200);
  const { FINANCIAL_DATA_CONFIGURATION_ID: foreign = "" } = await arrange("foreign-configuration");
  const read = await client.operate("get-configurations-configurationId", { configuration_id: foreign });
  expect(read.status).toBe(404);
  const { text } = await client.operate("get-configurations");
  expect([text.includes(configuration_id), text.includes(foreign)]).toEqual([true, false]);
});
