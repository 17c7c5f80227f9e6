/** Builds the fields of an account, complete or in brief. */
import type { Fields } from "../engine/values/fields.ts";
import { type Random, randomOf } from "../engine/values/random.ts";
import { cents, DAY } from "../engine/values/units.ts";
import type { Account } from "./state/account.ts";
import { sortKey } from "./state/ledger.ts";
import type { State } from "./state/state.ts";

// The accounts of a list are built one by one, without spreads, because Node.js 20 gives each object with a spread a
// hidden class of its own.
export const accountFields = (state: State, account: Account): Fields => {
  const { id, number, balance, attempted, ledger, given } = account;
  const fields = inBrief(state, account);
  fields.number = number;
  fields.realAccountNumberLast4 = number.slice(-4);
  fields.balance = balance;
  fields.balanceDate = attempted;
  fields.lastUpdatedDate = attempted;
  fields.marketSegment = "personal";
  // Known only after the first request for its transactions.
  if (ledger !== undefined && ledger.length > 0) {
    fields.oldestTransactionDate = sortKey(ledger, 0);
    fields.lastTransactionDate = sortKey(ledger, ledger.length - 1);
  }
  const random = randomOf(`${state.seed} details ${id}`);
  const detail = detailOf(account, random);
  for (const name of Object.keys(given)) (name in fields ? fields : detail)[name] = given[name];
  fields.detail = detail;
  if (INVESTMENTS.includes(account.type)) fields.position = [positionOf(account, random)];
  return fields;
};

export const simpleFields = (state: State, account: Account): Fields => inBrief(state, account);

const inBrief = (state: State, account: Account): Record<string, unknown> => ({
  id: account.id,
  accountNumberDisplay: account.number.slice(-4),
  name: account.name,
  type: account.type,
  status: account.status,
  customerId: account.customerId,
  institutionId: account.institutionId,
  institutionLoginId: account.loginId,
  createdDate: account.created,
  linkedAccountDate: account.created,
  aggregationStatusCode: 0,
  aggregationSuccessDate: account.attempted,
  aggregationAttemptDate: account.attempted,
  currency: currencyOf(state, account),
  displayPosition: account.position,
});

export const currencyOf = (state: State, { institutionId }: Account): string =>
  state.institutions.find(institutionId)?.country === "ca" ? "CAD" : "USD";

const INVESTMENTS = ["investment", "ira", "401k"];
const CREDIT = ["creditCard", "lineOfCredit"];

const detailOf = (account: Account, random: Random): Record<string, unknown> => {
  const { type, attempted } = account;
  const opened = account.created - random.integer(400, 3_000) * DAY;
  const detail: Record<string, unknown> = { dateAsOf: attempted, openDate: opened };
  if (account.kind.deposits) return Object.assign(detail, depositDetail(account, random));
  if (CREDIT.includes(type)) return Object.assign(detail, creditDetail(account, random));
  if (INVESTMENTS.includes(type)) {
    detail.availableCashBalance = random.integer(0, 2_000);
    return detail;
  }
  Object.assign(detail, loanDetail(account, random));
  return type === "studentLoan" ? Object.assign(detail, studentDetail(account, random)) : detail;
};

const depositDetail = ({ type, balance, created }: Account, random: Random): Fields => {
  const rate = random.integer(10, 450) / 100;
  const detail: Record<string, unknown> = {
    availableBalanceAmount: balance,
    interestRate: rate,
    periodInterestRate: rate,
    interestYtdAmount: random.integer(100, 90_00) / 100,
  };
  if (type === "cd") {
    detail.maturityDate = created + random.integer(200, 900) * DAY;
    detail.maturityValueAmount = cents(balance * (1 + rate / 100));
  }
  return detail;
};

const creditDetail = ({ balance, created }: Account, random: Random): Fields => {
  const limit = Math.ceil(Math.max(balance, 100) / 500) * 1_000;
  return {
    creditMaxAmount: limit,
    creditAvailableAmount: cents(limit - balance),
    paymentMinAmount: 25,
    paymentDueDate: created + 21 * DAY,
    previousBalance: random.integer(50_00, 900_00) / 100,
    lastPaymentAmount: random.integer(25_00, 300_00) / 100,
    lastPaymentDate: created - 12 * DAY,
    statementCloseBalance: balance,
  };
};

const loanDetail = ({ balance, created }: Account, random: Random): Fields => {
  const payment = cents(balance / random.integer(120, 300));
  return {
    principalBalance: balance,
    payoffAmount: cents(balance * 1.01),
    initialMlAmount: Math.ceil((balance * 1.4) / 1_000) * 1_000,
    interestRate: random.integer(250, 750) / 100,
    lender: "Meadow Lending",
    nextPayment: payment,
    nextPaymentDate: created + 18 * DAY,
    lastPaymentAmount: payment,
    lastPaymentReceiveDate: created - 12 * DAY,
    autoPayEnrolled: random.next() < 0.5,
  };
};

const studentDetail = ({ created }: Account, random: Random): Fields => ({
  currentSchool: "Riverton State University",
  loanAwardId: random.digits(9),
  guarantor: "Fairview Education Fund",
  loanStatus: "repayment",
  expectedPayoffDate: created + random.integer(900, 3_000) * DAY,
});

const positionOf = ({ balance }: Account, random: Random): Fields => {
  const units = random.integer(10, 400);
  return {
    id: random.integer(1_000_000, 9_999_999),
    symbol: "MDWX",
    securityName: "Meadow Index Fund",
    securityType: "Mutual Fund",
    units,
    currentPrice: cents(balance / units),
    marketValue: balance,
  };
};
