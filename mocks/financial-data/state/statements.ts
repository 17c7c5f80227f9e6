/** Monthly statements of an account, the latest first. */
import { dateOf } from "../../engine/values/units.ts";
import { pdfOf } from "../pdf.ts";
import type { Account } from "./account.ts";
import { type Asset, storeAsset } from "./assets.ts";
import { firstFrom, rowsAt } from "./ledger.ts";
import type { State } from "./state.ts";

export interface Statement {
  /** From 1 (the latest) to 24. */
  readonly index: number;
  /** Seconds since 1970. The first second of the month, and of the next month. */
  readonly from: number;
  readonly until: number;
  /** `2026-04`. */
  readonly month: string;
}

export const MOST_STATEMENTS = 24;

/** Limits the index to existing statements. A fault or another contract may accept other values. */
export const indexOf = (given: unknown): number =>
  Math.min(MOST_STATEMENTS, Math.max(1, Math.trunc(Number(given ?? 1)) || 1));

export const statementAt = (state: State, index: number): Statement => {
  const now = state.clock.now();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const from = Date.UTC(year, month - index, 1);
  return {
    index,
    from: from / 1000,
    until: Date.UTC(year, month - index + 1, 1) / 1000,
    month: new Date(from).toISOString().slice(0, 7),
  };
};

/** Creates the file at the first request. It stays the same afterwards. */
export const statementAsset = (state: State, account: Account, statement: Statement): Asset =>
  storeAsset(state, {
    id: state.identifiers.uuid("statement", account.id, statement.month),
    customerId: account.customerId,
    content: pdfOf(linesOf(state, account, statement)),
  });

const MOST_ROWS = 34;

const linesOf = (state: State, account: Account, { month, from, until }: Statement): string[] => {
  const ledger = state.accounts.ledgerOf(account);
  const rows = rowsAt(ledger, firstFrom(ledger, from), firstFrom(ledger, until));
  const posted = rows.filter(({ pending }) => !pending);
  const total = (sign: 1 | -1): string =>
    posted
      .filter(({ amount }) => Math.sign(amount) === sign)
      .reduce((sum, { amount }) => sum + amount, 0)
      .toFixed(2);
  return [
    `${state.institutions.find(account.institutionId)?.name ?? "Bank"}: statement ${month}`,
    `${account.name}, account ending in ${account.number.slice(-4)}`,
    `Money in ${total(1)}, money out ${total(-1)}`,
    "",
    ...posted.slice(0, MOST_ROWS).map(({ transactionDate, postedDate, description, amount }) => {
      const date = dateOf(transactionDate ?? postedDate ?? 0);
      return `${date}  ${description}  ${amount.toFixed(2)}`;
    }),
    ...(posted.length > MOST_ROWS ? [`and ${posted.length - MOST_ROWS} more`] : []),
  ];
};
