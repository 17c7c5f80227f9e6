/** Aggregates linked accounts from institutions: automatically each day, on request, and from earlier months. */
import { DAY, dayOf } from "../../engine/values/units.ts";
import type { Account } from "./account.ts";
import type { announcements } from "./events.ts";
import { fillDays, type Ledger, type Posting, post, sumOf } from "./ledger.ts";
import { ledgerRanges } from "./ledger-ranges.ts";
import type { SpendingPattern } from "./spending-patterns.ts";

export interface AggregationContext {
  seconds(): number;
  readonly events: ReturnType<typeof announcements>;
  readonly seed: number;
}

export const aggregation = ({ seconds, events, seed }: AggregationContext) => {
  const ranges = ledgerRanges(seed);
  const { chosenIds, emptied } = ranges;
  const opened = (account: Account): Ledger => {
    if (account.ledger === undefined) {
      account.ledger = emptied(account);
      fillUntil(account.ledger, spendingPatternOf(seed, account), dayOf(account.attempted));
    }
    return account.ledger;
  };
  /** Adds posted transactions to the balance. Emits `transactions-posted` and `account-changed`. */
  const book = (account: Account, ledger: Ledger, transactions: readonly number[]): void => {
    account.balance = Math.round(account.balance * 100 + sumOf(ledger, transactions)) / 100;
    events.emit("transactions-posted", { account, transactions });
    events.emit("account-changed", { account, changed: ["balance"] });
  };
  /**
   * Runs the automatic aggregations of all past days and, when `now`, one more at this moment. Emits
   * `transactions-posted` and `account-changed`.
   */
  const aggregate = (account: Account, when: "daily" | "now"): void => {
    const now = seconds();
    const days = dayOf(now - account.attempted);
    if (days < 1 && when === "daily") return;
    account.attempted = when === "now" ? now : account.attempted + days * DAY;
    if (account.ledger === undefined && !account.kind.deposits) return;
    const ledger = opened(account);
    const came = fillUntil(ledger, spendingPatternOf(seed, account), dayOf(account.attempted));
    if (came === 0) return;
    const transactions = Array.from({ length: came }, (_, index) => ledger.length - came + index);
    book(account, ledger, transactions);
  };
  return {
    ...ranges,
    aggregate,
    /** Returns the ledger up to the present day. It starts 180 days before the account was added. */
    ledgerOf: (account: Account): Ledger => {
      const ledger = opened(account);
      aggregate(account, "daily");
      return ledger;
    },
    /** Loads earlier months into the ledger. @returns the number of new transactions */
    loadHistoric: (account: Account, months: number): number => {
      const ledger = opened(account);
      const from = dayOf(account.created) - Math.round(months * 30.4);
      if (from >= ledger.from) return 0;
      const came = fillDays(ledger, spendingPatternOf(seed, account), from, ledger.from);
      ledger.from = from;
      return came;
    },
    book,
    /** Stores the transactions that the user chose. They do not change the balance. */
    give: (
      account: Account,
      rows: readonly Posting[],
      days: Partial<Pick<Ledger, "from" | "until">> = {},
    ): void => {
      account.ledger = emptied(account);
      account.ledger.from = days.from ?? account.ledger.from;
      account.ledger.until = days.until ?? dayOf(account.attempted);
      for (const row of rows) {
        post(account.ledger, row);
        if (row.id !== undefined) chosenIds.set(row.id, account);
      }
    },
  };
};

/** Seeds by position, not by id, so that a customer's transactions do not depend on other customers' accounts. */
const spendingPatternOf = (
  seed: number,
  { type, position, perDay, kind, marks }: Account,
): SpendingPattern => ({
  seed: `${seed} ${type} ${position}`,
  perDay: marks.has(NOTHING_GENERATED) ? 0 : perDay,
  recurring: kind.deposits && !marks.has(NOTHING_GENERATED),
});

/** The mark of an account that has only the transactions that the user or a client gave. */
export const NOTHING_GENERATED = "nothing-generated";

/** @returns the number of new transactions */
const fillUntil = (ledger: Ledger, spendingPattern: SpendingPattern, day: number): number => {
  if (day <= ledger.until) return 0;
  const came = fillDays(ledger, spendingPattern, ledger.until, day);
  ledger.until = day;
  return came;
};
