/** The reports that can be generated, a row each: whom they need, which accounts, how far they look back. */

export type UserType = "personal" | "business";

export interface ReportKind {
  /** As reports carry it; by user type and purpose where it depends on them. */
  readonly type: string | Readonly<Record<UserType, Analytics>>;
  /** Who must exist before; `created`: whoever the user type asks for comes into being with the report. */
  readonly needs: "consumer" | "business" | "created" | "nobody";
  /** Types of accounts of which one at least must be linked. */
  readonly eligible?: readonly string[];
  /** Types of accounts that it covers, when it must not have any. */
  readonly covers?: readonly string[];
  /** Days that it looks back at most. */
  readonly most: number;
  /** Days that it looks back unless it is asked otherwise; `most` if absent. */
  readonly usual?: number;
  readonly parts: readonly Part[];
  readonly title: string;
}

export interface Analytics {
  readonly cra: string;
  readonly other: string;
  /** For an applicant who is a personal guarantor. */
  readonly guarantor?: string;
}

export type Part = "bank" | "assets" | "income" | "cash-flow" | "analytics" | "employment" | "pay-statements";

const YEAR = 365;
const TWO_YEARS = 2 * YEAR;
const ASSETS = ["checking", "savings", "moneyMarket", "investment"];
const DEPOSITS = ["checking", "savings", "moneyMarket"];
const ANALYZED = ["checking", "savings"];

const analytics = (title: string, personal: Analytics, business: Analytics): ReportKind => ({
  type: { personal, business },
  needs: "created",
  eligible: ANALYZED,
  most: TWO_YEARS,
  usual: YEAR,
  parts: ["bank", "analytics"],
  title,
});

const foresight: ReportKind = {
  type: "farpbfnoncra",
  needs: "nobody",
  eligible: ["checking", "creditCard", "savings"],
  most: TWO_YEARS,
  usual: YEAR,
  parts: ["bank", "analytics"],
  title: "Foresight Analytics",
};

/** By operationId. */
export const REPORT_KINDS: Readonly<Record<string, ReportKind>> = {
  GenerateVOAReport: {
    type: "voa",
    needs: "consumer",
    eligible: ASSETS,
    most: YEAR,
    parts: ["bank", "assets"],
    title: "Verification of Assets",
  },
  GenerateVOAWithIncomeReport: {
    type: "voaHistory",
    needs: "consumer",
    eligible: ASSETS,
    most: TWO_YEARS,
    usual: 61,
    parts: ["bank", "assets", "income"],
    title: "Verification of Assets with Income",
  },
  GeneratePrequalificationCRAReport: {
    type: "preQualVoa",
    needs: "consumer",
    eligible: ASSETS,
    most: YEAR,
    parts: ["bank", "assets"],
    title: "Prequalification",
  },
  GeneratePrequalificationNonCRAReport: {
    type: "assetSummary",
    needs: "consumer",
    eligible: ASSETS,
    most: YEAR,
    parts: ["bank", "assets"],
    title: "Asset Summary",
  },
  GenerateVOIReport: {
    type: "voi",
    needs: "consumer",
    eligible: DEPOSITS,
    most: TWO_YEARS,
    parts: ["bank", "income"],
    title: "Verification of Income",
  },
  GenerateVOEPayrollReport: {
    type: "voePayroll",
    needs: "consumer",
    most: TWO_YEARS,
    parts: ["employment"],
    title: "Verification of Employment, Payroll",
  },
  GenerateVOETransactionsReport: {
    type: "voeTransactions",
    needs: "consumer",
    covers: DEPOSITS,
    most: TWO_YEARS,
    parts: ["bank", "income"],
    title: "Verification of Employment, Transactions",
  },
  GeneratePayStatementReport: {
    type: "paystatement",
    needs: "consumer",
    most: TWO_YEARS,
    parts: ["pay-statements"],
    title: "Pay Statements",
  },
  GenerateVOIEPaystubWithTXVerifyReport: {
    type: "voieWithInterview",
    needs: "consumer",
    covers: DEPOSITS,
    most: TWO_YEARS,
    parts: ["bank", "pay-statements"],
    title: "Verification of Income and Employment with Transactions",
  },
  GenerateVOIEPaystubReport: {
    type: "voieWithStatement",
    needs: "consumer",
    most: TWO_YEARS,
    parts: ["pay-statements"],
    title: "Verification of Income and Employment",
  },
  RefreshVOIEPayrollReport: {
    type: "voiePayroll",
    needs: "consumer",
    most: TWO_YEARS,
    parts: ["employment"],
    title: "Verification of Income and Employment, Payroll",
  },
  GenerateStatementReport: {
    type: "statement",
    needs: "consumer",
    most: TWO_YEARS,
    parts: [],
    title: "Statement",
  },
  GenerateTransactionsReport: {
    type: "transactions",
    needs: "consumer",
    covers: [],
    most: TWO_YEARS,
    parts: ["bank"],
    title: "Transactions",
  },
  GenerateCashFlowBusinessReport: {
    type: "cfrb",
    needs: "nobody",
    covers: [...DEPOSITS, "creditCard"],
    most: TWO_YEARS,
    usual: YEAR,
    parts: ["bank", "cash-flow"],
    title: "Cash Flow, Business",
  },
  GenerateCashFlowPersonalReport: {
    type: "cfrp",
    needs: "consumer",
    covers: [...DEPOSITS, "creditCard"],
    most: TWO_YEARS,
    usual: YEAR,
    parts: ["bank", "cash-flow"],
    title: "Cash Flow, Personal",
  },
  GenerateBalanceAnalyticsReport: analytics(
    "Balance Analytics",
    { cra: "barpcra", other: "barpnoncra" },
    { cra: "barbcra", other: "barbnoncra", guarantor: "barbftc" },
  ),
  GenerateCashflowAnalyticsReport: analytics(
    "Cash Flow Analytics",
    { cra: "cfrpcra", other: "cfrpnoncra" },
    { cra: "cracfrbcra", other: "cfrbnoncra", guarantor: "cfrbftc" },
  ),
  GeneratePaymentHistoryReport: {
    type: {
      personal: { cra: "phrbcra", other: "phrbnoncra" },
      business: { cra: "phrbcra", other: "phrbnoncra", guarantor: "phrbftc" },
    },
    needs: "business",
    eligible: ANALYZED,
    most: TWO_YEARS,
    parts: ["bank", "analytics"],
    title: "Payment History",
  },
  GenerateForesightAnalyticsNonCraReport: foresight,
  GenerateForesightAnalyticsFirstThirdPartyNonCraReport: foresight,
};
