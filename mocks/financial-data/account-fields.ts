/** Builds the fields of an account, complete or in brief. */

import type { Fields } from "../engine/values/fields.ts";
import { type Random, randomOf } from "../engine/values/random.ts";
import { cents, DAY } from "../engine/values/units.ts";
import type { Account } from "./state/account.ts";
import { sortKey } from "./state/ledger.ts";
import type { State } from "./state/state.ts";

export const accountFields = (state: State, account: Account): Fields => {
  const { id, number, balance, attempted, ledger, given } = account;
  const fields: Record<string, unknown> = {
    ...simpleFields(state, account),
    number,
    realAccountNumberLast4: number.slice(-4),
    balance,
    balanceDate: attempted,
    lastUpdatedDate: attempted,
    marketSegment: "personal",
    // Known only after the first request for its transactions.
    ...(ledger !== undefined &&
      ledger.length > 0 && {
        oldestTransactionDate: sortKey(ledger, 0),
        lastTransactionDate: sortKey(ledger, ledger.length - 1),
      }),
  };
  const random = randomOf(`${state.seed} details ${id}`);
  const detail: Record<string, unknown> = detailOf(account, random);
  for (const [name, value] of Object.entries(given)) (name in fields ? fields : detail)[name] = value;
  return {
    ...fields,
    detail,
    ...(INVESTMENTS.includes(account.type) && { position: [positionOf(account, random)] }),
  };
};

export const simpleFields = (state: State, account: Account): Fields => ({
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

const detailOf = (account: Account, random: Random): Fields => {
  const opened = account.created - random.integer(400, 3_000) * DAY;
  const common = { dateAsOf: account.attempted, openDate: opened };
  if (account.kind.deposits) return { ...common, ...depositDetail(account, random) };
  if (CREDIT.includes(account.type)) return { ...common, ...creditDetail(account, random) };
  if (INVESTMENTS.includes(account.type))
    return { ...common, availableCashBalance: random.integer(0, 2_000) };
  const loan = loanDetail(account, random);
  return { ...common, ...loan, ...(account.type === "studentLoan" && studentDetail(account, random)) };
};

const depositDetail = ({ type, balance, created }: Account, random: Random): Fields => {
  const rate = random.integer(10, 450) / 100;
  return {
    availableBalanceAmount: balance,
    interestRate: rate,
    periodInterestRate: rate,
    interestYtdAmount: random.integer(100, 90_00) / 100,
    ...(type === "cd" && {
      maturityDate: created + random.integer(200, 900) * DAY,
      maturityValueAmount: cents(balance * (1 + rate / 100)),
    }),
  };
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
