/** General rules of the financial data sandbox: every operation answers, seeds repeat, faults can be enabled. */
import { expect } from "@playwright/test";
import { listFaults } from "../../../../mocks/engine/faults/faults.ts";
import { SECTIONS } from "../../../../mocks/financial-data/sections/index.ts";
import { type Client, send } from "./client.ts";
import { addCustomer, CONSUMER } from "./customer-calls.ts";
import { BUILT_IN, test } from "./fixture.ts";
import { validatorOf } from "./witness.ts";

test("every response has the shape that the contract states for its status", async ({ openTenant }) => {
  const { client, contract, environment } = await openTenant();
  const { validate } = validatorOf(contract);
  const id = environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const failed: unknown[] = [];
  for (const { operationId, responses } of contract.operations) {
    const { status, text, json } = await client.operate(operationId, { customerId: id, customer_id: id });
    const documented = responses[status];
    const schema = documented?.content["application/json"];
    const general = [400, 401, 404].includes(status);
    if (documented === undefined && !general) failed.push([operationId, status, text]);
    if (documented === undefined || text.startsWith("%PDF")) continue;
    const problems = schema === undefined ? text : validate(schema, json);
    if (problems.length > 0) failed.push([operationId, status, problems]);
  }
  expect(failed).toEqual([]);
});

test("every operation of the contract has its own handler", ({ contract }) => {
  const handled = new Set(SECTIONS.flatMap(({ handlers }) => Object.keys(handlers)));
  const lacking = contract.operations.map(({ operationId }) => operationId).filter((id) => !handled.has(id));
  expect(lacking).toEqual([]);
});

test("equal seeds give equal answers to equal calls", async ({ openTenantOf }) => {
  const story = async (seed: number) => {
    const { client: own } = await openTenantOf(BUILT_IN, { seed });
    const id = await addCustomer(own, "same");
    const consumer = await own.operate("CreateConsumer", { customerId: id }, CONSUMER);
    const institutions = await own.operate("GetInstitutions", {}, undefined, "?limit=3");
    return [
      own.token,
      id,
      consumer.json.id,
      institutions.json.institutions,
      own.environment.FINANCIAL_DATA_CUSTOMER_ID,
    ].map((part) => JSON.stringify(part).replaceAll(/\/t\/t\d+\//g, "/t/"));
  };
  const first = await story(3);
  expect(await story(3)).toEqual(first);
  expect(await story(4)).not.toEqual(first);
});

test("every fault of the core names a requirement and can be enabled", async ({ openTenant, contract }) => {
  const faults = await listFaults([contract]);
  const known = new Set(contract.requirements.map(({ id }) => id));
  expect(faults.filter(({ violates }) => !known.has(violates))).toEqual([]);
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  const failing: [fault: string, call: (caller: Client) => Promise<number>, status: number][] = [
    ["CreateConsumer.409-exists.second-accepted", (own) => twice(own), 201],
    ["GetCustomers.search-query.refused", (own) => search(own), 400],
    ["auth.both-headers-by-default.GetCustomers-without-token", (own) => withoutToken(own), 200],
    ["errors.404-not-found.GetCustomer-accepted", (own) => unknown(own), 200],
    ["GetCustomer.documented-statuses.other-success", (own) => read(own), 202],
  ];
  const twice = async (own: Client) => {
    const customerId = await addCustomer(own, "twice");
    await own.operate("CreateConsumer", { customerId }, CONSUMER);
    return (await own.operate("CreateConsumer", { customerId }, CONSUMER)).status;
  };
  const search = async (own: Client) =>
    (await own.operate("GetCustomers", {}, undefined, "?search=a")).status;
  const unknown = async (own: Client) => (await own.operate("GetCustomer", { customerId: "1" })).status;
  const read = async (own: Client) =>
    (await own.operate("GetCustomer", { customerId: own.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "" }))
      .status;
  const withoutToken = async ({ environment }: Client) => {
    const key = { "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "" };
    return (await send("GET", `${environment.FINANCIAL_DATA_BASE_URL}/aggregation/v1/customers`, key)).status;
  };
  for (const [fault, call, status] of failing) {
    const faulty = await openTenant(fault);
    const straight = await openTenant();
    expect([fault, await call(faulty.client)]).toEqual([fault, status]);
    expect([fault, await call(straight.client)]).not.toEqual([fault, status]);
  }
});
