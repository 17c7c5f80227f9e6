/** Transactions in the financial data sandbox: lists by date, and historic, pending and recurring transactions. */
import { expect } from "@playwright/test";
import { statusesAmiss } from "./every-status.ts";
import { DOCUMENTS, test } from "./fixture.ts";
import {
  arranged,
  DAY,
  dateOf,
  datesIn,
  EVER,
  LOAD,
  list,
  OF_ACCOUNT,
  OF_CUSTOMER,
  type Page,
  type Transaction,
} from "./transaction-calls.ts";

const OPERATIONS = [
  "LoadHistoricTransactionsForCustomerAccount",
  "GetAllCustomerTransactions",
  "GetCustomerTransaction",
  "GetCustomerAccountTransactions",
  "GetRecurringTransactions",
];

for (const [document, lane] of DOCUMENTS) {
  test(`every documented status has a body that matches ${document}`, lane, async ({ openTenantOf }) => {
    const own = await openTenantOf(document);
    const challenged = await arranged(own, "mfa-account");
    const ids = await arranged(own, "pending-transaction");
    const query = `${EVER}&includePending=true&showDailyBalance=true&limit=1000`;
    const more = {
      [LOAD]: { statuses: { 203: challenged } },
      [OF_ACCOUNT]: { query },
      [OF_CUSTOMER]: { query: query.replace("&showDailyBalance=true", "") },
    };
    expect(await statusesAmiss({ ...own, ids, more }, OPERATIONS)).toEqual([]);
  });
}

test("the pages together are the whole list in date order, in both sort directions", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const ids = { customerId: own.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "" };
  const whole = await list(own, ids, "&limit=1000&sort=asc", OF_CUSTOMER);
  expect(whole.transactions).toHaveLength(whole.found);
  expect(whole.moreAvailable).toBe("false");
  const dates = whole.transactions.map(dateOf);
  expect(dates).toEqual([...dates].sort((a, b) => a - b));
  const joined: Transaction[] = [];
  for (let start = 1; start <= whole.found; start += 70) {
    const page = await list(own, ids, `&limit=70&start=${start}`, OF_CUSTOMER);
    expect(page.moreAvailable).toBe(String(start + 69 < whole.found));
    joined.push(...page.transactions);
  }
  expect(joined.reverse().map(({ id }) => id)).toEqual(whole.transactions.map(({ id }) => id));
  expect(await list(own, ids, "&start=100000", OF_CUSTOMER)).toMatchObject({
    displaying: 0,
    transactions: [],
  });
});

test("a list contains the transactions of its window, and a page at most a thousand", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const ids = await arranged(own, "many-transactions");
  const page = await list(own, ids, "&limit=1000");
  expect([page.displaying, page.transactions.length, page.moreAvailable]).toEqual([1000, 1000, "true"]);
  const { status } = await own.client.operate(OF_ACCOUNT, ids, undefined, `${EVER}&limit=1001`);
  expect(status).toBe(400);
  const [from, to] = [page.transactions[900], page.transactions[100]].map((one) =>
    dateOf(one as Transaction),
  );
  const { json } = await own.client.operate(
    OF_ACCOUNT,
    ids,
    undefined,
    `?fromDate=${from}&toDate=${to}&limit=1000`,
  );
  expect((json as unknown as Page).transactions).toEqual(page.transactions.slice(100, 901));
  const wrong = await own.client.operate(OF_ACCOUNT, ids, undefined, `?fromDate=${from}`);
  expect(wrong.status).toBe(400);
});

test("an undated transaction is sorted by its posted date", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "undated-transaction");
  const { transactions } = await list(own, ids, "&limit=1000&sort=asc");
  const at = transactions.findIndex(({ id }) => String(id) === ids.transactionId);
  expect(transactions[at]).not.toHaveProperty("transactionDate");
  expect(transactions[at + 1]).toBeDefined();
  const dates = transactions.map(dateOf);
  expect(dates).toEqual([...dates].sort((a, b) => a - b));
});

test("a refresh adds a pending transaction, which posts within a day", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "two-logins");
  const before = await list(own, ids);
  const { json: account } = await own.client.operate("GetCustomerAccount", ids);
  await own.client.operate("RefreshCustomerAccountsV2", ids);
  expect((await list(own, ids)).found).toBe(before.found);
  const withPending = await list(own, ids, "&includePending=true");
  expect(withPending.found).toBe(before.found + 1);
  const [pending] = withPending.transactions;
  expect(pending).toMatchObject({ status: "pending" });
  expect(pending).not.toHaveProperty("postedDate");
  await own.advance(DAY + 10);
  const later = { client: await own.signIn() };
  const transactionId = String(pending?.id);
  const { json: posted } = await later.client.operate("GetCustomerTransaction", { ...ids, transactionId });
  expect(posted).toMatchObject({ id: pending?.id, status: "active", postedDate: expect.any(Number) });
  const { json: changed } = await later.client.operate("GetCustomerAccount", ids);
  expect(changed.balance).not.toBe(account.balance);
});

test("daily balances follow from each other up to the current balance", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "two-logins");
  const { dailyBalances = [], transactions } = await list(own, ids, "&showDailyBalance=true&limit=1000");
  const { json } = await own.client.operate("GetCustomerAccount", ids);
  expect(dailyBalances.length).toBeGreaterThan(179);
  for (const [index, { beginning, ending, date }] of dailyBalances.entries()) {
    expect(dailyBalances[index + 1]?.beginning ?? json.balance).toBe(ending);
    const sum = transactions
      .filter((one) => Math.floor(dateOf(one) / DAY) * DAY === date)
      .reduce((total, { amount }) => total + amount, 0);
    expect(ending - beginning).toBeCloseTo(sum, 2);
  }
  expect(await list(own, ids)).not.toHaveProperty("dailyBalances");
});

test("there are 180 days at first, 24 months after a load, and a second load adds nothing", async ({
  openTenant,
}) => {
  const own = await openTenant();
  const ids = await arranged(own, "two-logins");
  const created = Number((await own.client.operate("GetCustomerAccount", ids)).json.createdDate);
  const daysBack = (dates: number[]) => Math.round((created - (dates[0] ?? 0)) / DAY);
  const standard = await datesIn(own, ids);
  expect(daysBack(standard)).toBeGreaterThan(170);
  expect(daysBack(standard)).toBeLessThanOrEqual(181);
  await own.advance(7_000);
  expect((await own.client.operate(LOAD, ids)).status).toBe(204);
  const older = await datesIn(own, ids);
  expect(daysBack(older)).toBeGreaterThan(715);
  expect(daysBack(older)).toBeLessThanOrEqual(731);
  const attempt = async () =>
    (await own.client.operate("GetCustomerAccount", ids)).json.aggregationAttemptDate;
  const once = await attempt();
  expect((await own.client.operate(LOAD, ids)).status).toBe(204);
  expect([await attempt(), await datesIn(own, ids)]).toEqual([once, older]);
  expect((await own.client.operate(LOAD, ids, { force: true })).status).toBe(204);
  expect(await attempt()).not.toBe(once);
});

test("recurring debits and credits of one or several accounts are listed", async ({ openTenant }) => {
  const own = await openTenant();
  const ids = await arranged(own, "two-logins");
  const read = async (body?: unknown) => {
    const { json, status } = await own.client.operate("GetRecurringTransactions", ids, body);
    expect(status).toBe(200);
    return json.recurringTransactions as { accountId: string; direction: string; transactionIds: number[] }[];
  };
  const all = await read();
  expect(new Set(all.map(({ direction }) => direction))).toEqual(new Set(["debit", "credit"]));
  expect(new Set(all.map(({ accountId }) => accountId)).size).toBe(3);
  expect(all.every(({ transactionIds }) => transactionIds.length >= 3)).toBe(true);
  const alone = await read({ accountIds: [ids.accountId] });
  expect(new Set(alone.map(({ accountId }) => accountId))).toEqual(new Set([ids.accountId]));
  const unknown = await own.client.operate("GetRecurringTransactions", ids, { accountIds: ["4711"] });
  expect(unknown.status).toBe(404);
});
