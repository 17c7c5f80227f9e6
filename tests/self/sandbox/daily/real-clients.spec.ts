/** What clients write in other ways than the documents show; the stories have the booleans of a query. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { startSandbox } from "../../../../mocks/sandbox.ts";
import { withoutBodyRules } from "../without-body-rules.ts";
import { financialClient } from "./clients.ts";

test("a query can be long", async () => {
  await using sandbox = await startSandbox({ services: ["financial-data"] });
  const call = await financialClient(sandbox);
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index % 10}`).join("+");
  expect(words.length).toBeGreaterThan(10_000);
  const answer = await call("GET", `/aggregation/v1/customers?search=${words}`);
  expect(answer).toMatchObject({ status: 200, json: { found: 0 } });
});

test("a number can be a text if no document states its type", async () => {
  const contract = withoutBodyRules(await loadContract("financial-data"));
  await using sandbox = await startSandbox({ services: ["financial-data"], contracts: [contract] });
  const call = await financialClient(sandbox, contract);
  const customer = sandbox.credentials.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const metrics = contract.operations.find(({ operationId }) => operationId === "GenerateSBCAMetricsReport");
  const path = metrics?.path.replace("{customerId}", customer) ?? "";
  const ask = (fromDate: unknown, toDate: unknown) =>
    call("POST", path, { locationId: "123456789012", metricsType: "analytics", fromDate, toDate });
  const inOrder = await ask("1700000000", "1800000000");
  const reversed = await ask("1800000000", "1700000000");
  expect([inOrder.status, reversed.status]).toEqual([200, 400]);
  expect((await ask(1800000000, 1700000000)).json).toEqual(reversed.json);
});
