/** Calls for the tests of reports, indicators and enrichment. */
import { expect } from "@playwright/test";
import type { Answered } from "./client.ts";
import type { Tenant } from "./tenant.ts";

/** A valid body for a generation, and the rest of its call. */
export interface Generation {
  readonly body: Readonly<Record<string, unknown>>;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
}

export const PERSONAL = { userType: "personal" };

/** Returns a valid call for each generation, by operationId. @param assetId the id of a stored pay statement */
export const generationsOf = (
  { environment }: Tenant,
  accountId: string,
  assetId: string,
  now: number,
): Readonly<Record<string, Generation>> => {
  const extract = { assetIds: [assetId] };
  const payrollData = { ssn: "999601111", dob: 618_969_600 };
  const analytics = { analyticsReportData: { forCraPurpose: false } };
  return {
    GenerateVOAReport: { body: {} },
    GenerateVOAWithIncomeReport: { body: {} },
    GeneratePrequalificationCRAReport: { body: {} },
    GeneratePrequalificationNonCRAReport: { body: {} },
    GenerateVOIReport: { body: {} },
    GenerateVOEPayrollReport: { body: { payrollData } },
    GenerateVOETransactionsReport: { body: {} },
    GeneratePayStatementReport: { body: { paystatementReport: extract } },
    GenerateVOIEPaystubWithTXVerifyReport: {
      body: { voieWithInterviewData: { txVerifyInterview: [{ assetId, accounts: [accountId] }] } },
    },
    GenerateVOIEPaystubReport: { body: { voieWithStatementData: extract } },
    RefreshVOIEPayrollReport: { body: { payrollData } },
    GenerateStatementReport: { body: { statementReportData: { accountId: Number(accountId) } } },
    GenerateCashFlowBusinessReport: { body: {} },
    GenerateCashFlowPersonalReport: { body: {} },
    GenerateBalanceAnalyticsReport: { body: analytics, path: PERSONAL },
    GenerateCashflowAnalyticsReport: { body: analytics, path: { userType: "business" } },
    GeneratePaymentHistoryReport: { body: analytics, path: { userType: "business" } },
    GenerateForesightAnalyticsNonCraReport: { body: analytics, path: PERSONAL },
    GenerateForesightAnalyticsFirstThirdPartyNonCraReport: {
      body: { ...analytics, customerId: environment.FINANCIAL_DATA_CUSTOMER_ID },
      path: PERSONAL,
    },
    GenerateTransactionsReport: { body: {}, query: `?fromDate=${now - 90 * 86_400}&toDate=${now}` },
  };
};

/** Returns the ids in the response to a generation. */
export const idsOf = ({ json }: Answered): { reportId: string; portfolioId: string } => {
  expect(json.status).toBe("inProgress");
  return { reportId: String(json.id), portfolioId: String(json.portfolioId) };
};

/** Seconds until a generated report is ready. */
export const DONE = 12;

export const TRANSACTION = {
  externalCustomerId: "customer-7",
  externalAccountId: "account-7",
  externalTransactionId: "transaction-7",
  accountType: "checking",
  transactionTimestamp: "2026-01-05T10:00:00Z",
  description: "BLUE CUP COFFEE 0042",
  amount: -4.5,
};

export const SETTLEMENT = { settlementAmount: 120.5, settleByDate: "2027-01-15" };

export interface Shown {
  readonly postedDate: number;
  readonly amount?: number;
}

export const accountsIn = (report: Record<string, unknown>) =>
  (report.institutions as { accounts: Record<string, unknown>[] }[]).flatMap(({ accounts }) => accounts);

export const transactionsIn = (report: Record<string, unknown>): Shown[] =>
  accountsIn(report).flatMap(({ transactions }) => transactions as Shown[]);

export const creditsIn = (report: Record<string, unknown>): Shown[] =>
  accountsIn(report)
    .flatMap(({ incomeStreams }) => incomeStreams as { transactions: Shown[] }[])
    .flatMap(({ transactions }) => transactions);
