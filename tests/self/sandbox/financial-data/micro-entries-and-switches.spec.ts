/** Micro entries and switches in the sandbox: two small deposits that verify an account, and moved deposits and bills. */
import { expect } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { tenantClock } from "../../../../mocks/engine/clock.ts";
import { deliveriesOf } from "../../../../mocks/engine/deliveries/deliveries.ts";
import { NO_HABITS } from "../../../../mocks/engine/differences/habits.ts";
import { microEntriesAndSwitches } from "../../../../mocks/financial-data/sections/accounts/micro-entries-and-switches.ts";
import { seedData } from "../../../../mocks/financial-data/seed-data.ts";
import { rowAt } from "../../../../mocks/financial-data/state/ledger.ts";
import { initiate } from "../../../../mocks/financial-data/state/micro-deposits.ts";
import { createState } from "../../../../mocks/financial-data/state/state.ts";
import { switchesOf } from "../../../../mocks/financial-data/state/switches.ts";
import { DOCUMENTS, test } from "./fixture.ts";

const OPERATIONS = [
  "InitiateMicroAmountDeposits",
  "VerifyMicroAmountDeposits",
  "GetMicroDepositsDetails",
  "getAllDepositSwitches",
  "getAllExternalDepositSwitches",
  "getDepositSwitchDetails",
  "getAllPaySwitches",
  "getBillPaySwitchDetails",
];
const RECEIVER = {
  routingNumber: "071000013",
  accountNumber: "4410002231",
  accountType: "personalChecking",
  name: "Avery Elm",
};
const MALFORMED = {
  customerId: "a%20b",
  customer_id: "a%20b",
  accountId: "7",
  external_id: "a%20b",
  switch_id: "7",
};
const UNKNOWN = {
  customerId: "4711",
  customer_id: "4711",
  accountId: "4711",
  external_id: "4711",
  switch_id: "4711",
};

const idsOf = (environment: Record<string, string>) => ({
  customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
  customer_id: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
  accountId: environment.FINANCIAL_DATA_MICRO_DEPOSIT_ACCOUNT_ID ?? "",
});

const amountsOf = ({ FINANCIAL_DATA_MICRO_AMOUNTS: amounts = "" }: Record<string, string>) =>
  amounts.split(",").map(Number);

for (const [document, lane] of DOCUMENTS) {
  test(`every operation returns each of its statuses with ${document}`, lane, async ({ openTenantOf }) => {
    const { witness, arrange } = await openTenantOf(document);
    const arrived = await arrange("micro-deposits-arrived");
    const ids = idsOf(arrived);
    const body = { receiver: RECEIVER };
    await witness.see("InitiateMicroAmountDeposits", 200, ids, body);
    await witness.see("InitiateMicroAmountDeposits", 409, ids, body);
    await witness.see("InitiateMicroAmountDeposits", 400, ids, {});
    await witness.see("InitiateMicroAmountDeposits", 404, UNKNOWN, body);
    await witness.see(
      "InitiateMicroAmountDeposits",
      429,
      idsOf(await arrange("rate-limited-micro-entries")),
      body,
    );
    await witness.see("GetMicroDepositsDetails", 200, ids);
    await witness.see("GetMicroDepositsDetails", 404, UNKNOWN);
    await witness.see("GetMicroDepositsDetails", 400, MALFORMED);
    const amounts = amountsOf(arrived);
    await witness.see("VerifyMicroAmountDeposits", 400, ids, { amounts: [5, 6] });
    await witness.see("VerifyMicroAmountDeposits", 200, ids, { amounts });
    await witness.see("VerifyMicroAmountDeposits", 404, UNKNOWN, { amounts });
    const switched = await arrange("switches");
    const { FINANCIAL_DATA_SWITCH_ID: deposit = "", FINANCIAL_DATA_BILL_PAY_SWITCH_ID: billPay = "" } =
      switched;
    const external_id = switched.FINANCIAL_DATA_EXTERNAL_ID ?? "";
    const found = { ...idsOf(switched), external_id };
    const reads: [operationId: string, ids: Record<string, string>][] = [
      ["getAllDepositSwitches", found],
      ["getAllExternalDepositSwitches", found],
      ["getDepositSwitchDetails", { ...found, switch_id: deposit }],
      ["getAllPaySwitches", found],
      ["getBillPaySwitchDetails", { ...found, switch_id: billPay }],
    ];
    for (const [operationId, path] of reads) {
      await witness.see(operationId, 200, path);
      await witness.see(operationId, 404, UNKNOWN);
      await witness.see(operationId, 400, MALFORMED);
    }
    await witness.see("getBillPaySwitchDetails", 404, { ...found, switch_id: deposit });
    await witness.seeUnauthorized(OPERATIONS);
    expect(witness.missing(OPERATIONS)).toEqual([]);
  });
}

test("two amounts under a dollar arrive later, and both are needed to verify the account", async ({
  openTenant,
  listen,
}) => {
  const { witness, advance, environment } = await openTenant();
  const ids = idsOf({ ...environment });
  const listener = await listen();
  const callbackUrl = `http://127.0.0.1:${listener.port}/micro`;
  const body = { receiver: RECEIVER, callbackUrl };
  const { json } = await witness.see("InitiateMicroAmountDeposits", 200, ids, body);
  expect(json).toMatchObject({ depositCount: 2, status: "initiated" });
  const deposit = { ...ids, accountId: String(json.accountId) };
  const status = async () => (await witness.see("GetMicroDepositsDetails", 200, deposit)).json;
  expect(await status()).toMatchObject({ status: "initiated", accountNumberLast4: "2231" });
  await witness.see("VerifyMicroAmountDeposits", 400, deposit, { amounts: [0.01, 0.02] });
  await advance(10);
  expect(await status()).toMatchObject({ status: "deposited", routingNumber: "071000013" });
  const [delivery] = await listener.wait(1);
  expect(delivery?.json).toMatchObject({ accountId: json.accountId, status: "deposited" });
});

test("only the amounts of arrived deposits verify the account, in any order", async ({ openTenant }) => {
  const { arrange, witness } = await openTenant();
  const arrived = await arrange("micro-deposits-arrived");
  const ids = idsOf(arrived);
  const [first = 0, second = 0] = amountsOf(arrived);
  await witness.see("VerifyMicroAmountDeposits", 400, ids, { amounts: [first, second + 0.01] });
  await witness.see("VerifyMicroAmountDeposits", 200, ids, { amounts: [second, first] });
  await witness.see("VerifyMicroAmountDeposits", 200, ids, { amounts: [first, second] });
  expect((await witness.see("GetMicroDepositsDetails", 200, ids)).json.status).toBe("verified");
});

/** Creates a state without its server, to test effects that the operations do not show. */
const stateOf = (contract: Contract) => {
  const clock = tenantClock();
  const state = createState({
    contract,
    seed: 7,
    clock,
    deliveries: deliveriesOf(clock),
    baseUrl: () => "",
    habits: NO_HABITS,
    data: {},
    differs: () => false,
  });
  microEntriesAndSwitches.open?.(state);
  return { state, customer: seedData(state), clock };
};

test("there are two amounts, each under a dollar, among the transactions of a linked account", async ({
  contract,
}) => {
  const credited = async (fault?: string) => {
    const { state, customer, clock } = stateOf(contract);
    const [account] = state.accounts.of(customer.id);
    const { number: accountNumber, routingNumber } = account as NonNullable<typeof account>;
    const receiver = { accountNumber, routingNumber };
    const wanted = { customerId: customer.id, receiver, callbackUrl: undefined };
    const posted: number[] = [];
    state.events.on("transactions-posted", ({ account: of, transactions }) => {
      const ledger = state.accounts.ledgerOf(of);
      posted.push(...transactions.map((index) => rowAt(ledger, index).amount));
    });
    const { accountId } = initiate(state, wanted, (behaviour) => behaviour === fault);
    await clock.moveTo(new Date(clock.now().getTime() + 10_000));
    const acceptances: string[] = [];
    const accept = () => void acceptances.push(accountId);
    state.events.emit("micro-amounts-entered", { accountId, amounts: posted, accept });
    clock.stop();
    return { posted, accepted: acceptances.length === 1 };
  };
  const { posted, accepted } = await credited();
  expect(posted).toHaveLength(2);
  for (const amount of posted) expect([amount > 0, amount < 1]).toEqual([true, true]);
  expect(accepted).toBe(true);
  expect(await credited("micro-one-amount")).toMatchObject({ posted: [posted[0]], accepted: false });
  expect(Math.max(...(await credited("micro-above-one-dollar")).posted)).toBeGreaterThanOrEqual(1);
});

test("a choice in a hosted flow becomes a switch, which completes automatically", async ({ contract }) => {
  const { state, customer, clock } = stateOf(contract);
  const accounts = [{ type: "savings", accountNumber: "990000001234", bankIdentifier: "071000013" }];
  const chosen = { customer, kind: "deposit", counterpart: "Elm Works", body: { accounts } } as const;
  state.events.emit("switch-chosen", chosen);
  const statuses = () =>
    switchesOf(state, customer, "deposit").map(({ status, provider }) => [provider.name, status]);
  expect(statuses()).toEqual([
    ["Northwind Traders", "completed"],
    ["Elm Works", "processing"],
  ]);
  await clock.moveTo(new Date(clock.now().getTime() + 10_000));
  expect(statuses()[1]).toEqual(["Elm Works", "completed"]);
  clock.stop();
});

test("switches are found by their customer, by kind, and deposit switches by their external id", async ({
  openTenant,
}) => {
  const { witness, environment, client } = await openTenant();
  const ids = idsOf({ ...environment });
  const listed = async (operationId: string, path: Record<string, string>) => {
    const { json } = await witness.see(operationId, 200, path);
    return (json.switches as { id: string; status: string }[]).map(({ id }) => id);
  };
  const [deposit = "", ...others] = await listed("getAllDepositSwitches", ids);
  const [billPay = ""] = await listed("getAllPaySwitches", ids);
  expect(others).toEqual([]);
  const { json } = await witness.see("getDepositSwitchDetails", 200, { ...ids, switch_id: deposit });
  expect(json).toMatchObject({
    switchStatus: "completed",
    distributions: [{ accountNumberEndsWith: "2231" }],
  });
  const external = { external_id: String(json.externalId) };
  expect(await listed("getAllExternalDepositSwitches", external)).toEqual([deposit]);
  const details = await witness.see("getBillPaySwitchDetails", 200, { ...ids, switch_id: billPay });
  expect(details.json.paymentMethods).toMatchObject([{ type: "card", endsWith: "1115" }]);
  await witness.see("getDepositSwitchDetails", 404, { ...ids, switch_id: billPay });
  await client.operate("DeleteCustomer", ids);
  await witness.see("getAllExternalDepositSwitches", 404, external);
});

test("each fault is visible in a response", async ({ openTenant }) => {
  const expected: [fault: string, situation: string, status: number][] = [
    ["InitiateMicroAmountDeposits.429.accepted", "rate-limited-micro-entries", 200],
    ["InitiateMicroAmountDeposits.429.bad-request", "rate-limited-micro-entries", 400],
  ];
  for (const [fault, situation, status] of expected) {
    const { arrange, client } = await openTenant(fault);
    const ids = idsOf(await arrange(situation));
    const answered = await client.operate("InitiateMicroAmountDeposits", ids, { receiver: RECEIVER });
    expect([fault, answered.status]).toEqual([fault, status]);
  }
  const { client, environment } = await openTenant("InitiateMicroAmountDeposits.409.failing");
  const again = [];
  for (let time = 0; time < 2; time += 1) {
    const body = { receiver: RECEIVER };
    again.push((await client.operate("InitiateMicroAmountDeposits", idsOf({ ...environment }), body)).status);
  }
  expect(again).toEqual([200, 500]);
  for (const [name, status] of [
    ["not-found", 404],
    ["none-told", 200],
  ] as const) {
    const tenant = await openTenant(`switches.found-by-external-id.${name}`);
    const { FINANCIAL_DATA_EXTERNAL_ID: external_id = "" } = await tenant.arrange("switches");
    const answered = await tenant.client.operate("getAllExternalDepositSwitches", { external_id });
    expect([name, answered.status, answered.json.switches ?? []]).toEqual([name, status, []]);
  }
});
