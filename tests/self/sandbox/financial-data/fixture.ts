/** Playwright fixtures for the financial data tests: a worker starts one sandbox, and each test opens tenants of it. */
import { test as base } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { startFinancialData } from "./client.ts";
import { createTenant, type Served, type Tenant } from "./tenant.ts";

interface TestFixtures {
  /** Opens a tenant for only this test. */
  readonly openTenant: (seed?: number) => Promise<Tenant>;
}

interface WorkerFixtures {
  readonly served: Served;
  readonly contract: Contract;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructuring pattern for the fixtures.
    async ({}, use) => {
      const contract = await loadContract("financial-data");
      const sandbox = await startFinancialData(contract);
      await use({ contract, sandbox });
      await sandbox.close();
    },
    { scope: "worker" },
  ],
  contract: [async ({ served }, use) => use(served.contract), { scope: "worker" }],
  openTenant: async ({ served }, use) => {
    const opened: Tenant[] = [];
    await use(async (seed) => {
      const tenant = await createTenant(served, seed);
      opened.push(tenant);
      return tenant;
    });
    for (const tenant of opened) await tenant.close();
  },
});
