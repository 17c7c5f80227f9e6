/** What the sandbox of financial data keeps to as a whole: every operation answered, equal seeds, faults in force. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { listFaults } from "../../../../mocks/engine/faults/faults.ts";
import type { Sandbox } from "../../../../mocks/engine/server.ts";
import { SECTIONS } from "../../../../mocks/financial-data/sections/index.ts";
import { admin, type Client, clientOf, contractOf, problemsOf, send, startFinancialData } from "./client.ts";
import { addCustomer, CONSUMER } from "./customer-calls.ts";

let contract: Contract;
let sandbox: Sandbox;
let client: Client;
let problems: ReturnType<typeof problemsOf>;

test.beforeAll(async () => {
  contract = await contractOf();
  sandbox = await startFinancialData(contract);
  client = await clientOf(contract, sandbox.environment);
  problems = problemsOf(contract);
});

test.afterAll(() => sandbox.close());

/** Signed in to a tenant of its own, whose faults and seed get in the way of no other test. */
const tenant = async (faults: string[] = [], seed = 7) => {
  const { json, status, text } = await admin(sandbox, "POST", "/tenants", { seed, faults });
  expect([status, text]).toEqual([201, expect.any(String)]);
  const { environment } = json as { environment: Record<string, string> };
  return clientOf(contract, environment);
};

test("every operation answers in the shape that the contract gives the status", async () => {
  const { environment } = client;
  const failed: unknown[] = [];
  for (const { operationId } of contract.operations) {
    const ids = {
      customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
      customer_id: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
    };
    const answered = await client.operate(operationId, ids);
    const general = [400, 401, 404].includes(answered.status);
    const documented = contract.operations.find((one) => one.operationId === operationId)?.responses[
      answered.status
    ];
    const problem = general && documented === undefined ? undefined : problems(operationId, answered);
    if (problem !== undefined && !answered.text.startsWith("%PDF")) failed.push([operationId, problem]);
  }
  expect(failed).toEqual([]);
});

test("every operation of the contract has a handler of its own", () => {
  const handled = new Set(SECTIONS.flatMap(({ handlers }) => Object.keys(handlers)));
  const lacking = contract.operations.map(({ operationId }) => operationId).filter((id) => !handled.has(id));
  expect(lacking).toEqual([]);
});

test("equal seeds give equal answers to equal calls", async () => {
  const story = async (seed: number) => {
    const own = await tenant([], seed);
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

test("every fault about the core names a requirement and can be put in force", async () => {
  const faults = await listFaults([contract]);
  const known = new Set(contract.requirements.map(({ id }) => id));
  expect(faults.filter(({ violates }) => !known.has(violates))).toEqual([]);
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  const failing: [fault: string, call: (caller: Client) => Promise<number>, status: number][] = [
    ["financial-data.CreateConsumer.409-exists.second-accepted", (own) => twice(own), 201],
    ["financial-data.GetCustomers.search-query.refused", (own) => search(own), 400],
    [
      "financial-data.auth.both-headers-by-default.GetCustomers-without-token",
      (own) => withoutToken(own),
      200,
    ],
    ["financial-data.errors.404-not-found.GetCustomer-accepted", (own) => unknown(own), 200],
    ["financial-data.GetCustomer.documented-statuses.other-success", (own) => read(own), 202],
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
    const bent = await tenant([fault]);
    const straight = await tenant();
    expect([fault, await call(bent)]).toEqual([fault, status]);
    expect([fault, await call(straight)]).not.toEqual([fault, status]);
  }
});
