/** A provider's document that leaves open the points that the contract assumes, joined to the contract. */
import { writeFile } from "node:fs/promises";
import { test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";

const json = (schema: object) => ({ "application/json": { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const record = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

const TEXT = { type: "string" };
const INT32 = { type: "integer", format: "int32" };

const operation = (operationId: string, body: object | undefined, responses: object) => ({
  operationId,
  ...(body && { requestBody: { required: true, content: json(body) } }),
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      { description: status, ...(schema && { content: json(schema) }) },
    ]),
  ),
});

const withPath = (node: object, ...schemas: readonly (readonly [string, object])[]) => ({
  ...node,
  parameters: schemas.map(([name, schema]) => ({ name, in: "path", required: true, schema })),
});

const CUSTOMER = ["customerId", TEXT] as const;
const ACCOUNT = ["accountId", TEXT] as const;

const PATHS = {
  "/aggregation/v2/partners/authentication": {
    post: operation("CreateToken", ref("PartnerCredentials"), { 200: record({ token: TEXT }, ["token"]) }),
    put: operation("ModifyPartnerSecret", ref("ChangedSecret"), { 204: undefined }),
  },
  "/aggregation/v1/customers/{customerId}": {
    get: withPath(operation("GetCustomer", undefined, { 404: ref("ErrorMessage") }), CUSTOMER),
  },
  "/aggregation/v1/customers/{customerId}/accounts": {
    get: withPath(
      operation("GetCustomerAccounts", undefined, {
        200: record({ accounts: { type: "array", items: ref("CustomerAccount") } }, ["accounts"]),
      }),
      CUSTOMER,
    ),
  },
  "/aggregation/v2/customers/{customerId}/accounts/{accountId}": {
    get: withPath(
      operation("GetCustomerAccount", undefined, { 200: ref("CustomerAccount") }),
      CUSTOMER,
      ACCOUNT,
    ),
  },
  "/decisioning/v1/customers/{customerId}/consumer": {
    post: withPath(
      operation("CreateConsumer", record({ firstName: TEXT, birthday: ref("Birthday") }), {
        201: record({ id: TEXT }, ["id"]),
      }),
      CUSTOMER,
    ),
  },
  "/decisioning/v2/customers/{customerId}/statement": {
    post: withPath(
      operation(
        "GenerateStatementReport",
        record({ statementReportData: record({ accountId: { type: "integer" }, statementIndex: INT32 }) }),
        { 202: record({ id: TEXT }) },
      ),
      CUSTOMER,
    ),
  },
  "/decisioning/v2/customers/{customerId}/reports/balance-analytics/userTypes/{userType}": {
    post: withPath(
      operation("GenerateBalanceAnalyticsReport", undefined, { 202: record({ id: TEXT }) }),
      CUSTOMER,
      ["userType", ref("UserType")],
    ),
  },
  "/decisioning/v3/customers/{customerId}/reports/{reportId}": {
    get: withPath(operation("GetReportByCustomer", undefined, { 200: record({ id: TEXT }) }), CUSTOMER, [
      "reportId",
      TEXT,
    ]),
  },
  "/connect/v2/generate/jointBorrower": {
    post: operation(
      "GenerateJointBorrowerConnectUrl",
      record({ partnerId: TEXT, language: { type: "string", enum: ["it"] }, borrowers: ref("Borrowers") }, [
        "partnerId",
        "borrowers",
      ]),
      { 200: record({ link: TEXT }) },
    ),
  },
};

const SCHEMAS = {
  // Declared before its component PartnerCredentials, which another operation uses differently.
  ChangedSecret: {
    allOf: [ref("PartnerCredentials"), record({ newPartnerSecret: TEXT }, ["newPartnerSecret"])],
  },
  PartnerCredentials: record({ partnerId: TEXT, partnerSecret: TEXT }, ["partnerId", "partnerSecret"]),
  ErrorMessage: record({ code: { type: "object" }, message: TEXT }, ["code"]),
  CustomerAccount: record(
    { id: TEXT, accountNickname: TEXT, detail: record({ bankName: TEXT }, ["bankName"]) },
    ["id", "accountNickname", "detail"],
  ),
  Birthday: record({ year: INT32, month: INT32, dayOfMonth: INT32 }),
  UserType: TEXT,
  Borrowers: { type: "array", items: record({ customerId: TEXT, consumerId: TEXT, type: TEXT }, ["type"]) },
};

export const loadOpenDocument = async (): Promise<Contract> => {
  const providerFile = test.info().outputPath("provider.json");
  const info = { title: "Open", version: "1" };
  const document = { openapi: "3.0.3", info, paths: PATHS, components: { schemas: SCHEMAS } };
  await writeFile(providerFile, JSON.stringify(document));
  return loadContract("financial-data", { providerFile });
};
