/** Reports: every generation and retrieval, each documented status, with the built-in shapes and the provider's. */
import { expect } from "@playwright/test";
import { DOCUMENTS, test } from "./fixture.ts";
import { DONE, generationsOf, idsOf, SETTLEMENT, TRANSACTION } from "./reports-calls.ts";
import type { Tenant } from "./tenant.ts";

const RETRIEVALS = [
  "GetReportById",
  "GetReportByCustomer",
  "GetReportByConsumer",
  "GetReportsByCustomerId",
  "GetReportsByConsumerId",
  "ReportReissue",
  "GetPortfolioByCustomer",
  "GetPortfolioByConsumer",
  "getResellerBillingReport",
];
const INDICATORS = [
  "GenerateFcraPaymentSuccessIndicators",
  "GetFcraPaymentSuccessIndicators",
  "GeneratePaymentSuccessIndicators",
  "GetPaymentSuccessIndicators",
  "GetFCRAPaymentSuccessIndicator",
  "GetPaymentSuccessIndicator",
];

for (const [document, lane] of DOCUMENTS) {
  test.describe(`with ${document}`, lane, () => {
    let tenant: Tenant;
    let customerId = "";
    let consumerId = "";
    let accountId = "";
    let now = 0;

    test.beforeEach(async ({ openTenantOf }) => {
      tenant = await openTenantOf(document);
      customerId = tenant.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
      const { json } = await tenant.client.operate("GetConsumerForCustomer", { customerId });
      consumerId = String(json.id);
      const linked = await tenant.link(customerId, { accounts: ["checking"] });
      accountId = linked.accounts[0]?.id ?? "";
      now = Math.floor(Date.now() / 1000);
    });

    const storedPayStatement = async (): Promise<string> => {
      const statement = Buffer.from("%PDF-1.4").toString("base64");
      const body = { label: "lastPayPeriod", statement };
      const { json } = await tenant.client.operate("StoreCustomerPayStatement", { customerId }, body);
      return String(json.assetId);
    };

    test("every generation is accepted, read when it is done, and refused as documented", async () => {
      const { witness } = tenant;
      const generations = generationsOf(tenant, accountId, await storedPayStatement(), now);
      const frozen = await tenant.arrange("security-freeze");
      for (const [operationId, { body, path = {}, query = "" }] of Object.entries(generations)) {
        const ids = idsOf(await witness.see(operationId, 202, { customerId, ...path }, body, query));
        const unknown = { ...body, ...(body.customerId !== undefined && { customerId: "7" }) };
        await witness.see(operationId, 404, { ...path }, unknown, query);
        await witness.see(operationId, 400, { customerId, ...path }, "{", query);
        const held = {
          ...body,
          ...(body.customerId !== undefined && { customerId: frozen.FINANCIAL_DATA_CUSTOMER_ID }),
        };
        await witness.see(
          operationId,
          403,
          { customerId: frozen.FINANCIAL_DATA_CUSTOMER_ID ?? "", ...path },
          held,
          query,
        );
        await tenant.advance(DONE);
        const read = await witness.see("GetReportById", 200, ids, {});
        expect([operationId, read.json.status]).toEqual([operationId, "success"]);
      }
      const unknownStatement = { paystatementReport: { assetIds: ["nobody-stored-it"] } };
      await witness.see("GeneratePayStatementReport", 404, { customerId }, unknownStatement);
      await witness.seeUnauthorized(Object.keys(generations));
      expect(witness.missing(Object.keys(generations))).toEqual([]);
    });

    test("merchant metrics answer immediately", async () => {
      const { witness } = tenant;
      const operationId = "GenerateSBCAMetricsReport";
      const { FINANCIAL_DATA_LOCATION_ID: locationId } = await tenant.arrange("location");
      const { json } = await witness.see(
        operationId,
        200,
        { customerId },
        { locationId, metricsType: "performance" },
      );
      expect(json.metrics).not.toEqual([]);
      await witness.see("GetReportById", 200, { reportId: String(json.id) }, {});
      await witness.see(operationId, 404, { customerId }, { locationId: "0", metricsType: "performance" });
      await witness.see(operationId, 400, { customerId }, "[");
      await witness.seeUnauthorized([operationId]);
      expect(witness.missing([operationId])).toEqual([]);
    });

    test("every operation that reads reports returns them", async () => {
      const { witness, client } = tenant;
      const ids = idsOf(await witness.see("GenerateVOAReport", 202, { customerId }, {}));
      const path = { ...ids, customerId, consumerId };
      await tenant.advance(DONE);
      const frozen = await tenant.arrange("security-freeze");
      const held = {
        customerId: frozen.FINANCIAL_DATA_CUSTOMER_ID ?? "",
        consumerId: frozen.FINANCIAL_DATA_CONSUMER_ID ?? "",
        reportId: frozen.FINANCIAL_DATA_REPORT_ID ?? "",
        portfolioId: frozen.FINANCIAL_DATA_PORTFOLIO_ID ?? "",
      };
      for (const operationId of RETRIEVALS.slice(0, -1)) {
        const body =
          operationId === "GetReportById" || operationId === "ReportReissue" ? { purpose: "31" } : undefined;
        const blank = {
          ...path,
          reportId: "a%20b",
          portfolioId: "a%20b",
          ...(operationId.startsWith("GetReports") && { customerId: "a%20b", consumerId: "a%20b" }),
        };
        await witness.see(operationId, 200, path, body);
        await witness.see(
          operationId,
          404,
          {
            customerId,
            consumerId,
            ...(operationId.startsWith("GetReports") && { customerId: "7", consumerId: "7" }),
          },
          body,
        );
        await witness.see(operationId, 400, blank, body);
        await witness.see(operationId, 403, held, body);
      }
      const limited = await tenant.arrange("rate-limited-list");
      await witness.see("GetReportsByCustomerId", 429, {
        customerId: limited.FINANCIAL_DATA_CUSTOMER_ID ?? "",
      });
      await witness.see("GetReportsByConsumerId", 429, {
        consumerId: limited.FINANCIAL_DATA_CONSUMER_ID ?? "",
      });
      const partnerId = tenant.environment.FINANCIAL_DATA_PARTNER_ID ?? "";
      const range = `?startDate=${now - 86_400}&endDate=${now + 60}`;
      await witness.see("getResellerBillingReport", 200, { partnerId }, undefined, range);
      await witness.see("getResellerBillingReport", 404, {}, undefined, range);
      await witness.see(
        "getResellerBillingReport",
        400,
        { partnerId },
        undefined,
        `?startDate=${now - 40 * 86_400}&endDate=${now}`,
      );
      await witness.seeUnauthorized(RETRIEVALS);
      expect(witness.missing(RETRIEVALS)).toEqual([]);
      const pdf = await client.call(
        "GET",
        `/decisioning/v3/customers/${customerId}/reports/${ids.reportId}`,
        undefined,
        { accept: "application/pdf" },
      );
      expect([pdf.headers["content-type"], pdf.text.slice(0, 5)]).toEqual(["application/pdf", "%PDF-"]);
    });

    test("payment success indicators are generated, read and refused as documented", async () => {
      const { witness } = tenant;
      const path = { customerId, accountId };
      const [forbidden, stopped] = [
        await tenant.arrange("psi-forbidden"),
        await tenant.arrange("psi-not-allowed"),
      ];
      const at = (environment: Record<string, string>) => ({
        customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
        accountId: environment.FINANCIAL_DATA_ACCOUNT_ID ?? "",
      });
      const runs: string[] = [];
      for (const generation of ["GenerateFcraPaymentSuccessIndicators", "GeneratePaymentSuccessIndicators"]) {
        const read = generation.replace("Generate", "Get");
        const { json } = await witness.see(generation, 202, path, SETTLEMENT, "?purpose=31");
        const payRequestId = String(json.payRequestId);
        runs.push(payRequestId);
        const indicators = await witness.see(
          read,
          200,
          { ...path, payRequestId },
          undefined,
          "?includeReasons=true",
        );
        expect(indicators.json.indicatorsByDay).toHaveLength(10);
        await witness.see(generation, 400, path, {});
        await witness.see(generation, 403, at(forbidden), SETTLEMENT);
        await witness.see(generation, 404, { customerId }, SETTLEMENT);
        await witness.see(generation, 406, at(stopped), SETTLEMENT);
        await witness.see(read, 404, path);
        await witness.see(read, 400, { ...path, payRequestId }, undefined, "?includeReasons=perhaps");
      }
      const [fcra = "", other = ""] = runs;
      await witness.see("GetPaymentSuccessIndicators", 406, { ...path, payRequestId: fcra });
      await witness.see("GetFcraPaymentSuccessIndicators", 406, { ...path, payRequestId: other });
      for (const legacy of ["GetFCRAPaymentSuccessIndicator", "GetPaymentSuccessIndicator"]) {
        const query = "?settlementAmount=120.5&settleByDate=2027-01-15&purposeCode=1P";
        await witness.see(legacy, 200, path, undefined, query);
        await witness.see(legacy, 400, path, undefined, "?settleByDate=2027-01-15");
        await witness.see(legacy, 404, { customerId }, undefined, query);
      }
      await witness.seeUnauthorized(INDICATORS);
      expect(witness.missing(INDICATORS)).toEqual([]);
    });

    test("enrichment accepts 1 to 1000 transactions", async () => {
      const { witness } = tenant;
      const many = (count: number) => Array.from({ length: count }, () => TRANSACTION);
      const { json } = await witness.see("enrichTransactions", 200, {}, { transactions: many(1_000) });
      const [first] = json.transactions as Record<string, unknown>[];
      expect(first).toMatchObject({
        transactionCategory: "Coffee Shops",
        entities: [{ name: "Blue Cup Coffee" }],
      });
      await witness.see("enrichTransactions", 400, {}, { transactions: many(1_001) });
      await witness.see("enrichTransactions", 400, {}, { transactions: [] });
      const gone = await tenant.arrange("external-customer-gone");
      const transaction = { ...TRANSACTION, externalCustomerId: gone.FINANCIAL_DATA_EXTERNAL_CUSTOMER_ID };
      await witness.see("enrichTransactions", 404, {}, { transactions: [transaction] });
      await witness.seeUnauthorized(["enrichTransactions"]);
      expect(witness.missing(["enrichTransactions"])).toEqual([]);
    });
  });
}
