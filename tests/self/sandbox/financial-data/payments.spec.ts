/** Payments data in the financial data sandbox: owners, payment instructions, loans, balances and matches. */
import { expect } from "@playwright/test";
import { pathIds, statusesAmiss } from "./every-status.ts";
import { DOCUMENTS, test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

const OPERATIONS = [
  "GetAccountOwner",
  "GetAccountOwnerDetails",
  "GetAccountACHDetails",
  "GetAccountPaymentInstructionDetails",
  "GetLoanPaymentDetails",
  "GetAvailableBalanceLive",
  "GetAvailableBalance",
  "GetAccountDetailsByInstitutionLoginId",
  "GetAccountDetailsByAccountId",
  "AccountMatchingScoreDetails",
];
const MATCH = "AccountMatchingScoreDetails";
const HOLDER = { firstName: "Robin", lastName: "Fielding" };
const REQUEST = {
  name: HOLDER,
  phone: "8015550142",
  email: "robin.fielding@example.com",
  address: { line1: "12 Harbor Lane", city: "Fairview", state: "TX", postalCode: "75069", country: "US" },
};

const arranged = async ({ arrange }: Tenant, situation: string) => pathIds(await arrange(situation));

/** Returns the account ids of the customer that has one account of each documented type. */
const byType = async ({ client, environment }: Tenant): Promise<Map<string, Record<string, string>>> => {
  const ids = pathIds(environment);
  const { json } = await client.operate("GetCustomerAccounts", ids);
  const accounts = json.accounts as { id: string; type: string; institutionLoginId: unknown }[];
  return new Map(
    accounts.map(({ id, type, institutionLoginId }) => [
      type,
      { ...ids, accountId: id, institutionLoginId: String(institutionLoginId) },
    ]),
  );
};

const typesServed = async (own: Tenant, operationId: string): Promise<string[]> => {
  const served: string[] = [];
  for (const [type, ids] of await byType(own)) {
    const { status } = await own.client.operate(operationId, ids);
    if (status === 200) served.push(type);
    else expect([operationId, type, status]).toEqual([operationId, type, 400]);
  }
  return served;
};

for (const [document, lane] of DOCUMENTS) {
  test(`every documented status has a body that matches ${document}`, lane, async ({ openTenantOf }) => {
    const own = await openTenantOf(document);
    const types = await byType(own);
    const ids = types.get("checking") ?? {};
    const more = {
      GetAccountOwner: { statuses: { 203: await arranged(own, "mfa-account") } },
      GetLoanPaymentDetails: { ids: types.get("studentLoan") ?? {} },
      [MATCH]: { body: REQUEST, statuses: { 408: await arranged(own, "silent-institution") } },
    };
    expect(await statusesAmiss({ ...own, ids, more }, OPERATIONS)).toEqual([]);
  });
}

test("each operation serves its own account types and refuses the others", async ({ openTenant }) => {
  const own = await openTenant();
  const deposits = ["checking", "savings", "moneyMarket", "cd"];
  const expected: Record<string, string[]> = {
    GetAccountACHDetails: deposits,
    GetAccountPaymentInstructionDetails: deposits.slice(0, 3),
    GetLoanPaymentDetails: ["mortgage", "loan", "studentLoan"],
    GetAvailableBalanceLive: deposits,
    GetAvailableBalance: deposits,
  };
  for (const [operationId, types] of Object.entries(expected)) {
    expect([operationId, await typesServed(own, operationId)]).toEqual([operationId, types]);
  }
});

test("payment instructions contain the ACH details, and the transfer directions of each payment network", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const ids = (await byType(own)).get("checking") ?? {};
  const { json: ach } = await own.client.operate("GetAccountACHDetails", ids);
  const { json } = await own.client.operate("GetAccountPaymentInstructionDetails", ids);
  const instructions = json.paymentInstruction as Record<string, unknown>[];
  expect(instructions[0]).toMatchObject({
    type: "ACH",
    accountNumber: ach.realAccountNumber,
    descriptors: [{ type: "routingNumber", value: ach.routingNumber }],
  });
  expect(instructions.length).toBeGreaterThan(1);
  for (const { transferInEnabled, transferOutEnabled } of instructions) {
    expect([typeof transferInEnabled, typeof transferOutEnabled]).toEqual(["boolean", "boolean"]);
  }
});

/** Returns the successive reads of a balance that changes half an hour after it was fetched. */
const balancesSeen = async (own: Tenant): Promise<unknown[]> => {
  const ids = await arranged(own, "two-logins");
  const read = async (operationId: string, query = "") => {
    const { json } = await own.client.operate(operationId, ids, undefined, query);
    return json.availableBalance;
  };
  const first = await read("GetAvailableBalanceLive");
  await own.advance(1_800);
  await own.arrange("account-change", { accountId: ids.accountId, fields: { balance: 4.5 } });
  const seen = [
    await read("GetAvailableBalanceLive", "?balance_cache_interval=60"),
    await read("GetAvailableBalance"),
    await read("GetAvailableBalanceLive", "?balance_cache_interval=10"),
    await read("GetAvailableBalance"),
  ];
  return seen.map((balance) => (balance === first ? "cached" : balance));
};

test("the live balance is cached for the interval, and the cached balance never refreshes", async ({
  openTenant,
}) => {
  expect(await balancesSeen(await openTenant())).toEqual(["cached", "cached", 4.5, 4.5]);
});

test("the bundle contains the requested parts and counts those an account can't supply", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const types = await byType(own);
  const bundle = async (operationId: string, type: string, query: string) =>
    (await own.client.operate(operationId, types.get(type) ?? {}, undefined, query)).json;
  const all = await bundle("GetAccountDetailsByInstitutionLoginId", "checking", "");
  expect(all).toMatchObject({
    accountCount: 10,
    accountIdentitySuccessCount: 10,
    balanceDetailsSuccessCount: 4,
  });
  const [checking] = all.accounts as Record<string, unknown>[];
  for (const part of ["accountDetails", "balanceDetails", "accountIdentity", "paymentInstruction"]) {
    expect(checking).toHaveProperty(part);
  }
  const some = await bundle("GetAccountDetailsByAccountId", "savings", "?include=ach,accountOwner");
  const [savings] = some.accounts as Record<string, unknown>[];
  expect(savings).toMatchObject({ accountIdentity: {}, paymentInstruction: { type: "ACH" } });
  expect(savings).not.toHaveProperty("balanceDetails");
  const mortgage = await bundle("GetAccountDetailsByAccountId", "mortgage", "?include=balanceDetails");
  expect(mortgage).toMatchObject({ errorCount: 1, balanceDetailsSuccessCount: 0 });
});

const nameScore = async (own: Tenant, name: Record<string, string>): Promise<number> => {
  const ids = await arranged(own, "two-logins");
  const { json } = await own.client.operate(MATCH, ids, { name });
  const [holder] = json.holders as { nameScores: { ownerName: number } }[];
  return holder?.nameScores.ownerName ?? -1;
};

test("owner match scores the sent fields from 0 to 100, and closer matches score higher", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const near = { ...HOLDER, lastName: "Felding" };
  const far = { firstName: "Qzx", lastName: "Jqvwk" };
  const scores = [await nameScore(own, HOLDER), await nameScore(own, near), await nameScore(own, far)];
  expect(scores[0]).toBe(100);
  expect(scores[1]).toBeGreaterThan(scores[2] as number);
  expect(scores[1]).toBeLessThan(100);
  expect(scores[2]).toBeGreaterThanOrEqual(0);
  const ids = await arranged(own, "two-logins");
  const { json } = await own.client.operate(MATCH, ids, REQUEST);
  expect((json.holders as unknown[])[0]).toMatchObject({
    nameScores: { ownerName: 100, firstName: 100, lastName: 100 },
    addresses: [{ addressScores: { ownerAddress: 100, city: 100 } }],
    emails: [{ emailScores: { email: 100 } }],
    phones: [{ phoneScores: { phone: 100 } }],
  });
  expect((await own.client.operate(MATCH, ids, { phone: "8015550142" })).status).toBe(400);
});

test("each fault is visible in its operation", async ({ openTenant }) => {
  const served = (operationId: string) => async (own: Tenant) => (await typesServed(own, operationId)).at(-1);
  const status = (operationId: string, situation: string, body?: unknown) => async (own: Tenant) =>
    (await own.client.operate(operationId, await arranged(own, situation), body)).status;
  const parts = async (own: Tenant) => {
    const ids = await arranged(own, "two-logins");
    const read = async () => (await own.client.operate("GetAccountDetailsByAccountId", ids)).json.accounts;
    const seen = [await read(), await read()].map(
      (accounts) => Object.keys((accounts as object[])[0] ?? {}).length,
    );
    return [(seen[0] ?? 0) > 5, seen[0] === seen[1]];
  };
  const loan = async (own: Tenant) => {
    const ids = (await byType(own)).get("loan") ?? {};
    const { json: account } = await own.client.operate("GetCustomerAccount", ids);
    return (await own.client.operate("GetLoanPaymentDetails", ids)).json.loanNumber === account.number;
  };
  const better = async (own: Tenant) =>
    (await nameScore(own, HOLDER)) > (await nameScore(own, { firstName: "Qzx", lastName: "Jqvwk" }));
  const sound = ["cached", "cached", 4.5, 4.5];
  const cases: [fault: string, see: (own: Tenant) => Promise<unknown>, straight: unknown, faulty: unknown][] =
    [
      ["GetAccountACHDetails.account-types.cd-refused", served("GetAccountACHDetails"), "cd", "moneyMarket"],
      ["availableBalance.account-types.cd-refused", served("GetAvailableBalanceLive"), "cd", "moneyMarket"],
      [
        "GetAccountPaymentInstructionDetails.account-types.money-market-refused",
        served("GetAccountPaymentInstructionDetails"),
        "moneyMarket",
        "savings",
      ],
      ["GetAccountOwner.203-mfa.no-challenge", status("GetAccountOwner", "mfa-account"), 203, 200],
      [`${MATCH}.408.never-times-out`, status(MATCH, "silent-institution", { name: HOLDER }), 408, 200],
      [`${MATCH}.higher-is-closer.reversed`, better, true, false],
      ["GetLoanPaymentDetails.returns-loan-details.of-another-loan", loan, true, false],
      ["GetAvailableBalanceLive.cache-decision.always-fresh", balancesSeen, sound, [4.5, 4.5, 4.5, 4.5]],
      ["GetAvailableBalanceLive.cache-decision.always-cached", balancesSeen, sound, Array(4).fill("cached")],
      ["GetAvailableBalance.cached-only.refreshed", balancesSeen, sound, ["cached", 4.5, 4.5, 4.5]],
      ["paymentEnablementBundle.parts.none", parts, [true, true], [false, true]],
      ["paymentEnablementBundle.parts-by-initial-setup.changing-parts", parts, [true, true], [true, false]],
    ];
  for (const [fault, see, straight, faulty] of cases) {
    expect([fault, await see(await openTenant())]).toEqual([fault, straight]);
    expect([fault, await see(await openTenant(fault))]).toEqual([fault, faulty]);
  }
});
