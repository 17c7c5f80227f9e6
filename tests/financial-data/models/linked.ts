/** Customers whose accounts the target links without a browser, and the accounts that lists have shown. */

import { fieldOf, idOf, itemsIn } from "../../../fixtures/engine/reading.ts";
import {
  emptyResourceModel,
  fewer,
  making,
  type ResourceModel,
} from "../../../fixtures/engine/resource-model.ts";
import type { Caller } from "../../../fixtures/engine/sequence-calls.ts";
import { plainType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Command, Query } from "../../../helpers/sequences/model.ts";
import { alive, newModelResource } from "../../../helpers/sequences/model-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { TrialContext } from "../../../helpers/trials/trial.ts";
import { READABLE } from "./sequences.ts";

export interface Linked extends ResourceModel {
  /** Customers with linked accounts that no list has shown yet. */
  linked: string[];
  /** The number of times that accounts were linked. */
  links: number;
}

export const LIST = "GetCustomerAccounts";

export const startLinked = (): Linked => ({ ...emptyResourceModel(), linked: [], links: 0 });

/** @throws NotTried when the target links no accounts to new customers */
export const assertLinks = ({ capabilities }: TrialContext): void => {
  if (capabilities.linkAccounts === undefined) {
    throw new NotTried("needs a new customer with linked accounts, which this target does not provide");
  }
};

/** Whether accounts were linked `links` times, and lists have shown them all. */
export const isLinked =
  (links: number) =>
  (state: Linked): boolean =>
    state.links === links && state.linked.length === 0 && alive(state.resources, "account").length > 0;

/** @param most the number of customers, and the total number of links; the customers are linked in turn */
export const linking = <State extends Linked>(
  calls: Caller,
  most: { readonly customers: number; readonly links: number },
): Command<State>[] => [
  {
    name: "add a customer",
    when: fewer("customer", most.customers),
    call: async (_, { seed }) => {
      const call = await calls.of("AddTestingCustomer", {}, seed);
      return making(calls, call, { kind: "customer", possible: READABLE });
    },
  },
  {
    name: "link accounts",
    when: ({ resources, links }) => resources.length > 0 && links < most.links,
    call: ({ resources, links }) => {
      const customers = alive(resources, "customer");
      const customer = customers[links % customers.length]?.ids.customer ?? "";
      return {
        act: { kind: "link-accounts", customer },
        expect: (state: State) => {
          state.linked.push(customer);
          state.links += 1;
        },
      };
    },
  },
];

/** Lists new accounts, whose ids are unknown before. */
export const adopting = <State extends Linked>(
  context: TrialContext,
  calls: Caller,
  state: State,
): Query<State>[] =>
  [...new Set(state.linked)].map((customer) => ({
    name: `the accounts that were linked to ${customer}`,
    due: true,
    call: async () => ({
      call: await calls.of(LIST, { customer }),
      expect: (now: State, exchange: Exchange) => {
        if (!isAccepted(exchange)) return;
        now.linked = now.linked.filter((one) => one !== customer);
        for (const item of itemsIn(context, exchange)) adopt(context, now, customer, item);
      },
    }),
  }));

const adopt = (context: TrialContext, { resources, made }: Linked, customer: string, item: unknown): void => {
  const account = idOf(context, LIST, "account", item);
  if (account === undefined || resources.some(({ ids }) => ids.account === account)) return;
  made.account = (made.account ?? 0) + 1;
  const login = String(fieldOf(item, "institutionLoginId"));
  const ids = { customer, account, "institution-login": login };
  const resource = newModelResource("account", made.account, ids, {});
  resources.push({ ...resource, traits: { type: plainType(fieldOf(item, "type", "accountType") ?? "") } });
};
