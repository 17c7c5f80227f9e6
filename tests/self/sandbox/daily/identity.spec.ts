/** The identity of data: each kind of resource of a state can be chosen, and a dump starts the same state again. */
import { expect, test } from "@playwright/test";
import type { Contract, Service } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { services } from "../../../../helpers/contract/services.ts";
import { KINDS as CARD_ENROLLMENT_KINDS } from "../../../../mocks/card-enrollment/data.ts";
import { checkedData, type SandboxData } from "../../../../mocks/engine/data/data.ts";
import type { Kind } from "../../../../mocks/engine/data/kinds.ts";
import { type Sandbox, startSandbox } from "../../../../mocks/engine/server.ts";
import type { Tenant } from "../../../../mocks/engine/tenant.ts";
import type { Stores } from "../../../../mocks/engine/values/image.ts";
import { KINDS as FINANCIAL_DATA_KINDS } from "../../../../mocks/financial-data/data/kinds.ts";
import { type Ledger, rowsAt } from "../../../../mocks/financial-data/state/ledger.ts";
import { KINDS as INSTALLMENTS_KINDS } from "../../../../mocks/installments/data.ts";
import { PROVIDER } from "../../support/lanes.ts";
import { shared } from "../../support/shared.ts";
import { knownIds } from "../known-ids.ts";
import { CHOSEN } from "./chosen-data.ts";
import { financialClient } from "./clients.ts";

const KINDS: Readonly<Record<Service, readonly Pick<Kind<unknown>, "name" | "holds">[]>> = {
  "card-enrollment": CARD_ENROLLMENT_KINDS,
  "financial-data": FINANCIAL_DATA_KINDS,
  installments: INSTALLMENTS_KINDS,
};

/** Resources that other tests meet only where they made them. */
const RARE: SandboxData = {
  "financial-data": {
    microDeposits: [
      {
        accountId: 8001,
        customerId: 7001,
        receiver: { routingNumber: "071000013", accountNumber: "1234567890" },
        amounts: [4, 18],
      },
    ],
    switches: [
      {
        id: "switch-1",
        kind: "deposit",
        customerId: 7001,
        externalId: "payroll-1",
        provider: { id: "provider-1", name: "Northwind Traders" },
      },
    ],
    portfolios: [{ id: "portfolio-1-port", customerId: 7001 }],
    reports: [
      { id: "report-1", type: "voa", customerId: 7001, portfolioId: "portfolio-1-port" },
      {
        id: "report-2",
        type: "voa",
        customerId: 7001,
        holdings: [
          {
            accountId: 5999,
            removed: { loginId: 4001, institutionId: 42, account: { id: 5999, type: "savings" } },
          },
        ],
      },
    ],
  },
};

/** The stores that hold no resources. */
const NO_RESOURCES: Readonly<Record<string, string>> = {
  counts: "numbers of new resources: new ids pass over those that are taken",
  "aliases-inward": "the opposite of the aliases that a dump lists",
  "aliases-outward": "the engine dumps them",
  "aliases-given": "identifiers in earlier answers",
};

/** Parts of stores that follow from others or that no client can see, by name of the field. */
const DERIVED = ["byLedger", "chosenIds", "issued", "watched", "testing"];

test("each kind of resource in the state of a service is a kind of its data", async () => {
  await using sandbox = await started(await ownContracts(), {});
  for (const [service, stores] of sandbox.stores()) {
    const held = KINDS[service]?.flatMap(({ holds }) => holds) ?? [];
    const forgotten = Object.keys(stores).filter((name) => !held.includes(name) && !(name in NO_RESOURCES));
    expect([service, forgotten]).toEqual([service, []]);
  }
});

test("a dump of a state in which everything was made once starts the same state again", async () => {
  await proveIdentity(await ownContracts(), 40);
});

for (const [service, file, least] of [
  ["financial-data", "financial-data-1.29.0", 30],
  ["financial-data", "financial-data-1.30.0", 30],
  ["financial-data", "financial-data-1.35.0", 30],
  ["installments", "installments-2.0.0", 1],
] as const) {
  test(`a dump starts the same state again, with the provider's document ${file}`, PROVIDER, async () => {
    const providerFile = shared(`provider/${file}.yaml`);
    await proveIdentity([await loadContract(service, { providerFile })], least);
  });
}

const ownContracts = (): Promise<Contract[]> =>
  Promise.all(services().map((service) => loadContract(service)));

/** @param least how many of the read resources are there, at least */
const proveIdentity = async (contracts: readonly Contract[], least: number): Promise<void> => {
  const chosen = contracts.map(({ service }) => [service, { ...CHOSEN[service], ...RARE[service] }] as const);
  await using first = await started(contracts, Object.fromEntries(chosen));
  await first.live();
  const dump = first.data();
  for (const { service } of contracts)
    for (const { name } of KINDS[service] ?? [])
      expect(dump[service]?.[name], `${service} ${name}`).not.toEqual([]);
  // A file has no references and no fields without a value.
  await using second = await started(contracts, JSON.parse(JSON.stringify(dump)));
  expect(second.data()).toEqual(dump);
  expect(resourcesIn(second.stores())).toEqual(resourcesIn(first.stores()));
  expect(withoutPort(second.environment)).toEqual(withoutPort(first.environment));
  await second.moveTo(first.now());
  const answers = await first.answers();
  expect(JSON.stringify(answers).match(/status.{3}200/g)?.length, "resources that are read").toBeGreaterThan(
    least,
  );
  expect(await second.answers()).toEqual(answers);
};

const started = async (contracts: readonly Contract[], data: SandboxData) => {
  const names = contracts.map(({ service }) => service);
  const server = await startSandbox({
    services: names,
    contracts,
    port: 0,
    seed: 1,
    faults: [],
    data: await checkedData(data, names),
  });
  const tenant = server.tenants.all.get("") as Tenant;
  const instances = [...tenant.instances];
  return {
    environment: server.environment,
    data: server.data,
    stores: () => instances.map(([service, { open }]) => [service, open.stores?.() ?? {}] as const),
    /** Causes every situation, reads what is made when it is read, and lets a few weeks pass. */
    live: async (): Promise<void> => {
      for (const [, { open }] of instances)
        for (const arrange of Object.values(open.situations)) await arrange({ url: "http://127.0.0.1:9/" });
      await tenant.clock.moveTo(new Date(Date.now() + 20 * 86_400_000));
      for (const contract of contracts) await answersOf(server, contract, 0);
    },
    now: () => tenant.clock.now(),
    moveTo: (time: Date) => tenant.clock.moveTo(time),
    answers: () =>
      Promise.all(contracts.map((contract) => answersOf(server, contract, tenant.clock.now().getTime()))),
    [Symbol.asyncDispose]: server.close,
  };
};

/** Returns the answers to each operation that reads, with identifiers of the dump. */
const answersOf = async (
  { baseUrls, environment }: Sandbox,
  contract: Contract,
  now: number,
): Promise<unknown> => {
  const { service } = contract;
  const known = knownIds();
  known.learn(CHOSEN[service]);
  const isPartners = service === "financial-data";
  const client = isPartners ? await financialClient({ baseUrls, credentials: environment }, contract) : plain;
  const answers: unknown[] = [];
  for (const { method, path, operationId } of contract.operations) {
    if (method !== "GET") continue;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => known.of(name)[0] ?? "1");
    const answer = await client(method, isPartners ? filled : `${baseUrls[service]}${filled}`).catch(String);
    answers.push([operationId, filled, withoutNow(answer, now)]);
  }
  return answers;
};

const plain = async (method: string, url: string) => {
  const response = await fetch(url, { method });
  return { status: response.status, text: await response.text() };
};

/** Times within a minute of the present differ between two sandboxes that are asked one after the other. */
const withoutNow = (answer: unknown, now: number): string =>
  JSON.stringify(answer)
    .replaceAll(/127\.0\.0\.1:\d+/g, "here")
    .replace(/\b\d{10}\b/g, (digits) => (Math.abs(Number(digits) * 1000 - now) < 60_000 ? "now" : digits))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (text) =>
      Math.abs(Date.parse(text) - now) < 60_000 ? "now" : text,
    );

const withoutPort = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.replace(/127\.0\.0\.1:\d+/, "")]),
  );

/** Returns the content of the stores as plain values. A ledger counts by its transactions, not by its columns. */
const contentOf = (value: unknown): unknown => {
  if (value instanceof Map) return [...value].map(([key, inner]) => [key, contentOf(inner)]).sort(byText);
  if (value instanceof Set) return [...value].map(contentOf).sort(byText);
  if (typeof value === "function" || value === undefined) return undefined;
  if (typeof value !== "object" || value === null || value instanceof Date || Buffer.isBuffer(value))
    return value;
  if (Array.isArray(value)) return value.map(contentOf);
  if ("chosenSerials" in value) {
    const ledger = value as unknown as Ledger;
    return { from: ledger.from, until: ledger.until, rows: rowsAt(ledger, 0, ledger.length) };
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      DERIVED.includes(name) || inner === undefined ? [] : [[name, contentOf(inner)]],
    ),
  );
};

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

const resourcesIn = (stores: readonly (readonly [Service, Stores])[]) =>
  stores.map(([service, own]) => [
    service,
    Object.entries(own)
      .filter(([name]) => !(name in NO_RESOURCES))
      .map(([name, store]) => [name, contentOf(store)]),
  ]);
