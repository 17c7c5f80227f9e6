/** Events of webhook subscriptions: each has the status that was set for it or for its subscription. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Action, Assertion, Command } from "../../../helpers/sequences/model.ts";
import { alive, byName, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import type { Caller } from "../../../helpers/sequences/sequence-calls.ts";
import { type Call, type Exchange, fieldOf, isAccepted } from "../../../helpers/trials/kit/language.ts";
import type { Heard } from "./events.ts";
import { PROMISES } from "./sequences.ts";

export interface State extends Heard {
  /** Events of all subscriptions. */
  readonly events: SubscribedEvent[];
}

interface SubscribedEvent {
  readonly subscription: string;
  id: string;
  readonly name: string;
  status: "active" | "inactive";
  /** Id of the requirement by which the next read judges the status. */
  judged: string | undefined;
}

export const KIND = "webhook-subscription";
export const STATUS = "changeWebhookSubscriptionStatus";
export const EVENT_STATUS = "changeWebhookSubscriptionEventStatus";

/** Whether there is a second subscription that a call could change by mistake, and a customer with events. */
export const several = ({ resources }: State): boolean =>
  alive(resources, KIND).length > 1 && alive(resources, "customer").length > 0;

/** Returns the events whose subscription has another event. */
export const spare = (events: readonly SubscribedEvent[]): SubscribedEvent[] =>
  events.filter(({ subscription }) => events.filter((each) => each.subscription === subscription).length > 1);

export const forget = (
  state: State,
  subscription: string,
  goes: (event: SubscribedEvent) => boolean,
): void => {
  const kept = state.events.filter((event) => event.subscription !== subscription || !goes(event));
  state.events.splice(0, state.events.length, ...kept);
  mark(state, subscription);
};

/** Marks events and status as changed, because the documents do not show how the status depends on the events. */
export const mark = (state: State, subscription: string): void => {
  const resource = byName(state.resources, subscription);
  state.stirred = true;
  resource.changed = [...new Set([...resource.changed, "events", "status"])];
};

/** Returns the subscriptions that receive the events. @param fires the names of the events that occur */
export const receiving = ({ resources, events }: State, fires: readonly string[]): ModelResource[] => {
  const heard = events.filter(({ name, status }) => fires.includes(name) && status === "active");
  return alive(resources, KIND).filter(({ name }) => heard.some(({ subscription }) => subscription === name));
};

/**
 * Whether at most one subscription receives events. Another one must then resume first, because a missing event would
 * prove nothing.
 */
const receivesAtMostOne = (state: State, fires: readonly string[]): boolean =>
  receiving(state, fires).length < 2;

export const statusOfEvent = (calls: Caller, fires: readonly string[]): Command<State> => ({
  name: "pause or resume an event",
  when: (state) => several(state) && state.events.length > 0,
  call: async (state, { pick }) => {
    const { resources, events } = state;
    const paused = events.filter(({ name, status }) => fires.includes(name) && status === "inactive");
    const resumes = paused.length > 0 && receivesAtMostOne(state, fires);
    const { subscription, id: event, status: before } = pick(resumes ? paused : events);
    const status = before === "active" ? "inactive" : "active";
    const { ids } = byName(resources, subscription);
    const call = { ...(await calls.of(EVENT_STATUS, { ...ids, "webhook-event": event })), json: { status } };
    return setting(
      call,
      subscription,
      (each) => each.id === event,
      status,
      id("webhooks.event-status-change"),
    );
  },
});

export const statusOfAll = (calls: Caller, fires: readonly string[]): Command<State> => ({
  name: "pause or resume a subscription",
  when: several,
  call: async (state, { pick, value }) => {
    const { name, ids } = pick(alive(state.resources, KIND));
    const status = receivesAtMostOne(state, fires) ? "active" : value(["active", "inactive"] as const);
    const call = { ...(await calls.of(STATUS, ids)), json: { status } };
    return setting(call, name, () => true, status, id("webhooks.subscription-status-change"));
  },
});

const setting = (
  call: Call,
  subscription: string,
  isMeant: (event: SubscribedEvent) => boolean,
  status: SubscribedEvent["status"],
  judged: string,
): Action<State> => ({
  call,
  expect: (state: State, exchange: Exchange) => {
    if (!isAccepted(exchange)) return;
    for (const event of state.events) {
      if (event.subscription === subscription && isMeant(event)) Object.assign(event, { status, judged });
    }
    mark(state, subscription);
  },
});

/** Shown by an event that was paused. A status that every event has may be another one. */
const PAUSED = "an event is inactive";

/** Judges that the subscription has its events, each with the status that was set. */
export const judgeEvents = (
  t: T,
  { events }: State,
  subscription: string,
  exchange: Exchange,
  note: Assertion,
): void => {
  // An update may give the events other ids.
  const shown = new Map(t.eventsIn(exchange).map((event) => [String(fieldOf(event.fields, "name")), event]));
  for (const event of events.filter((each) => each.subscription === subscription)) {
    const { id: now, fields } = shown.get(event.name) ?? {};
    const judged = event.judged ?? PROMISES.unnamed;
    event.id = now ?? event.id;
    event.judged = undefined;
    const status = String(fieldOf(fields, "status")).toLowerCase();
    const isShown = fields !== undefined && status === event.status;
    const listed = `${subscription} lists ${event.name}`;
    note(judged, isShown, {
      message: `the event ${event.name} of ${subscription} does not have the status that was set`,
      expected: event.status,
      actual: fields === undefined ? "no such event" : status,
      named: true,
      shows: fields === undefined ? [listed] : isShown && status === "active" ? [listed] : [listed, PAUSED],
    });
  }
};
