/**
 * Points that the provider's document does not define: valid values follow the assumptions, but no verdict uses them.
 */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { validValues } from "../../../helpers/generate/valid.ts";
import { startSandbox, type TestSandbox } from "../../../mocks/sandbox.ts";
import { financialClient } from "../sandbox/daily/clients.ts";
import { loadOpenDocument } from "./open-document.ts";

const operation = ({ operations }: Contract, id: string): Operation =>
  operations.find(({ operationId }) => operationId === id) as Operation;

const bodyOf = (contract: Contract, id: string): JsonSchema =>
  operation(contract, id).requestBody?.content["application/json"] as JsonSchema;

const RESOURCES = {
  partner: "main",
  "partner-secret": "the main one",
  "disposable-partner": "disposable",
  "disposable-partner-secret": "the disposable one",
  customer: "1",
  consumer: "2",
};

const drawn = (contract: Contract, schema: JsonSchema): unknown[] => {
  const { schemas } = contract;
  const context = { schemas, validator: createValidator(contract), resources: RESOURCES };
  return fc.sample(validValues(schema, context), { seed: 1, numRuns: 40 });
};

test("a parameter that is free text in the document gets the values that the contract assumes", async () => {
  const contract = await loadOpenDocument();
  const { parameters } = operation(contract, "GenerateBalanceAnalyticsReport");
  const userType = parameters.find(({ name }) => name === "userType");
  expect(new Set(drawn(contract, userType?.schema ?? {}))).toEqual(new Set(["personal", "business"]));
});

test("lists have the assumed number of items, objects the assumed properties, and texts the assumed values", async () => {
  const contract = await loadOpenDocument();
  for (const body of drawn(contract, bodyOf(contract, "GenerateJointBorrowerConnectUrl")) as Joint[]) {
    expect(body.borrowers.length).toBeGreaterThanOrEqual(2);
    for (const { type } of body.borrowers) expect(["primary", "jointBorrower"]).toContain(type);
    // The provider's document restricts this value itself.
    expect(["it", undefined]).toContain(body.language);
  }
  const consumers = drawn(contract, bodyOf(contract, "CreateConsumer")) as Consumer[];
  const birthdays = consumers.flatMap(({ birthday }) => (birthday === undefined ? [] : [birthday]));
  expect(birthdays.length).toBeGreaterThan(0);
  for (const { month = 0, ...rest } of birthdays) {
    expect(Object.keys(rest).sort()).toEqual(["dayOfMonth", "year"]);
    expect(month >= 1 && month <= 12).toBe(true);
  }
});

interface Joint {
  readonly language?: string;
  readonly borrowers: readonly { readonly type: string }[];
}

interface Consumer {
  readonly birthday?: Readonly<Record<string, number>>;
}

test("assumptions create no rules, and the validator ignores them", async () => {
  const contract = await loadOpenDocument();
  const about = (id: string, pointer: string): string[] =>
    contract.rules
      .filter((rule) => rule.operationId === id && rule.direction === "request" && rule.pointer === pointer)
      .map(({ keyword }) => keyword);
  expect(about("GenerateJointBorrowerConnectUrl", "/borrowers")).not.toContain("minItems");
  expect(about("GenerateJointBorrowerConnectUrl", "/borrowers/*/type")).not.toContain("enum");
  expect(about("CreateConsumer", "/birthday/month").filter((keyword) => keyword !== "type")).toEqual([
    "format",
  ]);
  expect(about("GenerateBalanceAnalyticsReport", "")).not.toContain("enum");
  const { validate } = createValidator(contract);
  const lone = { partnerId: "main", borrowers: [{ type: "anybody" }] };
  expect(validate(bodyOf(contract, "GenerateJointBorrowerConnectUrl"), lone)).toEqual([]);
});

test("a component of two bodies names the right resource in each body", async () => {
  const contract = await loadOpenDocument();
  for (const body of drawn(contract, bodyOf(contract, "CreateToken"))) {
    expect(body).toMatchObject({ partnerId: "main", partnerSecret: "the main one" });
  }
  for (const body of drawn(contract, bodyOf(contract, "ModifyPartnerSecret"))) {
    expect(body).toMatchObject({ partnerId: "disposable", partnerSecret: "the disposable one" });
  }
});

test("a media type that the contract documents remains a possible response", async () => {
  const { responses } = operation(await loadOpenDocument(), "GetReportByCustomer");
  expect(Object.keys(responses[200]?.content ?? {}).sort()).toEqual(["application/json", "application/pdf"]);
  expect(responses[200]?.content["application/json"]).toMatchObject({ "x-level": "provider" });
});

test.describe("the sandbox in the provider's shapes", () => {
  let sandbox: TestSandbox | undefined;

  test.afterEach(() => sandbox?.stop());

  const opened = async () => {
    const contract = await loadOpenDocument();
    sandbox = await startSandbox({ services: ["financial-data"], contracts: [contract] });
    const call = await financialClient(sandbox, contract);
    const operate = (id: string, ids: Readonly<Record<string, string>>, body?: unknown) => {
      const { method, path } = operation(contract, id);
      return call(
        method,
        path.replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? ""),
        body,
      );
    };
    return { operate, customerId: sandbox.credentials.FINANCIAL_DATA_CUSTOMER_ID ?? "" };
  };

  test("refuses numbers beyond 32 bits, and accepts the largest 32-bit number", async () => {
    const { operate, customerId } = await opened();
    const { json } = await operate("GetCustomerAccounts", { customerId });
    const accountId = Number((json.accounts as readonly { readonly id: string }[])[0]?.id);
    const status = async (statementIndex: number) => {
      const statementReportData = { accountId, statementIndex };
      return (await operate("GenerateStatementReport", { customerId }, { statementReportData })).status;
    };
    for (const index of [-(2 ** 31) - 1, 2 ** 31]) expect(await status(index)).toBe(400);
    for (const index of [-(2 ** 31), 0, 1, 2 ** 31 - 1]) expect(await status(index)).toBe(202);
  });

  test("generates the same values for an account in a list and for the single account", async () => {
    const { operate, customerId } = await opened();
    const { json } = await operate("GetCustomerAccounts", { customerId });
    const accounts = json.accounts as readonly Readonly<Record<string, unknown>>[];
    expect(new Set(accounts.map(({ accountNickname }) => accountNickname)).size).toBeGreaterThan(1);
    for (const account of accounts) {
      const alone = await operate("GetCustomerAccount", { customerId, accountId: String(account.id) });
      expect(alone.json).toEqual(account);
    }
  });

  test("keeps the code of a refusal if the document has an object instead", async () => {
    const { operate } = await opened();
    const { status, json } = await operate("GetCustomer", { customerId: "7" });
    expect([status, json.code]).toEqual([404, { value: 14_001 }]);
  });
});
