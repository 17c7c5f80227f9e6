/** Reckoning with transactions: their dates, months and sums, and how reports show one. */
import type { Fields } from "../../engine/values/fields.ts";
import { cents } from "../../engine/values/units.ts";
import type { Row } from "../world/ledger.ts";

/** Seconds since 1970. */
export const dateOf = (row: Row | undefined): number | undefined => row?.postedDate ?? row?.transactionDate;

/** The first second of the month in UTC. */
export const monthOf = (seconds: number): number => {
  const date = new Date(seconds * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
};

export const sumOf = (rows: readonly Row[]): number =>
  cents(rows.reduce((total, { amount }) => total + amount, 0));

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : cents(values.reduce((sum, value) => sum + value, 0) / values.length);

/** The standard deviation. */
export const spreadOf = (values: readonly number[]): number => {
  const middle = average(values);
  return Math.sqrt(average(values.map((value) => (value - middle) ** 2)));
};

export const transactionOf = (row: Row, withAmount: boolean): Fields => ({
  id: row.id,
  postedDate: dateOf(row),
  ...(withAmount && { amount: row.amount }),
  description: row.description,
  normalizedPayee: row.payee,
  category: row.category,
  type: row.amount < 0 ? "debit" : "credit",
  institutionTransactionId: `t${row.id}`,
});
