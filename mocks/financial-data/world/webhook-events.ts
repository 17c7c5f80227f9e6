/** What partners can be notified of by webhook, and when it happens. */
import type { Fields } from "../../engine/values/fields.ts";
import type { Account } from "./account.ts";
import { rowAt } from "./ledger.ts";
import type { World } from "./world.ts";

export interface AvailableEvent {
  readonly name: string;
  readonly description: string;
  /** What its conditions can be about. */
  readonly fields: readonly string[];
}

const OF_ACCOUNTS = ["customerId", "accountId", "institutionId"];

/** No document shows their names. */
export const AVAILABLE_EVENTS: readonly AvailableEvent[] = [
  { name: "accounts-linked", description: "A customer linked accounts.", fields: OF_ACCOUNTS },
  { name: "account-changed", description: "A field of an account has another value.", fields: OF_ACCOUNTS },
  { name: "account-deleted", description: "An account is no longer linked.", fields: OF_ACCOUNTS },
  { name: "transactions-posted", description: "Transactions posted to an account.", fields: OF_ACCOUNTS },
  { name: "connect-completed", description: "A customer ended a hosted flow.", fields: OF_ACCOUNTS },
  { name: "customer-deleted", description: "A customer was deleted.", fields: ["customerId"] },
];

export interface Occurrence {
  readonly name: string;
  readonly partnerId: string;
  /** What conditions can be about, by field. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly payload: Fields;
}

/** Tells the listener of everything that happens and has a name. */
export const occurrencesOf = (world: World, listen: (occurrence: Occurrence) => void): void => {
  const { happenings, customers, accounts: book } = world;
  const ofAccounts = (
    name: string,
    customerId: string,
    accounts: readonly Account[],
    payload: Fields = {},
  ): void => {
    const customer = customers.find(customerId);
    if (customer === undefined || accounts.length === 0) return;
    const accountId = accounts.map(({ id }) => id);
    const institutionId = [...new Set(accounts.map((account) => String(account.institutionId)))];
    listen({
      name,
      partnerId: customer.partnerId,
      values: { customerId: [customerId], accountId, institutionId },
      payload: { customerId, accountIds: accountId, institutionIds: institutionId, ...payload },
    });
  };
  happenings.on("accounts-linked", ({ customer, accounts }) =>
    ofAccounts("accounts-linked", customer.id, accounts),
  );
  happenings.on("connect-completed", ({ customer, accounts, experience }) =>
    ofAccounts("connect-completed", customer.id, accounts, { experience }),
  );
  happenings.on("account-changed", ({ account, changed }) =>
    ofAccounts("account-changed", account.customerId, [account], { changed }),
  );
  happenings.on("account-deleted", ({ account }) =>
    ofAccounts("account-deleted", account.customerId, [account]),
  );
  happenings.on("transactions-posted", ({ account, transactions }) => {
    const ledger = book.ledgerOf(account);
    const transactionIds = transactions.map((index) => String(rowAt(ledger, index).id));
    ofAccounts("transactions-posted", account.customerId, [account], { transactionIds });
  });
  happenings.on("customer-deleted", ({ customer: { id, partnerId } }) =>
    listen({
      name: "customer-deleted",
      partnerId,
      values: { customerId: [id] },
      payload: { customerId: id },
    }),
  );
};
