/** The rules for reports beyond their statuses: prerequisites, completion, content and access. */
import { createServer } from "node:http";
import { expect } from "@playwright/test";
import { closeAll, listen } from "../../support/loopback.ts";
import { test } from "./fixture.ts";
import {
  accountsIn,
  creditsIn,
  DONE,
  idsOf,
  PERSONAL,
  type Shown,
  TRANSACTION,
  transactionsIn,
} from "./reports-calls.ts";
import type { Tenant } from "./tenant.ts";

const DAY = 86_400;
let tenant: Tenant;
let customerId = "";
let now = 0;

test.beforeEach(async ({ openTenant }) => {
  tenant = await openTenant();
  customerId = tenant.environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  now = Math.floor(Date.now() / 1000);
});

test.afterEach(closeAll);

const BY_USER_TYPE = [
  "GenerateBalanceAnalyticsReport",
  "GenerateCashflowAnalyticsReport",
  "GenerateForesightAnalyticsNonCraReport",
  "GenerateForesightAnalyticsFirstThirdPartyNonCraReport",
];

const bare = async (parameters: Record<string, unknown>): Promise<string> =>
  (await tenant.arrange("bare-customer", parameters)).FINANCIAL_DATA_CUSTOMER_ID ?? "";

/** Generates a report and returns it when it is done. */
const generated = async (
  operationId: string,
  body: unknown = {},
  path: Record<string, string> = { customerId },
  query = "",
): Promise<Record<string, unknown>> => {
  const ids = idsOf(await tenant.witness.see(operationId, 202, path, body, query));
  await tenant.advance(DONE);
  return (await tenant.witness.see("GetReportById", 200, ids, {})).json;
};

const oldest = (shown: readonly Shown[]): number =>
  Math.round((now - Math.min(...shown.map(({ postedDate }) => postedDate))) / DAY);

test("a generation without the consumer, business or account that it needs is refused", async () => {
  const { witness } = tenant;
  const analytics = (forCraPurpose: boolean) => ({ analyticsReportData: { forCraPurpose } });
  const alone = { customerId: await bare({ accounts: ["checking"] }) };
  for (const operationId of [
    "GenerateVOAReport",
    "GenerateStatementReport",
    "GenerateCashFlowPersonalReport",
  ]) {
    await witness.see(operationId, 404, alone, { statementReportData: { accountId: 1 } });
  }
  await witness.see("GenerateCashFlowBusinessReport", 202, alone, {});
  await witness.see("GenerateForesightAnalyticsNonCraReport", 202, { ...alone, ...PERSONAL }, {});
  await witness.see("GeneratePaymentHistoryReport", 404, alone, analytics(false));
  const trading = { customerId: await bare({ accounts: ["savings"], business: true }) };
  await witness.see("GeneratePaymentHistoryReport", 202, trading, analytics(false));
  await witness.see("GeneratePaymentHistoryReport", 404, trading, analytics(true));
  const lending = { customerId: await bare({ accounts: ["mortgage"], consumer: true, business: true }) };
  for (const operationId of ["GenerateVOAReport", "GenerateVOAWithIncomeReport", "GenerateVOIReport"]) {
    await witness.see(operationId, 400, lending, {});
  }
  for (const operationId of ["GenerateBalanceAnalyticsReport", "GenerateForesightAnalyticsNonCraReport"]) {
    await witness.see(operationId, 400, { ...lending, ...PERSONAL }, {});
  }
  await witness.see("GeneratePaymentHistoryReport", 400, lending, {});
  await witness.see("GenerateVOAReport", 404, { customerId }, { accountIds: "7" });
});

test("the user type decides whether a consumer or a business is created", async () => {
  const { witness, client } = tenant;
  const id = await bare({ accounts: ["checking"] });
  const alone = { customerId: id, customer_id: id };
  await witness.see("GenerateBalanceAnalyticsReport", 202, { ...alone, ...PERSONAL }, {});
  expect((await client.operate("GetConsumerForCustomer", alone)).status).toBe(200);
  expect((await client.operate("GetBusinessByCustomer", alone)).status).toBe(404);
  await witness.see("GenerateCashflowAnalyticsReport", 202, { ...alone, userType: "business" }, {});
  expect((await client.operate("GetBusinessByCustomer", alone)).status).toBe(200);
  for (const operationId of BY_USER_TYPE) {
    await witness.see(operationId, 400, { ...alone, userType: "stranger" }, alone);
  }
});

test("a generation ends as a success or a failure and notifies the callback URL", async () => {
  const received: string[] = [];
  const origin = await listen(
    createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      received.push(`${request.method} ${text}`);
      response.end();
    }),
  );
  const query = `?callbackUrl=${encodeURIComponent(`${origin}/done`)}`;
  const failing = await tenant.arrange("report-that-fails");
  const hopeless = { customerId: failing.FINANCIAL_DATA_CUSTOMER_ID ?? "" };
  const report = await generated("GenerateVOAReport", {}, { customerId }, query);
  const failed = await generated("GenerateVOAReport", {}, hopeless, query);
  expect(report.status).toBe("success");
  expect(failed).toMatchObject({ status: "failure", errors: [{ code: expect.anything() }] });
  expect(received.map((text) => JSON.parse(text.slice(5)))).toMatchObject([
    { reportId: report.id, status: "success" },
    { reportId: failed.id, status: "failure" },
  ]);
  const empty = { customerId: await bare({ consumer: true }) };
  expect((await generated("GenerateVOETransactionsReport", {}, empty)).status).toBe("failure");
});

test("reports cover at most the documented period", async () => {
  const assets = await generated("GenerateVOAReport");
  expect(oldest(transactionsIn(assets))).toBeGreaterThan(300);
  expect(oldest(transactionsIn(assets))).toBeLessThanOrEqual(366);
  const income = await generated("GenerateVOAWithIncomeReport");
  expect(oldest(transactionsIn(income))).toBeLessThanOrEqual(62);
  expect(oldest(creditsIn(income))).toBeGreaterThan(690);
  const asked = await generated("GenerateVOAWithIncomeReport", {
    fromDate: now - 200 * DAY,
    incomeFromDate: now - 100 * DAY,
  });
  expect(oldest(transactionsIn(asked))).toBeGreaterThan(180);
  expect(oldest(creditsIn(asked))).toBeLessThanOrEqual(101);
  const regular = transactionsIn(await generated("GenerateVOIReport"));
  expect(oldest(regular)).toBeGreaterThan(700);
  expect(oldest(regular)).toBeLessThanOrEqual(731);
  const employment = await generated("GenerateVOETransactionsReport");
  expect(transactionsIn(employment).length).toBeGreaterThan(10);
  expect(JSON.stringify(employment)).not.toContain('"amount"');
});

test("a transactions report spans 24 months at most", async () => {
  const { witness } = tenant;
  const window = (days: number) => `?fromDate=${now - days * DAY}&toDate=${now}`;
  await witness.see(
    "GenerateTransactionsReport",
    202,
    { customerId },
    {},
    `${window(730)}&includePending=true`,
  );
  await witness.see("GenerateTransactionsReport", 400, { customerId }, {}, window(740));
  await witness.see("GenerateTransactionsReport", 400, { customerId }, {}, `?toDate=${now}`);
  await witness.see("GenerateTransactionsReport", 400, { customerId }, {}, `?fromDate=${now}`);
  await witness.see("GenerateTransactionsReport", 400, { customerId }, {}, window(-1));
});

test("the connect flow creates payroll reports; the API only refreshes them", async () => {
  const { witness } = tenant;
  const body = { payrollData: {} };
  await witness.see("RefreshVOIEPayrollReport", 404, { customerId: await bare({ consumer: true }) }, body);
  const { json } = await witness.see("GetReportsByCustomerId", 200, { customerId });
  expect(json.reports).toMatchObject([{ type: "voiePayroll", status: "success" }]);
  await witness.see("RefreshVOIEPayrollReport", 202, { customerId }, body);
});

test("foresight analytics accept an own customer, an external one, or both", async () => {
  const { witness } = tenant;
  const operationId = "GenerateForesightAnalyticsFirstThirdPartyNonCraReport";
  await witness.see("enrichTransactions", 200, {}, { transactions: [TRANSACTION] });
  const { externalCustomerId } = TRANSACTION;
  for (const body of [{ customerId }, { externalCustomerId }, { customerId, externalCustomerId }]) {
    expect((await generated(operationId, body, PERSONAL)).status).toBe("success");
  }
  await witness.see(operationId, 404, PERSONAL, { externalCustomerId: "nobody" });
  await witness.see(operationId, 400, PERSONAL, {});
});

test("a portfolio contains the newest report of each type; reports outlive the customer", async () => {
  const { witness } = tenant;
  const { json: consumer } = await tenant.client.operate("GetConsumerForCustomer", { customerId });
  const consumerId = String(consumer.id);
  await generated("GenerateVOAReport");
  const newest = await generated("GenerateVOAReport");
  const path = {
    customerId,
    consumerId,
    portfolioId: String(newest.portfolioId),
    reportId: String(newest.id),
  };
  for (const operationId of ["GetPortfolioByCustomer", "GetPortfolioByConsumer"]) {
    const { json } = await witness.see(operationId, 200, path);
    const reports = json.reports as { type: string; id: string }[];
    expect(reports.filter(({ type }) => type === "voa").map(({ id }) => id)).toEqual([newest.id]);
  }
  await tenant.client.operate("DeleteCustomer", path);
  await witness.see("GetReportByCustomer", 404, path);
  expect(accountsIn((await witness.see("GetReportByConsumer", 200, path)).json).length).toBeGreaterThan(0);
  await witness.see("GetReportsByConsumerId", 200, path);
});

test("the Accept header selects JSON or a PDF", async () => {
  const { json } = await tenant.client.operate("GetConsumerForCustomer", { customerId });
  const { id } = await generated("GenerateVOAReport");
  const ways: readonly [method: string, path: string][] = [
    ["POST", ""],
    ["GET", `/customers/${customerId}`],
    ["GET", `/consumers/${json.id}`],
  ];
  for (const [method, owner] of ways) {
    const typeFor = async (accept: string) => {
      const path = `/decisioning/v3${owner}/reports/${id}?purpose=31&onBehalfOf=Harbor`;
      const { headers } = await tenant.client.call(method, path, method === "POST" ? {} : undefined, {
        accept,
      });
      return String(headers["content-type"]).split(";")[0];
    };
    expect(await typeFor("application/pdf")).toBe("application/pdf");
    expect(await typeFor("application/json;q=0.5, application/pdf")).toBe("application/pdf");
    expect(await typeFor("application/json")).toBe("application/json");
    for (const neither of ["text/html", "*/*"]) expect(await typeFor(neither)).toBe("application/json");
  }
});

test("any one account of an eligible type is enough", async () => {
  const { witness } = tenant;
  const eligible: Readonly<Record<string, readonly string[]>> = {
    GenerateVOAReport: ["checking", "savings", "moneyMarket", "investment"],
    GenerateVOIReport: ["checking", "savings", "moneyMarket"],
    GenerateForesightAnalyticsNonCraReport: ["checking", "creditCard", "savings"],
  };
  for (const [operationId, types] of Object.entries(eligible)) {
    for (const type of types) {
      const owner = { customerId: await bare({ accounts: [type], consumer: true }) };
      await witness.see(operationId, 202, { ...owner, ...PERSONAL }, {});
    }
  }
});
