/** The identity of data: each kind of resource of a state can be chosen, and a dump starts the same state again. */
import { expect, test } from "@playwright/test";
import type { Contract, Service } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { services } from "../../../../helpers/contract/services.ts";
import { KINDS as CARD_ENROLLMENT_KINDS } from "../../../../mocks/card-enrollment/data.ts";
import { checkedData, dataSchemaOf, type SandboxData } from "../../../../mocks/engine/data/data.ts";
import type { Kind } from "../../../../mocks/engine/data/kinds.ts";
import { startSandbox } from "../../../../mocks/engine/server.ts";
import type { Tenant } from "../../../../mocks/engine/tenant.ts";
import { type Fields, fieldsIn, isObject } from "../../../../mocks/engine/values/fields.ts";
import type { Stores } from "../../../../mocks/engine/values/image.ts";
import { KINDS as FINANCIAL_DATA_KINDS } from "../../../../mocks/financial-data/data/kinds.ts";
import { type Ledger, rowsAt } from "../../../../mocks/financial-data/state/ledger.ts";
import { KINDS as INSTALLMENTS_KINDS } from "../../../../mocks/installments/data.ts";
import { LONG, PROVIDER } from "../../support/lanes.ts";
import { shared } from "../../support/shared.ts";
import { CHOSEN_ONCE } from "./chosen-data.ts";
import { answersOf } from "./reads.ts";

const KINDS: Readonly<Record<Service, readonly Pick<Kind<unknown>, "name" | "holds">[]>> = {
  "card-enrollment": CARD_ENROLLMENT_KINDS,
  "financial-data": FINANCIAL_DATA_KINDS,
  installments: INSTALLMENTS_KINDS,
};

/** Gives all ids of the data another form, except where the contract states the form. */
const renamedFor = async (contracts: readonly Contract[], idOf: (index: number) => string) => {
  const services = contracts.map(({ service }) => service);
  const { properties: schemas } = await dataSchemaOf(services);
  const ids = new Set(
    services.flatMap((service) => [...idsHeld(fieldsIn(fieldsIn(schemas)[service]), CHOSEN_ONCE[service])]),
  );
  const names = new Map([...ids].map((id, index) => [id, idOf(index)]));
  const refused: string[] = [];
  for (;;) {
    const renamed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(renamed);
      if (isObject(value))
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner)]));
      return names.get(String(value)) ?? value;
    };
    const data = Object.fromEntries(
      services.map((service) => [service, fieldsIn(renamed(CHOSEN_ONCE[service]))]),
    );
    try {
      await (await started(contracts, data))[Symbol.asyncDispose]();
      return { data, refused };
    } catch (error) {
      const [, resource = "", name] =
        /no (\S+) with an id like "(.+?)", /.exec((error as Error).message) ?? [];
      const [id] = [...names].find(([, other]) => other === name) ?? [];
      if (id === undefined) throw error;
      names.delete(id);
      if (!refused.includes(resource)) refused.push(resource);
    }
  }
};

/** Yields the ids in the data that can be texts and numbers, by the marks of their schema. */
function* idsHeld(schema: Fields, value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* idsHeld(fieldsIn(schema.items), item);
  for (const [name, own] of Object.entries(fieldsIn(value))) {
    const part = fieldsIn(fieldsIn(schema.properties)[name]);
    if (part["x-resource"] !== undefined && Array.isArray(part.type)) yield String(own);
    yield* idsHeld(part, own);
  }
}

/** What lists show that no client makes, and no user chooses. */
const FIXED: Readonly<Record<string, string>> = {
  experience: "the look of hosted pages, which the sandbox has only one of",
  "webhook-event-name": "words of the document",
};

/** Yields the resources that the data contain, by the marks of their schema. */
function* resourcesHeld(schema: Fields, value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* resourcesHeld(fieldsIn(schema.items), item);
  for (const [name, own] of Object.entries(fieldsIn(value))) {
    const part = fieldsIn(fieldsIn(schema.properties)[name]);
    const also = Object.entries(fieldsIn(part["x-also"]));
    if (also.every(([resource]) => resource !== part["x-resource"])) yield String(part["x-resource"]);
    for (const [resource, fields] of also)
      if (Object.entries(fieldsIn(fields)).every(([field, one]) => fieldsIn(value)[field] === one))
        yield resource;
    yield* resourcesHeld(part, own);
  }
}

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
  await proveIdentity(await ownContracts(), 40, CHOSEN_ONCE);
});

/** The resources whose ids have a form that one of the provider's documents states. */
const FORMED = [
  ...["configuration", "location", "offer", "pay-request", "plan", "webhook-event", "webhook-subscription"],
];
const NUMERIC = ["account", "customer", "institution-login", "pre-app", "txpush-subscription"];

/** The forms that ids in a file can have. */
const FORMS: Readonly<Record<string, (index: number) => string>> = {
  "integers that a double does not hold": (index) => `90071992547409${930 + index}`,
  texts: (index) => `own.id_${index}~a`,
};

for (const [form, idOf] of Object.entries(FORMS))
  test(`a dump starts the same state again if all ids are ${form}`, LONG, async () => {
    const contracts = await ownContracts();
    const { data, refused } = await renamedFor(contracts, idOf);
    expect(refused).toEqual([]);
    await proveIdentity(contracts, 40, data);
  });

for (const [service, file, least] of [
  ["financial-data", "financial-data-1.29.0", 30],
  ["financial-data", "financial-data-1.30.0", 30],
  ["financial-data", "financial-data-1.35.0", 30],
  ["installments", "installments-2.0.0", 1],
] as const) {
  test(`a dump starts the same state again, with the provider's document ${file}`, PROVIDER, async () => {
    const providerFile = shared(`provider/${file}.yaml`);
    const contracts = [await loadContract(service, { providerFile })];
    await proveIdentity(contracts, least, CHOSEN_ONCE);
    for (const [form, idOf] of Object.entries(FORMS)) {
      const { data, refused } = await renamedFor(contracts, idOf);
      const refusable = form === "texts" ? [...FORMED, ...NUMERIC] : FORMED;
      expect(refusable).toEqual(expect.arrayContaining(refused));
      await proveIdentity(contracts, least, data);
    }
  });
}

const ownContracts = (): Promise<Contract[]> =>
  Promise.all(services().map((service) => loadContract(service)));

/** @param least how many of the read resources are there, at least */
const proveIdentity = async (
  contracts: readonly Contract[],
  least: number,
  chosen: SandboxData,
): Promise<void> => {
  const own = contracts.map(({ service }) => [service, chosen[service] ?? {}] as const);
  await using first = await started(contracts, Object.fromEntries(own));
  await first.live(chosen);
  const dump = first.data();
  const { properties: schemas } = await dataSchemaOf(contracts.map(({ service }) => service));
  for (const { service, operations } of contracts) {
    for (const { name } of KINDS[service] ?? [])
      expect(dump[service]?.[name], `${service} ${name}`).not.toEqual([]);
    const held = [...resourcesHeld(fieldsIn(fieldsIn(schemas)[service]), dump[service])];
    const made = operations.flatMap(({ produces, finds }) => [...produces, ...finds]);
    const missing = made.map(({ resource }) => resource).filter((one) => !held.includes(one));
    expect([service, missing.filter((one) => !(one in FIXED))]).toEqual([service, []]);
  }
  // A file has no references and no fields without a value.
  await using second = await started(contracts, JSON.parse(JSON.stringify(dump)));
  expect(second.data()).toEqual(dump);
  expect(resourcesIn(second.stores())).toEqual(resourcesIn(first.stores()));
  expect(withoutPort(second.credentials)).toEqual(withoutPort(first.credentials));
  await second.moveTo(first.now());
  const answers = await first.answers(chosen);
  expect(JSON.stringify(answers).match(/status.{3}200/g)?.length, "resources that are read").toBeGreaterThan(
    least,
  );
  expect(await second.answers(chosen)).toEqual(answers);
};

const started = async (contracts: readonly Contract[], data: SandboxData) => {
  const names = contracts.map(({ service }) => service);
  const server = await startSandbox({ contracts, data: await checkedData(data, names) });
  const tenant = server.tenants.all.get("") as Tenant;
  const instances = [...tenant.instances];
  const served = { baseUrls: server.baseUrls, credentials: server.environment };
  return {
    ...served,
    data: server.data,
    stores: () => instances.map(([service, { open }]) => [service, open.stores?.() ?? {}] as const),
    /** Causes every situation, reads what is made when it is read, and lets a few weeks pass. */
    live: async (chosen: SandboxData): Promise<void> => {
      for (const [, { open }] of instances)
        for (const arrange of Object.values(open.situations)) await arrange({ url: "http://127.0.0.1:9/" });
      await tenant.clock.moveTo(new Date(Date.now() + 20 * 86_400_000));
      for (const contract of contracts) await answersOf(served, contract, 0, chosen);
    },
    now: () => tenant.clock.now(),
    moveTo: (time: Date) => tenant.clock.moveTo(time),
    answers: (chosen: SandboxData) =>
      Promise.all(
        contracts.map((contract) => answersOf(served, contract, tenant.clock.now().getTime(), chosen)),
      ),
    [Symbol.asyncDispose]: server.close,
  };
};

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
