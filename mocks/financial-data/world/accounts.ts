/** Institution logins and the accounts that became linked through them. */
import type { Account, Login, WantedAccount } from "./account.ts";
import { type Aggregation, type AggregationContext, aggregation } from "./aggregation.ts";
import type { Customer } from "./customer.ts";
import type { Institution } from "./institutions.ts";
import { newAccount, newLogin } from "./new-accounts.ts";

export interface AccountBook extends Aggregation {
  find(id: string): Account | undefined;
  /** By customer id, in the order in which they were linked. */
  of(customerId: string): readonly Account[];
  ofLogin(loginId: string): readonly Account[];
  readonly logins: ReadonlyMap<string, Login>;
  /** Tells `accounts-linked`. */
  link(customer: Customer, institution: Institution, wanted: readonly WantedAccount[]): Linked;
  /** Tells `account-deleted`. */
  remove(account: Account): void;
  /** Takes the removal of an account back, where a fault wants it there again. */
  restore(account: Account): void;
  /** With its accounts. */
  removeLogin(login: Login): void;
  /** Moves a login with its accounts to another institution. */
  move(login: Login, institution: Institution): void;
}

export interface Linked {
  readonly login: Login;
  readonly accounts: readonly Account[];
}

interface Context extends AggregationContext {
  newId(kind: string): string;
}

export const accountBook = ({ newId, ...context }: Context): AccountBook => {
  const { seconds, happenings, seed } = context;
  const aggregated = aggregation(context);
  const byId = new Map<string, Account>();
  const byCustomer = new Map<string, readonly Account[]>();
  const logins = new Map<string, Login>();
  const of = (customerId: string): readonly Account[] => byCustomer.get(customerId) ?? [];
  const ofLogin = (id: string): readonly Account[] =>
    of(logins.get(id)?.customerId ?? "").filter(({ loginId }) => loginId === id);
  const add = (customerId: string, accounts: readonly Account[]): void => {
    for (const account of accounts) byId.set(account.id, account);
    byCustomer.set(customerId, [...of(customerId), ...accounts]);
  };
  const remove = (account: Account): void => {
    byId.delete(account.id);
    const rest = of(account.customerId).filter((other) => other !== account);
    if (rest.length === 0) byCustomer.delete(account.customerId);
    else byCustomer.set(account.customerId, rest);
    happenings.tell("account-deleted", { account });
  };
  const removeLogin = (login: Login): void => {
    for (const account of ofLogin(login.id)) remove(account);
    logins.delete(login.id);
  };
  happenings.on("customer-deleted", ({ customer }) => {
    for (const account of of(customer.id)) {
      logins.delete(account.loginId);
      remove(account);
    }
  });
  return {
    ...aggregated,
    find: (id) => byId.get(id),
    of,
    ofLogin,
    logins,
    link: (customer, institution, all) => {
      const login = newLogin(newId("institution-login"), customer, institution, seconds());
      logins.set(login.id, login);
      const first = of(customer.id).length;
      const accounts = all.map((wanted, index) => {
        const position = first + index;
        return newAccount({
          id: newId("account"),
          seed,
          now: seconds(),
          login,
          institution,
          wanted,
          position,
        });
      });
      add(customer.id, accounts);
      happenings.tell("accounts-linked", { customer, accounts });
      return { login, accounts };
    },
    remove,
    restore: (account) => {
      if (!byId.has(account.id)) add(account.customerId, [account]);
    },
    removeLogin,
    move: (login, institution) => {
      login.institutionId = institution.id;
      login.connection = institution.oauth ? "oauth" : "legacy";
      for (const account of ofLogin(login.id)) account.institutionId = institution.id;
    },
    ofTransaction: (id) => byId.get(aggregated.ofTransaction(id)?.id ?? ""),
  };
};
