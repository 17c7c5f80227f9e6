/** The kinds of accounts that can be linked, a row each. */

export interface AccountKind {
  /** As accounts carry it. */
  readonly type: string;
  readonly name: string;
  /** Whether money is deposited and drawn day by day: checking, savings and their like. */
  readonly deposits: boolean;
  /** Transactions on a day, on average. */
  readonly perDay: number;
  /** Balance in dollars. */
  readonly least: number;
  readonly most: number;
}

const kind = (type: string, name: string, perDay: number, least: number, most: number): AccountKind => ({
  type,
  name,
  deposits: DEPOSITS.includes(type),
  perDay,
  least,
  most,
});

const DEPOSITS = ["checking", "savings", "moneyMarket", "cd"];

export const KINDS: readonly AccountKind[] = [
  kind("checking", "Everyday Checking", 1.5, 400, 9_000),
  kind("savings", "Rainy Day Savings", 0.2, 1_000, 30_000),
  kind("moneyMarket", "Money Market", 0.1, 2_500, 60_000),
  kind("cd", "Certificate of Deposit", 0.02, 5_000, 50_000),
  kind("creditCard", "Rewards Card", 0.9, 50, 3_000),
  kind("lineOfCredit", "Line of Credit", 0.1, 100, 9_000),
  kind("investment", "Brokerage", 0.1, 5_000, 200_000),
  kind("mortgage", "Home Mortgage", 0.03, 90_000, 450_000),
  kind("loan", "Auto Loan", 0.03, 2_000, 40_000),
  kind("studentLoan", "Student Loan", 0.03, 3_000, 60_000),
  kind("ira", "Retirement Account", 0.05, 5_000, 250_000),
  kind("401k", "Employer Retirement Plan", 0.05, 5_000, 250_000),
];

/** One of each type that the document names. */
export const DOCUMENTED_TYPES: readonly string[] = [
  "checking",
  "savings",
  "moneyMarket",
  "cd",
  "investment",
  "mortgage",
  "creditCard",
  "loan",
  "lineOfCredit",
  "studentLoan",
];
