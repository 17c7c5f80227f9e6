/** The provider's document replaces assumed shapes: it is joined, translated, and refused when it is invalid. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import type { Bindings, Contract, Operation } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { doubtAboutCall, unsettled } from "../../../helpers/contract/lookups.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { PROVIDER } from "../support/lanes.ts";
import { shared } from "../support/shared.ts";

const json = (schema: object) => ({ "application/json": { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const SMALL = {
  openapi: "3.0.3",
  info: { title: "Another writing of it", version: "9.1" },
  security: [{ acmeKey: [], acmeToken: [] }],
  paths: {
    "/aggregation/v1/customers/{customer-id}": {
      parameters: [{ name: "customer-id", in: "path", required: true, schema: { type: "string" } }],
      get: {
        operationId: "readCustomer",
        responses: {
          "200": { description: "ok", content: json(ref("Customer")) },
          "418": { description: "no coffee here", content: json(ref("Problem")) },
        },
      },
    },
    "/aggregation/v1/customers": {
      get: {
        operationId: "GetCustomers",
        parameters: [
          {
            name: "Limit",
            in: "query",
            schema: { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 40 },
          },
          { name: "user_name", in: "query", schema: { type: "string" } },
        ],
        responses: {
          "200": { description: "ok", content: json({ type: "array", items: ref("Customer") }) },
        },
      },
    },
    "/new/thing": { post: { operationId: "makeThing", responses: { "201": { description: "made" } } } },
  },
  components: {
    securitySchemes: {
      acmeToken: { type: "apiKey", in: "header", name: "X-Acme-App-Token" },
      acmeKey: { type: "apiKey", in: "header", name: "X-Acme-App-Key" },
    },
    schemas: {
      Customer: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string" },
          firstName: { type: "string", nullable: true, example: "Anna" },
          age: { type: "number", maximum: 150, exclusiveMaximum: true },
          type: { type: "string", enum: ["testing", "active"], nullable: true },
          guardian: ref("Customer"),
          createdDate: { type: "string", format: "of-our-own" },
        },
      },
      Problem: { type: "object", properties: { code: { type: "integer", format: "int64" } } },
    },
  },
};

const load = async (document: unknown, corrections?: Bindings): Promise<Contract> => {
  const providerFile = test.info().outputPath("provider.json");
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  await writeFile(providerFile, text);
  return loadContract("financial-data", { providerFile, ...(corrections && { corrections }) });
};

const operation = (contract: Contract, id: string): Operation =>
  contract.operations.find(({ operationId }) => operationId === id) as Operation;

test("a document is advised only if none was given, and only for what the contract assumes", async () => {
  const own = await loadContract("financial-data");
  const given = await load(SMALL);
  const advised = (contract: Contract) =>
    contract.operations.filter(
      (operation) => doubtAboutCall(contract, operation, "refused").code === "document-would-settle",
    );
  expect(advised(own).length).toBeGreaterThan(50);
  expect(advised(given)).toEqual([]);
  // In a contract that was made from a document, nothing is assumed.
  const { requestBody: _, ...stated } = operation(own, "GetCustomers");
  const bare = { ...stated, level: "documented", parameters: [] } as const;
  expect(doubtAboutCall(own, bare, "refused").code).toBe("call-incomplete");
  expect([unsettled(own, "seen").code, unsettled(given, "seen").code]).toEqual([
    "document-would-settle",
    "document-leaves-open",
  ]);
});

test("a contract tells what it takes a document to name, and the user corrects it", async () => {
  const { bindings } = await load(SMALL);
  expect(bindings).toEqual({
    GetCustomer: { "path customerId": "customer-id" },
    GetCustomers: { "query limit": "Limit", "query username": "user_name" },
  });
  const corrected = await load(SMALL, {
    GetCustomers: { "query limit": "none", "query search": "user_name" },
    GetCustomer: { "response /lastName": "/firstName", "response /createdDate": "none" },
  });
  expect(corrected.bindings.GetCustomers).toEqual({ "query search": "user_name" });
  expect(corrected.bindings.GetCustomer).toMatchObject({ "response /lastName": "/firstName" });
  await expect(load(SMALL, { GetCustomer: { "response /lastName": "/surname" } })).rejects.toThrow(
    'has no place "/surname" for "response /lastName"',
  );
});

test("the secrets that only a document shows are listed", async () => {
  const changed = structuredClone(SMALL);
  const { schemas, securitySchemes } = changed.components;
  Object.assign(securitySchemes, { member: { type: "apiKey", in: "query", name: "member" } });
  Object.assign(schemas.Customer.properties, { birthName: { type: "string", format: "password" } });
  const { secretPlaces } = await load(changed);
  expect(secretPlaces).toEqual(
    expect.arrayContaining([
      { in: "header", name: "X-Acme-App-Token" },
      { in: "query", name: "member" },
      { in: "body", name: "birthName" },
    ]),
  );
});

test("operations are joined by operationId, then by method and path; differences are listed", async () => {
  const contract = await load(SMALL);
  expect(contract.provider).toMatchObject({ version: "9.1" });
  expect(contract.differences.added).toEqual(["POST /new/thing (makeThing)"]);
  expect(contract.differences.lacking).toHaveLength(144);
  expect(operation(contract, "makeThing").level).toBe("provider");
  const own = await loadContract("financial-data");
  expect(contract.digest).not.toBe(own.digest);
  const written = own.requirements.filter(
    ({ id, level }) => level === "documented" && !id.includes(".unknown-"),
  );
  const ids = new Set(contract.requirements.map(({ id }) => id));
  expect(written.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
});

test("a promised status that the document no longer lists is an advisory, because the documents differ", async () => {
  const promise = "financial-data.GetAccountOwner.203-mfa";
  const levelWith = async (...statuses: string[]) => {
    const responses = Object.fromEntries(statuses.map((status) => [status, { description: "ok" }]));
    const get = { operationId: "GetAccountOwner", responses };
    const paths = { ...SMALL.paths, "/aggregation/v3/owners": { get } };
    const { requirements } = await load({ ...SMALL, paths });
    return requirements.find(({ id }) => id === promise)?.level;
  };
  expect(await levelWith("200", "203")).toBe("documented");
  expect(await levelWith("200", "2XX")).toBe("documented");
  expect(await levelWith("200", "default")).toBe("documented");
  expect(await levelWith("200", "404")).toBe("assumed");
});

test("names and shapes come from the provider, statuses from both, resources and behaviour from the contract", async () => {
  const contract = await load(SMALL);
  const read = operation(contract, "GetCustomer");
  expect(read.path).toBe("/aggregation/v1/customers/{customer-id}");
  expect(read.parameters).toMatchObject([
    { name: "customer-id", in: "path", resource: "customer", level: "provider" },
  ]);
  expect(Object.values(read.responses).map(({ status, level }) => [status, level])).toEqual([
    [200, "documented"],
    [400, "documented"],
    [401, "documented"],
    [404, "documented"],
    [418, "provider"],
  ]);
  expect(contract.securitySchemes.map(({ name, header }) => [name, header])).toEqual([
    ["Partner-App-Key", "X-Acme-App-Key"],
    ["Partner-App-Token", "X-Acme-App-Token"],
  ]);
  expect(contract.schemas.Customer).toMatchObject({
    "x-level": "provider",
    properties: { id: { "x-resource": "customer" }, firstName: { "x-data": "first-name" } },
  });
  const shape = contract.requirements.find(({ id }) => id === "financial-data.GetCustomer.response.shape");
  expect(shape).toMatchObject({ level: "provider", source: "the provider's document, Customers" });
});

test("requirements that the provider's shapes no longer show are dropped; renamed parameters keep their role", async () => {
  const list = operation(await load(SMALL), "GetCustomers");
  expect(list.list).toBeUndefined();
  expect(list.paging).toEqual({ start: "start", limit: "Limit", first: 1 });
  expect(list.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(["Limit", "user_name"]));
  expect(list.parameters.map(({ name }) => name)).not.toContain("username");
});

test("the provider's document does not override documented rules", async () => {
  const secret = { type: "string", maxLength: 999 };
  const body = {
    type: "object",
    properties: { partnerId: { type: "string" }, newPartnerSecret: secret },
  };
  const put = {
    operationId: "ModifyPartnerSecret",
    requestBody: { content: json(body) },
    responses: { "204": { description: "done" } },
  };
  const contract = await load({ ...SMALL, paths: { "/aggregation/v2/partners/authentication": { put } } });
  const rules = contract.rules.filter(({ pointer }) => pointer === "/newPartnerSecret");
  expect(rules.map(({ keyword, value }) => [keyword, value])).toEqual(
    expect.arrayContaining([
      ["minLength", 12],
      ["maxLength", 255],
      ["pattern", "[0-9]"],
    ]),
  );
});

test("a missing file is refused with its name", async () => {
  await expect(loadContract("financial-data", { providerFile: "no-such.yaml" })).rejects.toThrow(
    /no-such\.yaml: there is no such file/,
  );
});

test(
  "the provider's document, at its real size, is joined except for a few operations",
  PROVIDER,
  async () => {
    const providerFile = shared("provider/financial-data-1.30.0.yaml");
    const contract = await loadContract("financial-data", { providerFile });
    expect(contract.differences.lacking).toHaveLength(10);
    expect(contract.differences.added).toHaveLength(8);
    expect(operation(contract, "CreateToken").token).toBe("/token");
    expect(operation(contract, "AddTestingCustomer").produces).toHaveLength(1);
    const validator = createValidator(contract);
    for (const name of Object.keys(contract.schemas)) validator.validate(ref(name), {});
    const levels = contract.requirements.filter(({ id }) => id.endsWith(".shape")).map(({ level }) => level);
    expect(levels).not.toContain("documented");
    expect(levels.filter((level) => level === "provider").length).toBeGreaterThan(100);
    const again = await loadContract("financial-data", { providerFile });
    expect(again.requirements).toEqual(contract.requirements);
  },
);
