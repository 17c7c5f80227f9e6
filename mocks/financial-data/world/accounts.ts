/** Institution logins and the accounts that became linked through them. */

import { hashOf } from "../../engine/values/hash.ts";
import type { Account, Login, WantedAccount } from "./account.ts";

import type { Customer } from "./customer.ts";
import type { Habit } from "./habits.ts";
import type { Announcements } from "./happenings.ts";
import type { Institution } from "./institutions.ts";
import { DAY, emptyLedger, fillDays, type Ledger } from "./ledger.ts";
import { newAccount, newLogin } from "./new-accounts.ts";

export interface AccountBook {
  find(id: string): Account | undefined;
  /** By customer id, in the order in which they were linked. */
  of(customerId: string): readonly Account[];
  ofLogin(loginId: string): readonly Account[];
  readonly logins: ReadonlyMap<string, Login>;
  /** Tells `accounts-linked`. */
  link(customer: Customer, institution: Institution, wanted: readonly WantedAccount[], login?: Login): Linked;
  /** Tells `account-deleted`. */
  remove(account: Account): void;
  /** Takes the removal of an account back, where a fault wants it there again. */
  restore(account: Account): void;
  /** With its accounts. */
  removeLogin(login: Login): void;
  /** Moves a login with its accounts to another institution. */
  move(login: Login, institution: Institution): void;
  /**
   * The automatic aggregation of every day that has passed and, when `now`, one more at this moment. Tells
   * `transactions-posted` and `account-changed`.
   */
  aggregate(account: Account, when: "daily" | "now"): void;
  /** Filled up to the present day from 180 days before the account was added, once it was asked for. */
  ledgerOf(account: Account): Ledger;
  /** Fills the ledger from months before the account was added. @returns how many transactions came */
  loadHistoric(account: Account, months: number): number;
  /** The account that a transaction id belongs to. */
  ofTransaction(transactionId: number): Account | undefined;
}

export interface Linked {
  readonly login: Login;
  readonly accounts: readonly Account[];
}

const STANDARD_DAYS = 180;
/** Room for the ids of the transactions of one account. */
const LEDGER_IDS = 10_000_000;

interface Context {
  newId(kind: string): string;
  seconds(): number;
  readonly happenings: Announcements;
  readonly seed: number;
}

export const accountBook = ({ newId, seconds, happenings, seed }: Context): AccountBook => {
  const byId = new Map<string, Account>();
  const byCustomer = new Map<string, Account[]>();
  const logins = new Map<string, Login>();
  const byLedger: Account[] = [];
  const firstLedgerId = 1_000_000_000_000 + (hashOf(`${seed} transaction`) % 1_000_000) * LEDGER_IDS;
  const of = (customerId: string): readonly Account[] => byCustomer.get(customerId) ?? [];
  // Not by its id: a customer has as many transactions whatever was linked before.
  const habitOf = ({ type, position, perDay, kind }: Account): Habit => ({
    seed: `${seed} ${type} ${position}`,
    perDay,
    recurring: kind.deposits,
  });
  const ledgerOf = (account: Account): Ledger => {
    const added = Math.floor(account.created / DAY);
    if (account.ledger === undefined) {
      account.ledger = emptyLedger(firstLedgerId + byLedger.length * LEDGER_IDS, added - STANDARD_DAYS);
      byLedger.push(account);
      fillUntil(account, account.ledger, Math.floor(account.attempted / DAY));
    }
    return account.ledger;
  };
  const fillUntil = (account: Account, ledger: Ledger, day: number): number => {
    if (day <= ledger.until) return 0;
    const came = fillDays(ledger, habitOf(account), ledger.until, day);
    ledger.until = day;
    return came;
  };
  const aggregate = (account: Account, when: "daily" | "now"): void => {
    const now = seconds();
    const days = Math.floor((now - account.attempted) / DAY);
    if (days < 1 && when === "daily") return;
    account.attempted = when === "now" ? now : account.attempted + days * DAY;
    if (account.ledger === undefined && !account.kind.deposits) return;
    const ledger = ledgerOf(account);
    const came = fillUntil(account, ledger, Math.floor(account.attempted / DAY));
    if (came === 0) return;
    const indexes = Array.from({ length: came }, (_, index) => ledger.length - came + index);
    const sum = indexes.reduce((total, index) => total + (ledger.cents[index] as number), 0);
    account.balance = Math.round(account.balance * 100 + sum) / 100;
    happenings.tell("transactions-posted", { account, transactions: indexes });
    happenings.tell("account-changed", { account, changed: ["balance"] });
  };
  const remove = (account: Account): void => {
    byId.delete(account.id);
    const rest = of(account.customerId).filter((other) => other !== account);
    if (rest.length === 0) byCustomer.delete(account.customerId);
    else byCustomer.set(account.customerId, rest);
    happenings.tell("account-deleted", { account });
  };
  happenings.on("customer-deleted", ({ customer }) => {
    for (const account of of(customer.id)) {
      logins.delete(account.loginId);
      remove(account);
    }
  });
  return {
    find: (id) => byId.get(id),
    of,
    ofLogin: (loginId) => {
      const login = logins.get(loginId);
      return login === undefined ? [] : of(login.customerId).filter((account) => account.loginId === loginId);
    },
    logins,
    link: (customer, institution, wanted, known) => {
      const login = known ?? newLogin(newId("institution-login"), customer, institution, seconds());
      logins.set(login.id, login);
      const position = of(customer.id).length;
      const accounts = wanted.map((want, index) =>
        newAccount({
          id: newId("account"),
          seed,
          now: seconds(),
          login,
          institution,
          want,
          position: position + index,
        }),
      );
      for (const account of accounts) byId.set(account.id, account);
      byCustomer.set(customer.id, [...of(customer.id), ...accounts]);
      happenings.tell("accounts-linked", { customer, accounts });
      return { login, accounts };
    },
    remove,
    restore: (account) => {
      if (byId.has(account.id)) return;
      byId.set(account.id, account);
      byCustomer.set(account.customerId, [...of(account.customerId), account]);
    },
    removeLogin: (login) => {
      for (const account of of(login.customerId)) if (account.loginId === login.id) remove(account);
      logins.delete(login.id);
    },
    move: (login, institution) => {
      login.institutionId = institution.id;
      login.connection = institution.oauth ? "oauth" : "legacy";
      for (const account of of(login.customerId)) {
        if (account.loginId === login.id) account.institutionId = institution.id;
      }
    },
    aggregate,
    ledgerOf: (account) => {
      const ledger = ledgerOf(account);
      aggregate(account, "daily");
      return ledger;
    },
    loadHistoric: (account, months) => {
      const ledger = ledgerOf(account);
      const from = Math.floor(account.created / DAY) - Math.round(months * 30.4);
      if (from >= ledger.from) return 0;
      const came = fillDays(ledger, habitOf(account), from, ledger.from);
      ledger.from = from;
      return came;
    },
    ofTransaction: (id) => {
      const account = byLedger[Math.floor((id - firstLedgerId) / LEDGER_IDS)];
      return account !== undefined && byId.has(account.id) ? account : undefined;
    },
  };
};
