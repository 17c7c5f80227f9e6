/** Playwright fixtures for the financial data tests: a worker starts one sandbox, and each test opens tenants of it. */
import { test as base } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { PROVIDER } from "../../support/lanes.ts";
import { shared } from "../../support/shared.ts";
import { startFinancialData } from "./client.ts";
import { type Listener, type ListenerOptions, openListener } from "./listener.ts";
import { createTenant, type Served, type Tenant, type Wishes } from "./tenant.ts";

export const BUILT_IN = "the built-in contract";

/**
 * The shapes that a sandbox can serve, each with the lane of its tests: the shapes of the contract, or the shapes of the
 * provider's document.
 */
export const DOCUMENTS = [
  [BUILT_IN, {}],
  ["the provider's document", PROVIDER],
] as const;
export type Document = (typeof DOCUMENTS)[number][0];

export interface TestFixtures {
  /** Opens a tenant for only this test, with these faults enabled (ids without the service prefix). */
  readonly openTenant: (...faults: string[]) => Promise<Tenant>;
  /** Opens a tenant of the sandbox that serves the document. */
  readonly openTenantOf: (document: Document, wishes?: Wishes) => Promise<Tenant>;
  /** Starts a listener on this machine; it closes when the test ends. */
  readonly listen: (options?: ListenerOptions) => Promise<Listener>;
}

export interface WorkerFixtures {
  /** Starts the sandbox that serves the document, once. */
  readonly serve: (document: Document) => Promise<Served>;
  readonly contract: Contract;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serve: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructuring pattern for the fixtures.
    async ({}, use) => {
      const sandboxes = new Map<Document, Promise<Served>>();
      await use((document) => {
        const providerFile = providerFileOf(document);
        const served = sandboxes.get(document) ?? start(providerFile);
        sandboxes.set(document, served);
        return served;
      });
      for (const served of sandboxes.values()) await (await served).sandbox.close();
    },
    { scope: "worker" },
  ],
  contract: [async ({ serve }, use) => use((await serve(BUILT_IN)).contract), { scope: "worker" }],
  openTenant: async ({ openTenantOf }, use) => use((...faults) => openTenantOf(BUILT_IN, { faults })),
  openTenantOf: async ({ serve }, use) => {
    const opened: Tenant[] = [];
    await use(async (document, wishes) => {
      const tenant = await createTenant(await serve(document), wishes);
      opened.push(tenant);
      return tenant;
    });
    for (const tenant of opened) await tenant.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: same reason as above.
  listen: async ({}, use) => {
    const listeners: Listener[] = [];
    await use(async (options) => {
      const listener = await openListener(options);
      listeners.push(listener);
      return listener;
    });
    for (const listener of listeners) await listener.close();
  },
});

/** Skips the running test if the provider's document is absent. */
const providerFileOf = (document: Document): string | undefined =>
  document === BUILT_IN ? undefined : shared("provider/financial-data-1.30.0.yaml");

const start = async (providerFile: string | undefined): Promise<Served> => {
  const contract = await loadContract("financial-data", providerFile === undefined ? {} : { providerFile });
  return { contract, sandbox: await startFinancialData(contract) };
};
