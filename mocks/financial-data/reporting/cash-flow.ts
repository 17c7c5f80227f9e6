/** The cash flow part of a report: credits, debits and balances by month. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { cents, DAY } from "../../engine/values/units.ts";
import type { Call } from "../calls.ts";
import type { TransactionRow } from "../state/ledger.ts";
import type { Report } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { average, creditsOf, dateOf, debitsOf, everything, monthOf, spreadOf, sumOf } from "./rows.ts";

export const cashFlowOf = (state: State, _call: Call, report: Report): Fields => {
  const { rows, balance } = everything(state, report);
  return { ...partsOf(rows, balance, report, true), possibleLoanDeposits: [] };
};

export const cashFlowOfAccount = (rows: readonly TransactionRow[], balance: number, report: Report): Fields =>
  partsOf(rows, balance, report, false);

/** @param isSummary whether the parts cover all accounts; the contract gives these parts and lists other names */
const partsOf = (
  rows: readonly TransactionRow[],
  balance: number,
  report: Report,
  isSummary: boolean,
): Fields => {
  const [credits, debits, net] = [creditsOf(rows), debitsOf(rows), netByMonth(rows)];
  const part = (name: string, months: readonly Fields[], figures: Fields): Fields =>
    isSummary
      ? { [`cashFlow${name}Summary`]: { [`monthlyCashFlow${name}Summaries`]: months, ...figures } }
      : { [`cashFlow${name}`]: { [`monthlyCashFlow${name}s`]: months, ...figures } };
  return {
    ...part("Balance", balancesByMonth(rows, balance), balanceFigures(rows, balance, report)),
    ...part("Credit", byMonth(credits, "Credit"), totals(credits, "CreditTotal", report.until)),
    ...part("Debit", byMonth(debits, "Debit"), totals(debits, "DebitTotal", report.until)),
    ...part(isSummary ? "Characteristics" : "Characteristic", net, {
      averageMonthlyNet: average(net.map((month) => month.totalCreditsLessTotalDebits)),
      averageMonthlyNetLessTransfers: average(
        net.map((month) => month.totalCreditsLessTotalDebitsLessTransfers),
      ),
    }),
  };
};

const months = (rows: readonly TransactionRow[]) => [...groupBy(rows, (row) => monthOf(dateOf(row) ?? 0))];

const withoutTransfers = (rows: readonly TransactionRow[]): TransactionRow[] =>
  rows.filter(({ category }) => category !== "Transfer");

const byMonth = (rows: readonly TransactionRow[], word: "Credit" | "Debit"): Fields[] =>
  months(rows).map(([month, those]) => ({
    month,
    [`numberOf${word}s`]: String(those.length),
    [`total${word}sAmount`]: sumOf(those),
    [`largest${word}`]: largest(those),
    [`average${word}Amount`]: average(those.map(({ amount }) => amount)),
    [`numberOf${word}sLessTransfers`]: String(withoutTransfers(those).length),
    [`total${word}sAmountLessTransfers`]: sumOf(withoutTransfers(those)),
    ...(word === "Credit" && { estimatedNumberOfLoanDeposits: "0", estimatedLoanDepositAmount: 0 }),
  }));

const largest = (rows: readonly TransactionRow[]): number =>
  rows.reduce((most, { amount }) => (Math.abs(amount) > Math.abs(most) ? amount : most), 0);

const SPANS: readonly [word: string, days: number][] = [
  ["twelveMonth", 365],
  ["sixMonth", 182],
  ["twoMonth", 61],
];

const totals = (rows: readonly TransactionRow[], word: string, until: number): Record<string, number> =>
  Object.fromEntries(
    SPANS.flatMap(([span, days]) => {
      const those = rows.filter((row) => (dateOf(row) ?? 0) > until - days * DAY);
      return [
        [`${span}${word}`, sumOf(those)],
        [`${span}${word}LessTransfers`, sumOf(withoutTransfers(those))],
      ];
    }),
  );

const netByMonth = (rows: readonly TransactionRow[]) =>
  months(rows).map(([month, those]) => ({
    month,
    totalCreditsLessTotalDebits: sumOf(those),
    totalCreditsLessTotalDebitsLessTransfers: sumOf(withoutTransfers(those)),
    averageTransactionAmount: average(those.map(({ amount }) => Math.abs(amount))),
  }));

/** Returns the balance after each transaction, calculated backwards from the last one. */
const course = (
  rows: readonly TransactionRow[],
  balance: number,
): { readonly row: TransactionRow; readonly after: number }[] => {
  const ordered = [...rows].sort((a, b) => (dateOf(a) ?? 0) - (dateOf(b) ?? 0));
  let running = balance - ordered.reduce((sum, { amount }) => sum + amount, 0);
  return ordered.map((row) => {
    running += row.amount;
    return { row, after: cents(running) };
  });
};

const balancesByMonth = (rows: readonly TransactionRow[], balance: number): Fields[] =>
  [...groupBy(course(rows, balance), ({ row }) => monthOf(dateOf(row) ?? 0))].map(([month, steps]) => {
    const balances = steps.map(({ after }) => after);
    const negative = balances.filter((value) => value < 0).length;
    return {
      month,
      minDailyBalance: Math.min(...balances),
      maxDailyBalance: Math.max(...balances),
      averageDailyBalance: average(balances),
      standardDeviationOfDailyBalance: deviation(balances),
      numberOfDaysNegativeBalance: String(negative),
      numberOfDaysPositiveBalance: String(30 - Math.min(30, negative)),
    };
  });

const balanceFigures = (rows: readonly TransactionRow[], balance: number, { until }: Report): Fields => {
  const steps = course(rows, balance);
  const all = steps.length === 0 ? [balance] : steps.map(({ after }) => after);
  const spans = SPANS.flatMap(([span, days]) => {
    const recent = steps.filter(({ row }) => (dateOf(row) ?? 0) > until - days * DAY);
    const balances = recent.length === 0 ? [balance] : recent.map(({ after }) => after);
    return [
      [`${span}AverageDailyBalance`, average(balances)],
      [`${span}StandardDeviationOfDailyBalance`, deviation(balances)],
    ];
  });
  const negative = all.filter((value) => value < 0).length;
  return {
    minDailyBalance: Math.min(...all),
    maxDailyBalance: Math.max(...all),
    ...Object.fromEntries(spans),
    numberDaysNegativeBalance: String(negative),
    numberOfDaysNegativeBalance: String(negative),
    numberOfDaysPositiveBalance: String(all.length - negative),
  };
};

const deviation = (values: readonly number[]): string => spreadOf(values).toFixed(2);
