/** Stores an account's transactions in columns: a million rows take about 20 megabytes, and a page is a slice. */
import { firstIndex } from "../../engine/values/search.ts";
import { DESCRIPTIONS, daysRows, type Posted, type SpendingPattern } from "./spending-patterns.ts";

export interface Ledger {
  /** Id of the transaction with the serial 0. */
  readonly firstId: number;
  length: number;
  /** Seconds since 1970; 0 when the institution sends no transaction date. */
  transactionDate: Uint32Array;
  /** Seconds since 1970; 0 while it is pending. */
  postedDate: Uint32Array;
  cents: Int32Array;
  /** An index in DESCRIPTIONS, or `DESCRIPTIONS.length` plus an index in `texts`. */
  text: Uint16Array;
  /** The id minus `firstId`. Rows can move, and keep their ids. */
  serial: Uint32Array;
  /** Descriptions from clients. */
  readonly texts: string[];
  /** Ids that the user chose, by serial, and back. */
  readonly chosenIds: Map<number, number>;
  readonly chosenSerials: Map<number, number>;
  /** When a client or the user made a transaction, in seconds since 1970, by serial. */
  readonly made: Map<number, number>;
  nextSerial: number;
  /** The first day, in days since 1970; `until` is the day after the last one. */
  from: number;
  until: number;
  /** Incremented with every change, so that derived data can be cached by revision. */
  revision: number;
}

export interface TransactionRow {
  readonly id: number;
  /** Absent when the institution sends none. */
  readonly transactionDate: number | undefined;
  /** Absent while it is pending. */
  readonly postedDate: number | undefined;
  readonly pending: boolean;
  /** When it was made, in seconds since 1970; absent if its dates tell. */
  readonly created?: number | undefined;
  /** In dollars; a debit is negative. */
  readonly amount: number;
  readonly description: string;
  /** The name of the payer or payee; the description if it is unknown. */
  readonly payee: string;
  readonly category: string;
}

/** A transaction to post. Its id is generated if absent. */
export type Posting = Pick<TransactionRow, "amount" | "description"> & {
  readonly [Part in "id" | "transactionDate" | "postedDate" | "created"]?: number | undefined;
};

export const emptyLedger = (firstId: number, today: number): Ledger => ({
  firstId,
  length: 0,
  transactionDate: new Uint32Array(0),
  postedDate: new Uint32Array(0),
  cents: new Int32Array(0),
  text: new Uint16Array(0),
  serial: new Uint32Array(0),
  texts: [],
  chosenIds: new Map(),
  chosenSerials: new Map(),
  made: new Map(),
  nextSerial: 0,
  from: today,
  until: today,
  revision: 0,
});

/** Fills the days from `from` (inclusive) to `until` (exclusive). Inserts earlier days before the existing rows. */
export const fillDays = (
  ledger: Ledger,
  spendingPattern: SpendingPattern,
  from: number,
  until: number,
): number => {
  const rows: Posted[] = [];
  for (let day = from; day < until; day += 1) rows.push(...daysRows(spendingPattern, day));
  if (rows.length === 0) return 0;
  const before = from < ledger.from;
  const kept = ledger.length;
  reserve(ledger, kept + rows.length);
  const at = before ? 0 : kept;
  if (before) shift(ledger, 0, rows.length);
  rows.sort((a, b) => keyOf(a) - keyOf(b));
  for (const [index, row] of rows.entries()) write(ledger, at + index, row);
  ledger.length = kept + rows.length;
  ledger.revision += 1;
  // A client may have posted a row with a later date, so this restores the order by date.
  if (!before && kept > 0 && sortKey(ledger, kept - 1) > sortKey(ledger, kept)) resort(ledger);
  return rows.length;
};

/** @returns the index of the new row */
export const post = (
  ledger: Ledger,
  { transactionDate = 0, postedDate = 0, amount, description, created, id }: Posting,
): number => {
  const key = transactionDate || postedDate;
  const at = firstFrom(ledger, key + 1);
  reserve(ledger, ledger.length + 1);
  shift(ledger, at, 1);
  if (id !== undefined) {
    ledger.chosenIds.set(ledger.nextSerial, id);
    ledger.chosenSerials.set(id, ledger.nextSerial);
  }
  if (created !== undefined) ledger.made.set(ledger.nextSerial, created);
  write(ledger, at, {
    transactionDate,
    postedDate,
    cents: Math.round(amount * 100),
    text: textOf(ledger, description),
  });
  ledger.length += 1;
  ledger.revision += 1;
  return at;
};

/** Returns the index of the description. A known one keeps its payee and its category. */
const textOf = ({ texts }: Ledger, description: string): number =>
  KNOWN.get(description) ?? DESCRIPTIONS.length + texts.push(description) - 1;

const KNOWN = new Map(DESCRIPTIONS.map(({ description }, index) => [description, index]));

/** Returns cents. */
export const sumOf = ({ cents }: Ledger, indexes: readonly number[]): number =>
  indexes.reduce((sum, index) => sum + (cents[index] as number), 0);

export const idAt = ({ firstId, serial, chosenIds }: Ledger, index: number): number => {
  const own = serial[index] as number;
  return (chosenIds.size === 0 ? undefined : chosenIds.get(own)) ?? firstId + own;
};

export const rowAt = (ledger: Ledger, index: number): TransactionRow => {
  const text = ledger.text[index] as number;
  const known = DESCRIPTIONS[text];
  const description = known?.description ?? ledger.texts[text - DESCRIPTIONS.length] ?? "";
  const posted = ledger.postedDate[index] || undefined;
  return {
    id: idAt(ledger, index),
    transactionDate: ledger.transactionDate[index] || undefined,
    postedDate: posted,
    pending: posted === undefined,
    created: ledger.made.get(ledger.serial[index] as number),
    amount: (ledger.cents[index] as number) / 100,
    description,
    payee: known?.payee ?? description,
    category: known?.category ?? "Uncategorized",
  };
};

/** @param end exclusive */
export const rowsAt = (ledger: Ledger, first: number, end: number): TransactionRow[] =>
  Array.from({ length: end - first }, (_, index) => rowAt(ledger, first + index));

/** Returns the sort key of lists in seconds: the transaction date, or the posted date if there is none. */
export const sortKey = (ledger: Ledger, index: number): number =>
  (ledger.transactionDate[index] as number) || (ledger.postedDate[index] as number);

/** Finds the first index whose date is not before the time, by binary search. */
export const firstFrom = (ledger: Ledger, seconds: number): number =>
  firstIndex(0, ledger.length, (index) => sortKey(ledger, index) >= seconds);

/** @returns the index of the transaction with the id, or -1 */
export const indexOfId = (ledger: Ledger, id: number): number => {
  const serial = ledger.chosenSerials.get(id) ?? id - ledger.firstId;
  if (serial < 0 || serial >= ledger.nextSerial) return -1;
  if (ledger.serial[serial] === serial && serial < ledger.length) return serial;
  return ledger.serial.subarray(0, ledger.length).indexOf(serial);
};

/** Gives the row a new id. */
export const renumber = (ledger: Ledger, index: number): void => {
  ledger.serial[index] = ledger.nextSerial;
  ledger.nextSerial += 1;
};

const COLUMNS = ["transactionDate", "postedDate", "cents", "text", "serial"] as const;

const keyOf = (row: Posted): number => row.transactionDate || row.postedDate;

const write = (ledger: Ledger, index: number, row: Posted): void => {
  ledger.transactionDate[index] = row.transactionDate;
  ledger.postedDate[index] = row.postedDate;
  ledger.cents[index] = row.cents;
  ledger.text[index] = row.text;
  ledger.serial[index] = ledger.nextSerial;
  ledger.nextSerial += 1;
};

const reserve = (ledger: Ledger, length: number): void => {
  if (length <= ledger.cents.length) return;
  const size = Math.max(length, Math.ceil(ledger.cents.length * 1.5));
  const grown = <Column extends Uint32Array | Uint16Array | Int32Array>(
    column: Column,
    fresh: Column,
  ): Column => {
    fresh.set(column);
    return fresh;
  };
  ledger.transactionDate = grown(ledger.transactionDate, new Uint32Array(size));
  ledger.postedDate = grown(ledger.postedDate, new Uint32Array(size));
  ledger.cents = grown(ledger.cents, new Int32Array(size));
  ledger.text = grown(ledger.text, new Uint16Array(size));
  ledger.serial = grown(ledger.serial, new Uint32Array(size));
};

const shift = (ledger: Ledger, at: number, by: number): void => {
  for (const column of COLUMNS) ledger[column].copyWithin(at + by, at, ledger.length);
};

const resort = (ledger: Ledger): void => {
  const order = Array.from({ length: ledger.length }, (_, index) => index).sort(
    (a, b) => sortKey(ledger, a) - sortKey(ledger, b),
  );
  for (const column of COLUMNS) {
    const copy = ledger[column].slice();
    for (const [to, from] of order.entries()) ledger[column][to] = copy[from] as number;
  }
};
