/** Customers whose accounts the target links without a browser, and the accounts that lists have shown. */
import { isActive } from "../../../fixtures/financial-data/linked-accounts.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Action, Command, Query } from "../../../helpers/sequences/model.ts";
import { alive, newModelResource } from "../../../helpers/sequences/model-resources.ts";
import {
  emptyResourceModel,
  fewer,
  making,
  type ResourceModel,
} from "../../../helpers/sequences/resource-model.ts";
import type { Caller } from "../../../helpers/sequences/sequence-calls.ts";
import { type Exchange, fieldOf, isAccepted, NotTried } from "../../../helpers/trials/kit/language.ts";
import { READABLE } from "./sequences.ts";

export interface Linked extends ResourceModel {
  /** Customers with linked accounts that no list has shown yet. */
  linked: string[];
  wasLinked: boolean;
}

const LIST = "GetCustomerAccounts";

export const startLinked = (): Linked => ({ ...emptyResourceModel(), linked: [], wasLinked: false });

/** The ways to customers with linked accounts on one target. */
export interface LinkedCustomers {
  /** Returns the state before the first call, with a customer if the target can't link accounts to new ones. */
  start(): Linked;
  /** Commands that create a customer and link accounts; an empty list if sequences start with a customer. */
  commands<State extends Linked>(calls: Caller): Command<State>[];
}

/** The most spare customers that one model takes: each sequence needs one, and so does each that shrinks a finding. */
const GIVEN = 6;

/** @throws NotTried when the target neither links accounts to new customers nor has spare customers with linked accounts */
export const linkedCustomers = async (t: T): Promise<LinkedCustomers> => {
  if (t.capabilities.linkAccounts !== undefined) return { start: startLinked, commands: linking };
  const given = [await t.freshCustomer(), ...(await furtherCustomers(t, GIVEN - 1))];
  return { start: () => startWith(given.shift()), commands: (calls) => [reading(t, calls)] };
};

/** Returns spare customers, and fewer than `most` if the target has no more. */
const furtherCustomers = async (t: T, most: number): Promise<string[]> => {
  const found: string[] = [];
  try {
    while (found.length < most) found.push(await t.freshCustomer());
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
  }
  return found;
};

const startWith = (customer: string | undefined): Linked => {
  const state = startLinked();
  if (customer === undefined) return state;
  return {
    ...state,
    wasLinked: true,
    resources: [newModelResource("customer", 1, { customer }, {})],
    made: { customer: 1 },
    linked: [customer],
  };
};

/** Whether accounts were linked, and lists have shown them all. */
export const isLinked = ({ linked, resources }: Linked): boolean =>
  linked.length === 0 && alive(resources, "account").length > 0;

/** Adds the customer whose accounts are linked. */
export const addingCustomer = <State extends ResourceModel>(calls: Caller): Command<State> => ({
  name: "add a customer",
  when: fewer("customer", 1),
  call: async (_, { seed }) => {
    const call = await calls.of("AddTestingCustomer", {}, seed);
    return making(calls, call, { kind: "customer", possible: READABLE });
  },
});

/** Returns commands that create one customer and link accounts to it. */
const linking = <State extends Linked>(calls: Caller): Command<State>[] => [
  addingCustomer(calls),
  {
    name: "link accounts",
    when: ({ resources, wasLinked }) => resources.length > 0 && !wasLinked,
    call: ({ resources }) => {
      const customer = alive(resources, "customer")[0]?.ids.customer ?? "";
      return {
        act: { kind: "link-accounts", customer },
        expect: (state: State) => {
          state.linked.push(customer);
          state.wasLinked = true;
        },
      };
    },
  },
];

/** Lists new accounts, whose ids are unknown before. */
export const adopting = <State extends Linked>(t: T, calls: Caller, state: State): Query<State>[] =>
  [...new Set(state.linked)].map((customer) => ({
    name: `the accounts that were linked to ${customer}`,
    due: true,
    call: () => listing<State>(t, calls, customer),
  }));

/** Returns the first command of a sequence that starts with a customer: no other is possible before. */
const reading = <State extends Linked>(t: T, calls: Caller): Command<State> => ({
  name: "list the accounts of the customer",
  when: ({ linked }) => linked.length > 0,
  call: ({ linked }) => listing<State>(t, calls, linked[0] ?? ""),
});

const listing = async <State extends Linked>(
  t: T,
  calls: Caller,
  customer: string,
): Promise<Action<State>> => ({
  call: await calls.of(LIST, { customer }),
  expect: (now: State, exchange: Exchange) => {
    if (!isAccepted(exchange)) return;
    now.linked = now.linked.filter((one) => one !== customer);
    for (const item of t.itemsIn(exchange)) adopt(t, now, customer, item);
  },
});

const adopt = (t: T, { resources, made }: Linked, customer: string, item: unknown): void => {
  const account = t.idOf(LIST, "account", item);
  if (account === undefined || resources.some(({ ids }) => ids.account === account)) return;
  // The simple lists leave out other accounts.
  if (!isActive({ fields: item })) return;
  made.account = (made.account ?? 0) + 1;
  const login = String(fieldOf(item, "institutionLoginId"));
  const ids = { customer, account, "institution-login": login };
  resources.push(newModelResource("account", made.account, ids, {}));
};
