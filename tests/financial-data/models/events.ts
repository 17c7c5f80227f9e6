/** Events while listeners are subscribed: the deliveries that each address must receive, and no others. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Assertion, Query } from "../../../helpers/sequences/model.ts";
import { alive } from "../../../helpers/sequences/model-resources.ts";
import { shared } from "../../../helpers/trials/kit/language.ts";
import type { Linked } from "./linked.ts";

/** The total number of expected deliveries by address. */
export type Mailbox = Record<string, number>;

export const DELIVERS = id("webhooks.delivers-chosen-events");
export const FOLLOWS = id("sequences.events-follow-status");

/** Counts the deliveries at an address. A repeated delivery counts once (gaps: delivery time and retries). */
const countAt = (listener: Listener, address: string): number =>
  new Set(listener.deliveriesAt(address).map(({ body }) => body.toString("utf8"))).size;

/** Listeners whose wait has timed out. Later waits for them are shorter while an example is shrunk. */
const missed = new WeakSet<Listener>();

/** Waits for `due` different deliveries. Each repeated delivery that arrives extends the wait by one. */
const waitForDistinct = async (listener: Listener, address: string, due: number): Promise<void> => {
  for (let count = due; ; ) {
    const came = await listener.wait(address, count, missed.has(listener) ? "short" : "full");
    const lacking = due - countAt(listener, address);
    if (lacking <= 0 || came.length < count) return;
    count = came.length + lacking;
  }
};

/** Judges whether the expected deliveries have arrived at the address. */
export const judgeArrival = async (
  listener: Listener,
  mail: Mailbox,
  address: string,
  requirement: string,
  note: Assertion,
): Promise<void> => {
  const due = mail[address] ?? 0;
  await waitForDistinct(listener, address, due);
  if (countAt(listener, address) < due) missed.add(listener);
  if (listener.deliveriesAt(address).length === 0) listener.assertReached();
  note(requirement, countAt(listener, address) >= due, {
    message: "a subscribed and active event was not delivered",
    expected: `${due} ${due === 1 ? "delivery" : "deliveries"} to the address`,
    actual: `${countAt(listener, address)}`,
    ...(due > 0 && { occasion: `${due} events that the address had to receive` }),
  });
};

/** Whether one address must receive this event and another one must not. */
export const provesQuiescence = (mail: Mailbox, reached: readonly string[]): boolean =>
  reached.length > 0 && Object.keys(mail).some((address) => !reached.includes(address));

/**
 * Judges that no other deliveries arrived. Call it only after an event that some address must not receive.
 * @param requirementOf returns the requirement that an extra delivery to the address violates
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
      message: "an event was delivered without an active subscription",
      expected: `${due} ${due === 1 ? "delivery" : "deliveries"} to the address`,
      actual: `${came}`,
      occasion: "an event that one address had to receive, and another one not",
    });
  }
};

export interface Heard extends Linked {
  readonly mail: Mailbox;
  /** Whether the state has changed since the last event. */
  stirred: boolean;
  /** Whether an event has occurred that some address must not receive. */
  proved: boolean;
}

/**
 * Links accounts after every change, to check which addresses receive the event.
 * @param reached returns the addresses that must receive it
 */
export const happening = <State extends Heard>(
  listener: Listener,
  { resources, stirred }: State,
  reached: (state: State) => readonly string[],
): Query<State>[] =>
  alive(resources, "customer").map(({ ids: { customer = "" } }) => ({
    name: "the deliveries after accounts are linked",
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

/**
 * Finds out, once per session, which events linking accounts causes.
 * @returns the names of the target's events; `fires` is empty if the target can't link accounts
 */
export const firing = shared(
  async (t: T, listener: Listener): Promise<Record<"names" | "fires", readonly string[]>> => {
    const names = await t.eventNames();
    const { linkAccounts } = t.capabilities;
    if (linkAccounts === undefined) return { names, fires: [] };
    const customer = await t.arrange.exclusive().need("customer");
    const fires: string[] = [];
    await t.subscribing(async (subscribe) => {
      const events = names.map((name) => ({ name, url: listener.address() }));
      const common = listener.address();
      await subscribe(common, events);
      await linkAccounts(customer);
      await Promise.race(events.map(({ url }) => listener.wait(url, 1)));
      await listener.rest(common);
      fires.push(
        ...events.filter(({ url }) => listener.deliveriesAt(url).length > 0).map(({ name }) => name),
      );
    });
    return { names, fires };
  },
);
