/** The core of the sandbox of financial data: who may call, customers and what is theirs, institutions, bad requests. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../helpers/contract/contract.ts";
import { listFaults } from "../../mocks/faults.ts";
import { SECTIONS } from "../../mocks/financial-data/sections/index.ts";
import type { Sandbox } from "../../mocks/server.ts";
import {
  admin,
  type Client,
  clientOf,
  contractOf,
  problemsOf,
  send,
  startFinancialData,
} from "./financial-data-client.ts";

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

/** A tenant of its own for what would get in the way of other tests. */
const tenant = async (faults: string[] = [], seed = 7) => {
  const { json, status, text } = await admin(sandbox, "POST", "/tenants", { seed, faults });
  expect([status, text]).toEqual([201, expect.any(String)]);
  const { tenant: name, environment } = json as { tenant: string; environment: Record<string, string> };
  const moveClock = (body: unknown) =>
    admin(sandbox, "POST", "/clock", { tenant: name, ...(body as object) });
  return { name, environment, client: await clientOf(contract, environment), moveClock };
};

const addCustomer = async (caller: Client, username: string, fields: Record<string, unknown> = {}) => {
  const answered = await caller.operate("AddTestingCustomer", {}, { username, ...fields });
  expect(answered.status).toBe(201);
  return String(answered.json.id);
};

const CONSUMER = {
  firstName: "Avery",
  lastName: "Elm",
  address: "1 Lake Road",
  city: "Fairview",
  state: "TX",
  zip: "75069",
  phone: "8015550100",
  ssn: "999601111",
  birthday: { year: 1980, month: 2, dayOfMonth: 3 },
  email: "avery@example.com",
};

const BUSINESS = {
  name: "Elm Bakery",
  personallyLiable: false,
  address: { addressLine1: "1 Lake Road", city: "Fairview", state: "TX", postalCode: "75069", country: "US" },
  phoneNumber: { countryCode: "1", phoneNo: "8015550100" },
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

test("a call needs the app key and a token, and authentication the key alone", async () => {
  const base = client.environment.FINANCIAL_DATA_BASE_URL;
  const key = client.environment.FINANCIAL_DATA_APP_KEY ?? "";
  const statuses = [];
  for (const headers of [
    {},
    { "partner-app-key": key },
    { "partner-app-token": client.token },
    { "partner-app-key": "x", "partner-app-token": client.token },
    { "partner-app-key": key, "partner-app-token": "x" },
    { "partner-app-key": key, "partner-app-token": client.token },
  ]) {
    const { status } = await send(
      "GET",
      `${base}/aggregation/v1/customers`,
      headers as Record<string, string>,
    );
    statuses.push(status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 200]);
});

test("a token lives two hours on the clock of its tenant", async () => {
  const { client: own, moveClock } = await tenant();
  const { json } = await moveClock({ advance: 7_190 });
  expect(json).toEqual({ now: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect((await own.operate("GetCustomers")).status).toBe(200);
  await moveClock({ advance: 20 });
  expect((await own.operate("GetCustomers")).status).toBe(401);
  expect((await client.operate("GetCustomers")).status).toBe(200);
});

test("the fifth wrong secret locks the account for good", async () => {
  const { environment } = await tenant();
  const id = environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_ID;
  const right = environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET;
  const signIn = async (partnerSecret: unknown) => {
    const url = `${environment.FINANCIAL_DATA_BASE_URL}/aggregation/v2/partners/authentication`;
    const key = { "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "" };
    return (await send("POST", url, key, { partnerId: id, partnerSecret })).status;
  };
  expect(await signIn(right)).toBe(200);
  for (let failures = 0; failures < 4; failures += 1) expect(await signIn("wrong")).toBe(401);
  expect(await signIn(right)).toBe(200);
  for (let failures = 0; failures < 5; failures += 1) expect(await signIn("wrong")).toBe(401);
  expect(await signIn(right)).toBe(401);
});

test("a secret is changed when the new one keeps the rules", async () => {
  const { client: own, environment } = await tenant();
  const change = (newPartnerSecret: string) =>
    own.operate(
      "ModifyPartnerSecret",
      {},
      {
        partnerId: environment.FINANCIAL_DATA_PARTNER_ID,
        partnerSecret: environment.FINANCIAL_DATA_PARTNER_SECRET,
        newPartnerSecret,
      },
    );
  const refused = ["Short1aaaaa", "a1".repeat(128), "no-digit-in-here", "123456789012", "blank in it 1"];
  for (const secret of refused) expect([secret, (await change(secret)).status]).toEqual([secret, 400]);
  expect((await change("Fresh_Secret-1!")).status).toBe(204);
  expect((await change("Fresh_Secret-2!")).status).toBe(401);
});

test("customers are added once, found by search, paged to the last and changed by name only", async () => {
  const { client: own } = await tenant();
  for (let index = 0; index < 60; index += 1) {
    await addCustomer(own, `maker-${index}`, { firstName: "Casey", lastName: `Hazel${index}` });
  }
  expect((await own.operate("AddCustomer", {}, { username: "MAKER-1" })).status).toBe(409);
  const ids = new Set<unknown>();
  let more = true;
  for (let start = 1; more; start += 25) {
    const { json } = await own.operate("GetCustomers", {}, undefined, `?start=${start}&limit=25`);
    const { customers, moreAvailable } = json as { customers: { id: string }[]; moreAvailable: boolean };
    for (const { id } of customers) ids.add(id);
    more = moreAvailable;
  }
  expect(ids.size).toBe(61);
  for (const search of ["maker-31", "Casey Hazel31", "hazel31"]) {
    const { json } = await own.operate(
      "GetCustomers",
      {},
      undefined,
      `?search=${encodeURIComponent(search)}`,
    );
    expect([search, (json.customers as { username: string }[])[0]?.username]).toEqual([search, "maker-31"]);
  }
  expect((await own.operate("GetCustomers", {}, undefined, "?type=robot")).status).toBe(400);
  const [id = ""] = [...ids].map(String).slice(-1);
  expect((await own.operate("ModifyCustomer", { customerId: id }, { phone: "1" })).status).toBe(400);
  expect((await own.operate("ModifyCustomer", { customerId: id }, { lastName: "Willow" })).status).toBe(204);
  const { json } = await own.operate("GetCustomer", { customerId: id });
  expect(json).toMatchObject({ id, firstName: "Casey", lastName: "Willow", type: "testing" });
});

test("a consumer outlives its customer, whose accounts and business go with it", async () => {
  const { client: own, name } = await tenant();
  const customerId = await addCustomer(own, "leaving");
  const consumer = await own.operate("CreateConsumer", { customerId }, CONSUMER);
  const consumerId = String(consumer.json.id);
  expect((await own.operate("CreateConsumer", { customerId }, CONSUMER)).status).toBe(409);
  const { ssn: _, ...lacking } = CONSUMER;
  expect((await own.operate("CreateConsumer", { customerId }, lacking)).status).toBe(400);
  expect((await own.operate("ModifyConsumer", { consumerId }, { city: "Riverton" })).status).toBe(204);
  const business = await own.operate("AddBusinessDetails", { customer_id: customerId }, BUSINESS);
  expect([business.status, problems("AddBusinessDetails", business)]).toEqual([200, undefined]);
  expect((await own.operate("AddBusinessDetails", { customer_id: customerId }, BUSINESS)).status).toBe(409);
  const linked = await admin(sandbox, "POST", "/link", { tenant: name, customerId, accounts: ["checking"] });
  expect(linked.json.accounts).toEqual([{ id: expect.stringMatching(/^\d{10}$/), type: "checking" }]);
  expect((await own.operate("DeleteCustomer", { customerId })).status).toBe(204);
  expect((await own.operate("GetCustomer", { customerId })).status).toBe(404);
  const business_id = String(business.json.businessId);
  expect((await own.operate("GetBusinessById", { business_id })).status).toBe(404);
  const read = await own.operate("GetConsumer", { consumerId });
  expect(read.json).toMatchObject({ id: consumerId, city: "Riverton", firstName: "Avery", ssn: "1111" });
});

test("institutions are searched, filtered and paged, and found by routing number", async () => {
  const list = async (query: string) => {
    const { json } = await client.operate("GetInstitutions", {}, undefined, query);
    return json as { found: number; institutions: { id: number; name: string }[]; moreAvailable: boolean };
  };
  const all = await list("?limit=1000");
  expect(all.institutions).toHaveLength(all.found);
  expect((await list("?search=nothing+of+the+kind")).institutions).toEqual([]);
  expect((await list("?supportedCountries=ca")).found).toBeLessThan(all.found);
  expect((await list("?start=41&limit=10")).institutions).toEqual(all.institutions.slice(40, 50));
  const number = client.environment.FINANCIAL_DATA_ROUTING_NUMBER ?? "";
  const statuses = [];
  for (const routing_number of [number, "123456789", number.slice(1), "1234567890"]) {
    statuses.push((await client.operate("GetInstitutionsByRoutingNumber", { routing_number })).status);
  }
  expect(statuses).toEqual([200, 404, 400, 400]);
});

test("branding links lead to SVG pictures, and some institutions have none", async () => {
  const { json } = await client.operate("GetInstitutions");
  const institutionId = String((json.institutions as { id: number }[])[0]?.id);
  const branding = await client.operate("GetInstitutionBranding", { institutionId });
  const { logo } = branding.json.branding as { logo: string };
  const picture = await send("GET", logo, {});
  expect([picture.status, picture.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  const arranged = await admin(sandbox, "POST", "/situations", { situation: "institution-without-branding" });
  const { FINANCIAL_DATA_INSTITUTION_ID: plain = "" } = arranged.json.environment as Record<string, string>;
  expect((await client.operate("GetInstitutionBranding", { institutionId: plain })).status).toBe(404);
});

test("a configuration is its owner's alone", async () => {
  const created = await client.operate("post-configurations", {}, { aoRequired: true });
  expect([created.status, created.json.aoRequired]).toEqual([201, true]);
  const configuration_id = String(created.json.id);
  expect((await client.operate("get-configurations-configurationId", { configuration_id })).status).toBe(200);
  const arranged = await admin(sandbox, "POST", "/situations", { situation: "foreign-configuration" });
  const foreign = (arranged.json.environment as Record<string, string>).FINANCIAL_DATA_CONFIGURATION_ID ?? "";
  const read = await client.operate("get-configurations-configurationId", { configuration_id: foreign });
  expect(read.status).toBe(404);
  const { text } = await client.operate("get-configurations");
  expect([text.includes(configuration_id), text.includes(foreign)]).toEqual([true, false]);
});

test("equal seeds give equal answers to equal calls", async () => {
  const story = async (seed: number) => {
    const { client: own } = await tenant([], seed);
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
  const faults = listFaults([contract]);
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
    expect([fault, await call(bent.client)]).toEqual([fault, status]);
    expect([fault, await call(straight.client)]).not.toEqual([fault, status]);
  }
});
