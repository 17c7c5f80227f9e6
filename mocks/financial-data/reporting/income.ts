/** The income part of a report: recurring income, and the annual estimate from it. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { cents, DAY } from "../../engine/values/units.ts";
import type { Call } from "../calls.ts";
import type { TransactionRow } from "../state/ledger.ts";
import type { Holding, Report } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { dateOf, monthOf, rowsBetween, sumOf, transactionOf } from "./rows.ts";

export const incomeOf = (state: State, call: Call, report: Report): Fields => {
  if (!hasAmounts(report, call)) return {};
  const rows = report.holdings.flatMap((holding) => credits(state, call, report, holding));
  return {
    income: [{ confidenceType: "HIGH", netMonthly: monthsOf(rows), incomeEstimate: estimateOf(rows) }],
  };
};

/** Returns one stream for each regular payer. */
export const streamsOf = (state: State, call: Call, report: Report, holding: Holding): Fields[] =>
  [...groupBy(credits(state, call, report, holding), ({ payee }) => payee)].map(([name, rows]) => ({
    id: state.identifiers.uuid("income-stream", holding.account.id, name),
    name,
    status: "ACTIVE",
    confidence: 95,
    estimateInclusion: "HIGH",
    cadence: { startDate: dateOf(rows[0]), days: spacing(rows) },
    ...(hasAmounts(report, call) && { netMonthly: monthsOf(rows), ...estimateOf(rows) }),
    daysSinceLastTransaction: Math.floor((report.until - (dateOf(rows.at(-1)) ?? report.until)) / DAY),
    incomeStreamMonths: monthsOf(rows).length,
    transactions: rows.map((row) => transactionOf(row, hasAmounts(report, call))),
  }));

/** Whether the report shows amounts. A verification of employment shows the purpose of a payment only. */
export const hasAmounts = ({ type }: Report, { faulty }: Call): boolean =>
  type !== "voeTransactions" || faulty("reports-voe-amounts");

const INCOME = ["Paycheck", "Interest Income"];

/** Returns income transactions. They start earlier than the rest of the report. */
const credits = (state: State, { faulty }: Call, report: Report, { account }: Holding): TransactionRow[] => {
  const from = faulty("reports-income-within-history")
    ? Math.max(report.from, report.incomeFrom)
    : report.incomeFrom;
  return rowsBetween(state, account, from, report.until).filter(
    ({ amount, category }) => amount > 0 && INCOME.includes(category),
  );
};

const spacing = (rows: readonly TransactionRow[]): number => {
  const [first, last] = [dateOf(rows[0]) ?? 0, dateOf(rows.at(-1)) ?? 0];
  return rows.length < 2 ? 30 : Math.max(1, Math.round((last - first) / DAY / (rows.length - 1)));
};

const monthsOf = (rows: readonly TransactionRow[]): { readonly month: number; readonly net: number }[] =>
  [...groupBy(rows, (row) => monthOf(dateOf(row) ?? 0))].map(([month, those]) => ({
    month,
    net: sumOf(those),
  }));

const GROSS = 1.25;

const estimateOf = (rows: readonly TransactionRow[]): Record<string, number> => {
  const months = Math.max(1, monthsOf(rows).length);
  const net = cents((sumOf(rows) / months) * 12);
  return {
    netAnnual: net,
    projectedNetAnnual: net,
    estimatedGrossAnnual: cents(net * GROSS),
    projectedGrossAnnual: cents(net * GROSS),
  };
};
