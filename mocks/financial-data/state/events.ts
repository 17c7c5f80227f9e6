/** Events within a state. Sections subscribe to them; the code that causes an event emits it. */
import type { Fields } from "../../engine/values/fields.ts";
import type { Account } from "./account.ts";
import type { Customer } from "./customer.ts";

export interface AccountEvents {
  "customer-deleted": { readonly customer: Customer };
  "accounts-linked": { readonly customer: Customer; readonly accounts: readonly Account[] };
  "account-deleted": { readonly account: Account };
  /** `changed`: names of the fields with new values. */
  "account-changed": { readonly account: Account; readonly changed: readonly string[] };
  /** A user completed a hosted flow. `accounts`: the accounts that it linked or repaired. */
  "connect-completed": {
    readonly customer: Customer;
    readonly accounts: readonly Account[];
    readonly experience: string | undefined;
  };
  /** A user entered the amounts of a micro deposit, in dollars, in a hosted flow. `accept` confirms them. */
  "micro-amounts-entered": {
    readonly accountId: string;
    readonly amounts: readonly number[];
    readonly accept: () => void;
  };
  /** `body`: the request body that generated the address. */
  "switch-chosen": {
    readonly customer: Customer;
    readonly kind: "deposit" | "bill-pay";
    readonly counterpart: string;
    readonly body: Fields;
  };
  /** `transactions`: indexes in the ledger of the account. */
  "transactions-posted": { readonly account: Account; readonly transactions: readonly number[] };
}

export const announcements = () => {
  const listeners = new Map<string, ((event: never) => void)[]>();
  return {
    on: <Name extends keyof AccountEvents>(
      name: Name,
      listener: (event: AccountEvents[Name]) => void,
    ): void => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    },
    emit: <Name extends keyof AccountEvents>(name: Name, event: AccountEvents[Name]): void => {
      for (const listener of listeners.get(name) ?? []) listener(event as never);
    },
  };
};
