/** Stores institution logins and the accounts linked through them. */
import { randomOf } from "../../engine/values/random.ts";
import { type Account, type AccountKind, KINDS, type Login, type WantedAccount } from "./account.ts";
import { type AggregationContext, aggregation } from "./aggregation.ts";
import type { Customer } from "./customer.ts";
import type { Institution } from "./institutions.ts";

export const accountBook = ({
  newId,
  ...context
}: AggregationContext & {
  newId(kind: string): string;
}) => {
  const { seconds, events, seed } = context;
  const aggregated = aggregation(context);
  const byId = new Map<string, Account>();
  const byCustomer = new Map<string, readonly Account[]>();
  const logins = new Map<string, Login>();
  /** Returns the customer's accounts, in the order in which they were linked. */
  const of = (customerId: string): readonly Account[] => byCustomer.get(customerId) ?? [];
  const ofLogin = (id: string): readonly Account[] =>
    of(logins.get(id)?.customerId ?? "").filter(({ loginId }) => loginId === id);
  const add = (customerId: string, accounts: readonly Account[]): void => {
    for (const account of accounts) byId.set(account.id, account);
    accounts.forEach(aggregated.reserve);
    byCustomer.set(customerId, [...of(customerId), ...accounts]);
  };
  /** Removes the account and emits `account-deleted`. */
  const remove = (account: Account): void => {
    byId.delete(account.id);
    const rest = of(account.customerId).filter((other) => other !== account);
    if (rest.length === 0) byCustomer.delete(account.customerId);
    else byCustomer.set(account.customerId, rest);
    events.emit("account-deleted", { account });
  };
  /** Removes the login with its accounts. */
  const removeLogin = (login: Login): void => {
    for (const account of ofLogin(login.id)) remove(account);
    logins.delete(login.id);
  };
  events.on("customer-deleted", ({ customer }) => {
    for (const account of of(customer.id)) {
      logins.delete(account.loginId);
      remove(account);
    }
  });
  return {
    ...aggregated,
    stores: { byId, byCustomer, logins, byLedger: aggregated.byLedger, chosenIds: aggregated.chosenIds },
    find: (id: string) => byId.get(id),
    of,
    ofLogin,
    logins: logins as ReadonlyMap<string, Login>,
    /** Links the accounts and emits `accounts-linked`. */
    link: (customer: Customer, institution: Institution, all: readonly WantedAccount[]) => {
      const login = newLogin(newId("institution-login"), customer, institution, seconds());
      logins.set(login.id, login);
      const first = of(customer.id).length;
      const accounts = all.map((wanted, index) =>
        newAccount({ id: newId("account"), seed, login, institution, wanted, position: first + index + 1 }),
      );
      add(customer.id, accounts);
      events.emit("accounts-linked", { customer, accounts });
      return { login, accounts };
    },
    /** Adds a login with its accounts as the user chose them. Emits nothing. */
    put: (login: Login, accounts: readonly Account[]): void => {
      logins.set(login.id, login);
      add(login.customerId, accounts);
    },
    remove,
    /** Undoes the removal of an account, for faults. */
    restore: (account: Account): void => void (byId.has(account.id) || add(account.customerId, [account])),
    removeLogin,
    /** Moves a login with its accounts to another institution. */
    move: (login: Login, institution: Institution): void => {
      login.institutionId = institution.id;
      login.connection = institution.oauth ? "oauth" : "legacy";
      for (const account of ofLogin(login.id)) account.institutionId = institution.id;
    },
    ofTransaction: (id: number) => byId.get(aggregated.ofTransaction(id)?.id ?? ""),
  };
};

export const newLogin = (id: string, customer: Customer, institution: Institution, now: number): Login => ({
  id,
  customerId: customer.id,
  institutionId: institution.id,
  connection: institution.oauth ? "oauth" : "legacy",
  created: now,
  marks: new Set(institution.mfa ? ["mfa"] : []),
});

export const newAccount = ({
  id,
  seed,
  login,
  institution,
  wanted,
  position,
}: {
  readonly id: string;
  readonly seed: number;
  readonly login: Login;
  readonly institution: Institution;
  readonly wanted: WantedAccount;
  readonly position: number;
}): Account => {
  const want = typeof wanted === "string" ? { type: wanted } : wanted;
  const random = randomOf(`${seed} account ${id}`);
  const kind = KINDS.find(({ type }) => type === want.type) ?? (KINDS[0] as AccountKind);
  return {
    id,
    customerId: login.customerId,
    loginId: login.id,
    institutionId: institution.id,
    type: kind.type,
    kind,
    number: random.digits(10),
    routingNumber: institution.routingNumbers[0] ?? "",
    name: kind.name,
    status: want.status ?? "active",
    balance: want.balance ?? random.integer(kind.least * 100, kind.most * 100) / 100,
    created: login.created,
    attempted: login.created,
    position,
    given: {},
    marks: new Set(),
    perDay: want.perDay ?? kind.perDay,
    ledger: undefined,
    reserved: undefined,
  };
};
