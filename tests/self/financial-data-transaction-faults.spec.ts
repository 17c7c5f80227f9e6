/** Faults of the operations on transactions show where they should, and nowhere without them. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Sandbox } from "../../mocks/server.ts";
import { contractOf, startFinancialData } from "./financial-data-client.ts";
import { arranged, DAY, datesIn, LOAD, list } from "./financial-data-transaction-calls.ts";
import { openTenant, signedIn, type Tenant } from "./financial-data-witness.ts";

let contract: Contract;
let sandbox: Sandbox;

test.beforeAll(async () => {
  contract = await contractOf();
  sandbox = await startFinancialData(contract);
});

test.afterAll(() => sandbox.close());

const tenant = async (...faults: string[]): Promise<Tenant> =>
  openTenant(
    contract,
    sandbox,
    faults.map((id) => `financial-data.${id}`),
  );

test("faults show where they should", async () => {
  const ordered = (situation: string) => async (own: Tenant) => {
    const dates = await datesIn(own, await arranged(own, situation));
    return dates.every((date, index) => index === 0 || (dates[index - 1] as number) <= date);
  };
  const oldest = (loads: number, wait: number) => async (own: Tenant) => {
    const ids = await arranged(own, "two-logins");
    const { json } = await own.client.operate("GetCustomerAccount", ids);
    if (wait > 0) await own.advance(wait);
    const client = await signedIn(contract, own.environment);
    for (let load = 0; load < loads; load += 1) await client.operate(LOAD, ids);
    const [first = 0] = await datesIn({ client }, ids);
    return Math.round((Number(json.createdDate) - first) / DAY / 100);
  };
  const count = (loads: number) => async (own: Tenant) => {
    const ids = await arranged(own, "two-logins");
    await own.client.operate(LOAD, ids);
    const before = (await list(own, ids)).found;
    for (let load = 0; load < loads; load += 1) await own.client.operate(LOAD, ids);
    return (await list(own, ids)).found - before;
  };
  const directions = async (own: Tenant) => {
    const { text } = await own.client.operate("GetRecurringTransactions", await arranged(own, "two-logins"));
    return [text.includes('"debit"'), text.includes('"credit"')];
  };
  const challenge = async (own: Tenant) =>
    (await own.client.operate(LOAD, await arranged(own, "mfa-account"))).status;
  const cases: [fault: string, see: (own: Tenant) => Promise<unknown>, straight: unknown, bent: unknown][] = [
    ["transactions.sorted-by-transactionDate.by-amount", ordered("two-logins"), true, false],
    ["transactions.sort-falls-back-to-postedDate.undated-last", ordered("undated-transaction"), true, false],
    ["transactions.standard-history-180-days.12-months", oldest(0, 0), 2, 4],
    ["transactions.older-needs-historic-load.without-load", oldest(0, 0), 2, 7],
    ["transactions.older-needs-historic-load.load-brings-nothing", oldest(1, 0), 7, 2],
    [`${LOAD}.24-months.36-months`, oldest(1, 0), 7, 11],
    [`${LOAD}.range-from-createdDate.from-today`, oldest(1, 200 * DAY), 7, 5],
    [`${LOAD}.second-call-adds-nothing.adds-some`, count(1), 0, 3],
    [`${LOAD}.203-mfa.no-challenge`, challenge, 203, 204],
    ["GetRecurringTransactions.debits-and-credits.no-debits", directions, [true, true], [false, true]],
    ["GetRecurringTransactions.debits-and-credits.no-credits", directions, [true, true], [true, false]],
  ];
  for (const [fault, see, straight, bent] of cases) {
    expect([fault, await see(await tenant())]).toEqual([fault, straight]);
    expect([fault, await see(await tenant(fault))]).toEqual([fault, bent]);
  }
});
