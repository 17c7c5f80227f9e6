/** General rules of the financial data sandbox: every operation has a handler, and seeds repeat. */
import { expect } from "@playwright/test";
import { SECTIONS } from "../../../../mocks/financial-data/sections/index.ts";
import { addCustomer, CONSUMER } from "./customer-calls.ts";
import { test } from "./fixture.ts";

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
