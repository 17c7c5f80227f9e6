/** Things that happen while somebody listens: which events they are, and what has to arrive where, and nowhere else. */

import { fewer, making } from "../../../fixtures/engine/resource-model.ts";
import type { Caller } from "../../../fixtures/engine/sequence-calls.ts";
import { shared } from "../../../fixtures/engine/shared.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import { eventNames, subscribing } from "../../../fixtures/financial-data/webhook-calls.ts";
import type { Assertion, Command, Query } from "../../../helpers/sequences/model.ts";
import { alive } from "../../../helpers/sequences/model-resources.ts";
import type { Linked } from "./linked.ts";
import { READABLE } from "./sequences.ts";

/** How many deliveries are due at each address, in all. */
export type Mailbox = Record<string, number>;

export const DELIVERS = id("webhooks.delivers-chosen-events");
export const FOLLOWS = id("sequences.events-follow-status");

/** A delivery that comes twice is one (gaps: delivery time and retries). */
const countAt = (listener: Listener, address: string): number =>
  new Set(listener.deliveriesAt(address).map(({ body }) => body.toString("utf8"))).size;

/** Listeners who waited in vain: whoever looks for a smaller example does not wait as long each time. */
const missed = new WeakSet<Listener>();

/** Whether what was due at the address has arrived. */
export const judgeArrival = async (
  listener: Listener,
  mail: Mailbox,
  address: string,
  requirement: string,
  note: Assertion,
): Promise<void> => {
  const due = mail[address] ?? 0;
  await listener.wait(address, due, missed.has(listener) ? "short" : "full");
  if (countAt(listener, address) < due) missed.add(listener);
  if (listener.deliveriesAt(address).length === 0) listener.assertReached();
  note(requirement, countAt(listener, address) >= due, {
    message: "an event that is subscribed to and active was not delivered",
    expected: `${due} ${due === 1 ? "delivery" : "deliveries"} to the address`,
    actual: `${countAt(listener, address)}`,
  });
};

/** Whether an address is to hear nothing of what happens now, while another one is. */
export const provesQuiescence = (mail: Mailbox, reached: readonly string[]): boolean =>
  reached.length > 0 && Object.keys(mail).some((address) => !reached.includes(address));

/**
 * Whether nothing arrived besides; once something happened of which an address was to hear nothing.
 * @param requirementOf what a delivery to the address breaks for which nothing was subscribed any more
 */
export const judgeQuiescence = async (
  listener: Listener,
  mail: Mailbox,
  requirementOf: (address: string) => string,
  note: Assertion,
): Promise<void> => {
  const addresses = Object.keys(mail);
  const [first] = addresses;
  if (first === undefined) return;
  await listener.rest(first);
  for (const address of addresses) {
    const [came, due] = [countAt(listener, address), mail[address] ?? 0];
    note(requirementOf(address), came <= due, {
      message: "an event was delivered for which nothing was subscribed and active any more",
      expected: `${due} ${due === 1 ? "delivery" : "deliveries"} to the address`,
      actual: `${came}`,
    });
  }
};

export interface Heard extends Linked {
  readonly mail: Mailbox;
  /** Whether anything has changed since something happened last. */
  stirred: boolean;
  /** Whether quiescence anywhere proves anything yet. */
  proved: boolean;
}

/** To whom things happen. */
export const addingCustomer = <State extends Heard>(calls: Caller): Command<State> => ({
  name: "add a customer",
  when: fewer("customer", 1),
  call: async (_, { seed }) => {
    const call = await calls.of("AddTestingCustomer", {}, seed);
    return making(calls, call, { kind: "customer", possible: READABLE });
  },
});

/**
 * Accounts are linked after every change, to see who hears of it.
 * @param reached addresses that are to
 */
export const happening = <State extends Heard>(
  listener: Listener,
  { things, stirred }: State,
  reached: (state: State) => readonly string[],
): Query<State>[] =>
  alive(things, "customer").map(({ ids: { customer = "" } }) => ({
    name: "what happens when accounts are linked",
    due: stirred,
    call: async () => ({
      act: { kind: "link-accounts", customer },
      expect: async (state: State, note: Assertion) => {
        state.stirred = false;
        const addresses = reached(state);
        state.proved ||= provesQuiescence(state.mail, addresses);
        for (const address of addresses) state.mail[address] = (state.mail[address] ?? 0) + 1;
        for (const address of new Set(addresses))
          await judgeArrival(listener, state.mail, address, DELIVERS, note);
      },
    }),
  }));

export interface Firing {
  /** Names of the events of the target. */
  readonly names: readonly string[];
  /** Those that linked accounts are; none where nobody can link any. */
  readonly fires: readonly string[];
}

/** Found out once in a session. */
export const firing = shared(async (context, listener: Listener): Promise<Firing> => {
  const names = await eventNames(context);
  const { linkAccounts } = context.capabilities;
  if (linkAccounts === undefined) return { names, fires: [] };
  const customer = await context.arrange.exclusive().need("customer");
  const fires: string[] = [];
  await subscribing(context, async (subscribe) => {
    const events = names.map((name) => ({ name, url: listener.address() }));
    const common = listener.address();
    await subscribe(common, events);
    await linkAccounts(customer);
    await Promise.race(events.map(({ url }) => listener.wait(url, 1)));
    await listener.rest(common);
    fires.push(...events.filter(({ url }) => listener.deliveriesAt(url).length > 0).map(({ name }) => name));
  });
  return { names, fires };
});
