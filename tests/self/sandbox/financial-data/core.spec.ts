/** General rules of the financial data sandbox: every operation answers, and seeds repeat. */
import { request } from "node:http";
import { expect } from "@playwright/test";
import { createValidator } from "../../../../helpers/contract/schema-validator.ts";
import { SECTIONS } from "../../../../mocks/financial-data/sections/index.ts";
import { addCustomer, CONSUMER } from "./customer-calls.ts";
import { test } from "./fixture.ts";
import type { Tenant } from "./tenant.ts";

test("every response has the shape that the contract states for its status", async ({ openTenant }) => {
  const { client, contract, environment } = await openTenant();
  const { validate } = createValidator(contract);
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

test("equal seeds give equal answers to equal calls", async ({ openTenant }) => {
  const story = async (seed: number) => {
    const { client: own } = await openTenant(seed);
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

const attempt = async ({ client }: Tenant, ids: Record<string, string>): Promise<number> =>
  Number((await client.operate("GetCustomerAccount", ids)).json.aggregationAttemptDate);

test("a refresh of a slow institution finishes even after the client disconnects", async ({ openTenant }) => {
  const own = await openTenant();
  const arranged = await own.arrange("slow-institution");
  const ids = {
    customerId: arranged.FINANCIAL_DATA_CUSTOMER_ID ?? "",
    accountId: arranged.FINANCIAL_DATA_ACCOUNT_ID ?? "",
  };
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
