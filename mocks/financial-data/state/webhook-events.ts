/** The events for which partners can get webhook notifications, and their causes. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { flattener } from "../../engine/values/flat-schema.ts";
import type { Account } from "./account.ts";
import { rowAt } from "./ledger.ts";
import type { State } from "./state.ts";
import events from "./webhook-events.json" with { type: "json" };

/** Returns our events, and those whose names the provider's document shows; nothing but a test causes the latter. */
export const availableEvents = memoize(
  ({ operations, schemas }: Contract): readonly (typeof events)[number][] => {
    const flatten = flattener(schemas);
    const shown = operations.flatMap(({ requestBody, responses }) =>
      [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap((content) => {
        const list = flatten(content?.["application/json"] ?? {}, {}).properties?.get("events");
        const item = list && flatten(list, undefined).items;
        const name = item && flatten(item, undefined).properties?.get("name");
        return (name && flatten(name, undefined).shown) ?? [];
      }),
    );
    const description = "An event that the document names.";
    return [...events, ...[...new Set(shown)].map((name) => ({ name, description, fields: [] }))];
  },
);

export interface Occurrence {
  readonly name: string;
  readonly partnerId: string;
  /** The values for conditions, by field. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly payload: Fields;
}

/** Calls the listener for every event that has a webhook name. */
export const occurrencesOf = (state: State, listen: (occurrence: Occurrence) => void): void => {
  const { events, customers, accounts: book } = state;
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
  events.on("accounts-linked", ({ customer, accounts }) =>
    ofAccounts("accounts-linked", customer.id, accounts),
  );
  events.on("connect-completed", ({ customer, accounts, experience }) =>
    ofAccounts("connect-completed", customer.id, accounts, { experience }),
  );
  events.on("account-changed", ({ account, changed }) =>
    ofAccounts("account-changed", account.customerId, [account], { changed }),
  );
  events.on("account-deleted", ({ account }) => ofAccounts("account-deleted", account.customerId, [account]));
  events.on("transactions-posted", ({ account, transactions }) => {
    const ledger = book.ledgerOf(account);
    const transactionIds = transactions.map((index) => String(rowAt(ledger, index).id));
    ofAccounts("transactions-posted", account.customerId, [account], { transactionIds });
  });
  events.on("customer-deleted", ({ customer: { id, partnerId } }) =>
    listen({
      name: "customer-deleted",
      partnerId,
      values: { customerId: [id] },
      payload: { customerId: id },
    }),
  );
};
