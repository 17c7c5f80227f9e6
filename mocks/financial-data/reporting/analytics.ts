/** The analytics part of a report: monthly counts and sums, and recurring transactions. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { type Fields, fieldsIn } from "../../engine/values/fields.ts";
import { cents, DAY, dateOf as dateText } from "../../engine/values/units.ts";
import type { Call } from "../calls.ts";
import type { TransactionRow } from "../state/ledger.ts";
import type { Report } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { average, creditsOf, dateOf, debitsOf, everything, monthOf, spreadOf, sumOf } from "./rows.ts";

export const analyticsOf = (state: State, _call: Call, report: Report): Fields => {
  const { rows, balance } = everything(state, report);
  return { customerAnalytics: analyticsOfAccount(state, rows, balance, report) };
};

export const analyticsOfAccount = (
  state: State,
  rows: readonly TransactionRow[],
  balance: number,
  report: Report,
): Fields => {
  const intervals = intervalsOf(report);
  const streams = recurring(state, rows, report);
  const attribute = (attributeName: string, those: readonly TransactionRow[]) => ({
    attributeName,
    aggregatedByTimePeriods: intervals.map((timeIntervalType) => ({
      timeIntervalType,
      periods: periodsOf(those, timeIntervalType, report).map(([start, end, part]) => ({
        startDate: dateText(start),
        endDate: dateText(end),
        ...figures(part.map(({ amount }) => amount)),
      })),
    })),
    streamIds: streams.map(({ id }) => id),
    transactionIds: those.map(({ id }) => String(id)),
  });
  return {
    transactionalAttributes: [attribute("credits", creditsOf(rows)), attribute("debits", debitsOf(rows))],
    stateAttributes: [balanceAttribute(rows, balance, intervals, report)],
    streams,
  };
};

type Interval = "MONTHLY_CALENDAR" | "MONTHLY_ROLLING_30";

const intervalsOf = ({ constraints }: Report): readonly Interval[] => {
  const { timeIntervalTypes = [] } = fieldsIn(constraints.analyticsReportData);
  const asked = timeIntervalTypes as readonly Interval[];
  return asked.length === 0 ? ["MONTHLY_CALENDAR"] : asked;
};

/** Returns the periods, oldest first. The last one ends with the report. */
const periodsOf = (
  rows: readonly TransactionRow[],
  interval: Interval,
  { from, until }: Report,
): [start: number, end: number, rows: readonly TransactionRow[]][] => {
  const groups = groupBy(rows, (row) => {
    const date = dateOf(row) ?? 0;
    return interval === "MONTHLY_CALENDAR"
      ? monthOf(date)
      : until - (Math.floor((until - date) / (30 * DAY)) + 1) * 30 * DAY;
  });
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([start, part]) => {
      const next = interval === "MONTHLY_CALENDAR" ? monthOf(start + 32 * DAY) : start + 30 * DAY;
      return [Math.max(start, from), Math.min(next - DAY, until), part];
    });
};

const figures = (values: readonly number[]): Record<string, number> => {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    count: values.length,
    sum: cents(values.reduce((sum, value) => sum + value, 0)),
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    mean: average(values),
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    standardDeviation: cents(spreadOf(values)),
  };
};

const balanceAttribute = (
  rows: readonly TransactionRow[],
  balance: number,
  intervals: readonly Interval[],
  report: Report,
): Fields => ({
  attributeName: "balance",
  reportedByTimePeriods: intervals.map((timeIntervalType) => {
    let ending = balance;
    const periods = periodsOf(rows, timeIntervalType, report)
      .reverse()
      .map(([start, end, part]) => {
        const beginning = cents(ending - sumOf(part));
        const period = {
          startDate: dateText(start),
          endDate: dateText(end),
          ...figures([beginning, ending]),
          beginningValue: beginning,
          endingValue: ending,
        };
        ending = beginning;
        return period;
      });
    return { timeIntervalType, periods: periods.reverse() };
  }),
});

const RECURRING = ["Paycheck", "Interest Income", "Mortgage & Rent", "Utilities"];

const recurring = (state: State, rows: readonly TransactionRow[], { customerId, until }: Report) =>
  [
    ...groupBy(
      rows.filter(({ category }) => RECURRING.includes(category)),
      ({ payee }) => payee,
    ),
  ].map(([payee, those]) => ({
    id: state.identifiers.uuid("analytics-stream", customerId, payee),
    payee: (those[0]?.amount ?? 0) < 0 ? payee : "Account holder",
    payor: (those[0]?.amount ?? 0) < 0 ? "Account holder" : payee,
    cadence: payee.startsWith("Northwind") ? 14 : 30,
    recency: Math.floor((until - (dateOf(those.at(-1)) ?? until)) / DAY),
    transactionIds: those.map(({ id }) => String(id)),
  }));
