/** The transactions of an account: sorted, with stable ids, and compact and fast enough for a million. */
import { expect, test } from "@playwright/test";
import { DAY } from "../../../mocks/engine/values/units.ts";
import type { Account } from "../../../mocks/financial-data/state/account.ts";
import { accountBook } from "../../../mocks/financial-data/state/accounts.ts";
import type { Customer } from "../../../mocks/financial-data/state/customer.ts";
import { announcements } from "../../../mocks/financial-data/state/events.ts";
import type { Institution } from "../../../mocks/financial-data/state/institutions.ts";
import {
  emptyLedger,
  fillDays,
  indexOfId,
  type Ledger,
  post,
  rowAt,
  sortKey,
} from "../../../mocks/financial-data/state/ledger.ts";
import type { SpendingPattern } from "../../../mocks/financial-data/state/spending-patterns.ts";

const TODAY = 20_000;
const spendingPattern: SpendingPattern = { seed: "7 account", perDay: 3, recurring: true };

const filled = (): Ledger => {
  const ledger = emptyLedger(5_000, TODAY - 180);
  fillDays(ledger, spendingPattern, TODAY - 180, TODAY);
  return ledger;
};

const datesOf = (ledger: Ledger): number[] =>
  Array.from({ length: ledger.length }, (_, index) => sortKey(ledger, index));

const isSorted = (dates: readonly number[]): boolean =>
  dates.every((date, index) => index === 0 || (dates[index - 1] as number) <= date);

test("rows stay sorted by date when others are added before, between and after them", () => {
  const ledger = filled();
  const ids = Array.from({ length: ledger.length }, (_, index) => rowAt(ledger, index).id);
  const remembered = new Map(ids.map((id) => [id, rowAt(ledger, indexOfId(ledger, id))]));
  const postedDate = (TODAY - 90) * DAY;
  const at = post(ledger, { transactionDate: undefined, postedDate, amount: -1.5, description: "A TEST" });
  const own = rowAt(ledger, at);
  expect(own).toMatchObject({
    transactionDate: undefined,
    postedDate,
    amount: -1.5,
    description: "A TEST",
    pending: false,
  });
  expect(fillDays(ledger, spendingPattern, TODAY - 700, TODAY - 180)).toBeGreaterThan(500);
  expect(fillDays(ledger, spendingPattern, TODAY, TODAY + 2)).toBeGreaterThan(0);
  expect(isSorted(datesOf(ledger))).toBe(true);
  for (const [id, row] of remembered) expect(rowAt(ledger, indexOfId(ledger, id))).toEqual(row);
  expect(rowAt(ledger, indexOfId(ledger, own.id))).toEqual(own);
  expect([indexOfId(ledger, 4_999), indexOfId(ledger, 5_000 + ledger.length)]).toEqual([-1, -1]);
});

test("the ids of transactions do not depend on which account is read first", () => {
  const idsOf = (order: readonly number[]): number[] => {
    let made = 0;
    const newId = (): string => {
      made += 1;
      return String(made);
    };
    const book = accountBook({ newId, seconds: () => TODAY * DAY, events: announcements(), seed: 7 });
    const customer = { id: "5" } as Customer;
    const institution = { id: "1", routingNumbers: [] } as unknown as Institution;
    const { accounts } = book.link(customer, institution, ["checking", "savings"]);
    for (const index of order) book.ledgerOf(accounts[index] as Account);
    return accounts.map((account) => rowAt(book.ledgerOf(account), 0).id);
  };
  expect(idsOf([1, 0])).toEqual(idsOf([0, 1]));
});

test("equal spending patterns give equal days, in one step or several", () => {
  const once = filled();
  const twice = emptyLedger(5_000, TODAY - 180);
  fillDays(twice, spendingPattern, TODAY - 180, TODAY - 3);
  fillDays(twice, spendingPattern, TODAY - 3, TODAY);
  expect(datesOf(twice)).toEqual(datesOf(once));
});

test("a million transactions take less than forty megabytes", () => {
  const ledger = emptyLedger(0, TODAY - 180);
  fillDays(ledger, { seed: "9", perDay: 6_000, recurring: false }, TODAY - 180, TODAY);
  expect(ledger.length).toBeGreaterThan(1_000_000);
  const bytes = [ledger.transactionDate, ledger.postedDate, ledger.cents, ledger.text, ledger.serial].reduce(
    (sum, column) => sum + column.byteLength,
    0,
  );
  expect(bytes).toBeLessThan(40e6);
  expect(rowAt(ledger, ledger.length - 1).id).toBe(indexOfId(ledger, ledger.length - 1));
});
