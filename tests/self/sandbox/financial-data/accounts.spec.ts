/** Accounts in the financial data sandbox: read, refreshed, migrated and deleted. */
import { request } from "node:http";
import { expect } from "@playwright/test";
import { pathIds, statusesAmiss } from "./every-status.ts";
import { DOCUMENTS, test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

const READS = [
  "GetCustomerAccountsByInstitutionLogin",
  "GetCustomerAccount",
  "GetCustomerAccounts",
  "GetCustomerAccountsByInstitution",
  "GetCustomerAccountsByInstitutionSimple",
  "GetCustomerAccountsByInstitutionLoginSimple",
  "GetCustomerAccountSimple",
  "GetCustomerAccountsSimple",
];
const REFRESHES = [
  "RefreshCustomerAccountsByInstitutionLogin",
  "RefreshCustomerAccountsByInstitutionLoginV2",
  "RefreshCustomerAccounts",
  "RefreshCustomerAccountsV2",
];
const CHANGES = [
  "MigrateInstitutionLoginAccounts",
  "DeleteCustomerAccount",
  "DeleteCustomerAccountsByInstitutionLogin",
];

interface Account {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly institutionId: string;
  readonly aggregationAttemptDate: number;
}

const arranged = async ({ arrange }: Tenant, situation: string): Promise<Record<string, string>> =>
  pathIds(await arrange(situation));

const accountsIn = ({ json }: { json: Readonly<Record<string, unknown>> }) => json.accounts as Account[];

const attempt = async ({ client }: Tenant, ids: Record<string, string>): Promise<number> =>
  Number((await client.operate("GetCustomerAccount", ids)).json.aggregationAttemptDate);

for (const [document, lane] of DOCUMENTS) {
  test(`every documented status has a body that matches ${document}`, lane, async ({ openTenantOf }) => {
    const own = await openTenantOf(document);
    const ids = await arranged(own, "legacy-connection");
    expect(await statusesAmiss({ ...own, ids, more: {} }, [...READS, ...REFRESHES, ...CHANGES])).toEqual([]);
  });
}

test("accounts of every documented type are listed, and filtered by status and type", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const customerId = own.client.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const list = async (query: string) =>
    accountsIn(await own.client.operate("GetCustomerAccounts", { customerId }, undefined, query));
  expect(new Set((await list("")).map(({ type }) => type)).size).toBe(10);
  for (const spelling of ["cd", "certificateOfDeposit"]) {
    expect((await list(`?account_type=${spelling}`)).map(({ type }) => type)).toEqual(["cd"]);
  }
  expect(await list("?status=pending")).toEqual([]);
});

test("the simple variants show only active accounts, without numbers and balances", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const ids = await arranged(own, "inactive-account");
  for (const operationId of READS.filter(
    (id) => id.includes("AccountsB") || id === "GetCustomerAccountsSimple",
  )) {
    const answered = await own.client.operate(operationId, ids);
    const isSimple = operationId.endsWith("Simple");
    expect([operationId, accountsIn(answered).length]).toEqual([operationId, isSimple ? 1 : 2]);
    expect([operationId, /"(number|balance|detail)":/.test(answered.text)]).toEqual([operationId, !isSimple]);
  }
  const inactive = { ...ids, accountId: ids.inactive ?? "" };
  expect((await own.client.operate("GetCustomerAccountSimple", inactive)).status).toBe(404);
  expect((await own.client.operate("GetCustomerAccount", inactive)).json.status).toBe("pending");
});

test("each refresh and each day updates the aggregation attempt date", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "two-logins");
  const dates = [await attempt(own, ids)];
  for (const operationId of REFRESHES) {
    await own.client.operate(operationId, ids);
    dates.push(await attempt(own, ids));
  }
  await own.advance(7_000);
  expect(await attempt(own, ids)).toBe(dates.at(-1));
  await own.advance(80_000);
  const again = await own.signIn();
  dates.push(await attempt({ ...own, client: again }, ids));
  expect([...new Set(dates)].sort((a, b) => a - b)).toEqual(dates);
});

test("a refresh of a slow institution finishes even after the client disconnects", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "slow-institution");
  const before = await attempt(own, ids);
  const { FINANCIAL_DATA_BASE_URL: base, FINANCIAL_DATA_APP_KEY: key = "" } = own.environment;
  const headers = { "partner-app-key": key, "partner-app-token": own.client.token };
  const leaving = request(`${base}/aggregation/v2/customers/${ids.customerId}/accounts`, {
    method: "POST",
    headers,
  });
  leaving.on("error", () => {});
  await new Promise<void>((sent) => leaving.end(sent));
  // When this is answered, the sandbox has read the earlier request.
  await own.client.operate("GetCustomerAccounts", ids);
  leaving.destroy();
  expect(await attempt(own, ids)).toBe(before);
  await own.advance(120);
  expect(await attempt(own, ids)).toBeGreaterThan(before);
});

test("a deleted account is gone, and every other account stays", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "two-logins");
  const all = accountsIn(await own.client.operate("GetCustomerAccounts", ids));
  expect((await own.client.operate("DeleteCustomerAccount", ids)).status).toBe(204);
  expect((await own.client.operate("GetCustomerAccount", ids)).status).toBe(404);
  const left = async () =>
    accountsIn(await own.client.operate("GetCustomerAccounts", ids)).map(({ id }) => id);
  expect(await left()).toEqual(all.slice(1).map(({ id }) => id));
  expect((await own.client.operate("DeleteCustomerAccountsByInstitutionLogin", ids)).status).toBe(204);
  expect(await left()).toEqual(all.slice(2).map(({ id }) => id));
  expect((await own.client.operate("GetCustomerAccountsByInstitutionLogin", ids)).status).toBe(404);
});

test("migration moves a login to the OAuth institution, once", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "legacy-connection");
  const migrated = accountsIn(await own.client.operate("MigrateInstitutionLoginAccounts", ids));
  expect(migrated).toHaveLength(2);
  expect(migrated.map(({ institutionId }) => institutionId)).not.toContain(ids.institutionId);
  expect(await own.client.operate("MigrateInstitutionLoginAccounts", ids)).toMatchObject({ status: 400 });
});

test("each fault is visible in its operation", async ({ openTenant }) => {
  const attemptsAfter = (operationId: string, advance: number) => async (own: Tenant) => {
    const ids = await arranged(own, "two-logins");
    const before = await attempt(own, ids);
    if (operationId !== "") await own.client.operate(operationId, ids);
    if (advance > 0) await own.advance(advance);
    const client = await own.signIn();
    return (await attempt({ ...own, client }, ids)) > before;
  };
  const left =
    (operationId: string, situation = "two-logins") =>
    async (own: Tenant) => {
      const ids = await arranged(own, situation);
      const { status } = await own.client.operate(operationId, ids);
      const accounts = accountsIn(await own.client.operate("GetCustomerAccounts", ids));
      return [
        status,
        accounts.length,
        accounts.filter(({ institutionId }) => institutionId === ids.institutionId).length,
      ];
    };
  const simple = async (own: Tenant) => {
    const { text, json } = await own.client.operate(
      "GetCustomerAccountsSimple",
      await arranged(own, "inactive-account"),
    );
    return [text.includes('"balance"'), accountsIn({ json }).length];
  };
  const cases: [fault: string, see: (own: Tenant) => Promise<unknown>, straight: unknown, faulty: unknown][] =
    [
      [
        "accounts.refresh.aggregation-attempt-date.stays",
        attemptsAfter("RefreshCustomerAccounts", 0),
        true,
        false,
      ],
      ["accounts.refresh.daily-automatic.never", attemptsAfter("", 90_000), true, false],
      ["accounts.simple.basic-information.in-full", simple, [false, 1], [true, 1]],
      ["accounts.simple.active-only.inactive-too", simple, [false, 1], [false, 2]],
      [
        "DeleteCustomerAccount.removes-access.still-there",
        left("DeleteCustomerAccount"),
        [204, 2, 1],
        [204, 3, 2],
      ],
      [
        "DeleteCustomerAccount.others-stay.others-go-too",
        left("DeleteCustomerAccount"),
        [204, 2, 1],
        [204, 0, 0],
      ],
      [
        "DeleteCustomerAccountsByInstitutionLogin.others-stay.others-go-too",
        left("DeleteCustomerAccountsByInstitutionLogin"),
        [204, 1, 0],
        [204, 0, 0],
      ],
      [
        "DeleteCustomerAccountsByInstitutionLogin.removes-access.still-there",
        left("DeleteCustomerAccountsByInstitutionLogin"),
        [204, 1, 0],
        [204, 3, 2],
      ],
      [
        "MigrateInstitutionLoginAccounts.to-oauth.stays-legacy",
        left("MigrateInstitutionLoginAccounts", "legacy-connection"),
        [200, 2, 0],
        [200, 2, 2],
      ],
    ];
  for (const [fault, see, straight, faulty] of cases) {
    expect([fault, await see(await openTenant())]).toEqual([fault, straight]);
    expect([fault, await see(await openTenant(fault))]).toEqual([fault, faulty]);
  }
});
