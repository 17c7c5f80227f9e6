/** Webhook subscriptions and their events: they are paused, resumed, changed and deleted while events occur. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import { CREATE, READ } from "../../../fixtures/financial-data/webhook-calls.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Action, Command, Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, byName, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import {
  changing,
  deleting,
  fewer,
  making,
  queryList,
  queryResource,
  removing,
  split,
} from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { type Call, fieldOf, withFields } from "../../../helpers/trials/kit/language.ts";
import { DELIVERS, FOLLOWS, firing, happening, judgeQuiescence } from "./events.ts";
import { addingCustomer, startLinked } from "./linked.ts";
import { GONE, LISTS_AGREE, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";
import {
  EVENT_STATUS,
  forget,
  judgeEvents,
  KIND,
  mark,
  receiving,
  STATUS,
  type State,
  several,
  spare,
  statusOfAll,
  statusOfEvent,
} from "./webhook-events.ts";

const LIST = "listWebhookSubscriptions";
const UPDATE = "updateWebhookSubscription";
const DELETE = "deleteWebhookSubscription";
const DELETE_EVENT = "deleteWebhookSubscriptionEvent";

const modelOf = (
  t: T,
  listener: Listener,
  { fires, names }: Awaited<ReturnType<typeof firing>>,
): Model<State> => {
  const calls = callerFor(t);
  const [fired = names[0] ?? ""] = fires;
  const other = names.find((name) => name !== fired && !fires.includes(name));
  const choices = other === undefined ? [[fired]] : [[fired], [fired, other], [other, fired]];
  const reached = ({ resources, events }: State): string[] =>
    events.flatMap(({ subscription, name, status }) =>
      fires.includes(name) && status === "active" ? [String(byName(resources, subscription).given.url)] : [],
    );
  return {
    start: () => ({ ...startLinked(), events: [], mail: {}, stirred: false, proved: false }),
    commands: [
      {
        name: "subscribe",
        when: fewer(KIND, 4),
        call: async (_, { seed, value }) => {
          const url = listener.address();
          const events = value(choices).map((name) => ({ name }));
          const call = withFields(await calls.of(CREATE, {}, seed), { url, events });
          return subscribed(t, calls, call, url);
        },
      },
      statusOfEvent(calls, fires),
      statusOfAll(calls, fires),
      moving(calls, listener, "move a subscription with a paused event to another address", withPausedEvent),
      moving(calls, listener, "move a subscription with active events to another address", (state) =>
        receiving(state, fires),
      ),
      deletingEvent(calls, fires),
      {
        name: "delete a subscription",
        operationId: DELETE,
        removes: true,
        when: several,
        call: async (state, { pick }) => {
          // Prefers a subscription that receives events, because deleting any other would make no visible difference.
          const heard = receiving(state, fires);
          const resource = pick(heard.length > 0 ? heard : alive(state.resources, KIND));
          return deleting(await calls.of(DELETE, resource.ids), resource, (state: State) =>
            forget(state, resource.name, () => true),
          );
        },
      },
      addingCustomer(calls),
    ],
    races: [
      { commands: ["pause or resume an event", "pause or resume a subscription"], same: false },
      { commands: ["subscribe", "subscribe"], same: false },
    ],
    queries: (state) => [
      ...queriesFor(t, calls, state),
      ...(fires.length === 0 ? [] : happening(listener, state, reached)),
    ],
    end: async ({ mail, proved }, note) => {
      if (proved) await judgeQuiescence(listener, mail, () => FOLLOWS, note);
    },
    leave: removing(calls, { [KIND]: DELETE, customer: "DeleteCustomer" }),
  };
};

const deletingEvent = (calls: Caller, fires: readonly string[]): Command<State> => ({
  name: "delete an event",
  operationId: DELETE_EVENT,
  removes: true,
  when: ({ events }) => spare(events).length > 0,
  call: async ({ resources, events }, { pick }) => {
    const heard = spare(events).filter(({ name }) => fires.includes(name));
    const event = pick(heard.length > 0 ? heard : spare(events));
    const resource = byName(resources, event.subscription);
    const call = await calls.of(DELETE_EVENT, { ...resource.ids, "webhook-event": event.id });
    return {
      call,
      expect: (state: State, exchange: Exchange) => {
        if (isAccepted(exchange)) forget(state, resource.name, (each) => each.id === event.id);
      },
    };
  },
});

const withPausedEvent = ({ resources, events }: State): ModelResource[] => {
  const paused = events.flatMap(({ status, subscription }) => (status === "active" ? [] : [subscription]));
  return alive(resources, KIND).filter(({ name }) => paused.includes(name));
};

/** @param among selects the subscriptions from which one is moved */
const moving = (
  calls: Caller,
  listener: Listener,
  name: string,
  among: (state: State) => readonly ModelResource[],
): Command<State> => ({
  name,
  when: (state) => several(state) && among(state).length > 0,
  call: async (state, { pick }) => {
    const resource = pick(among(state));
    const url = listener.address();
    const own = state.events.filter(({ subscription }) => subscription === resource.name);
    const json = { url, events: own.map((event) => ({ name: event.name })) };
    const call = { ...(await calls.of(UPDATE, resource.ids)), json };
    return changing<State>(call, resource, { url }, false, (after) => {
      after.mail[url] = 0;
      mark(after, resource.name);
    });
  },
});

const subscribed = (t: T, calls: Caller, call: Call, url: string): Action<State> =>
  making<State>(calls, call, {
    kind: KIND,
    possible: id("webhooks.several-subscriptions"),
    also(state, resource, exchange) {
      resource.given = { url };
      state.mail[url] = 0;
      state.stirred = true;
      for (const event of t.eventsIn(exchange)) {
        const name = String(fieldOf(event.fields, "name"));
        const made = { subscription: resource.name, id: event.id, name, judged: undefined };
        state.events.push({ ...made, status: "active" });
      }
    },
  });

/** The requested page size. It allows for subscriptions that other clients create in the meantime. */
const MOST_LISTED = 100;

const queriesFor = (t: T, calls: Caller, { resources }: State): Query<State>[] => [
  ...resources
    .filter(({ kind }) => kind === KIND)
    .map((resource) =>
      queryResource<State>(
        resource,
        () => calls.of(READ, resource.ids),
        PROMISES,
        ({ state, exchange }, note) => judgeEvents(t, state, resource.name, exchange, note),
      ),
    ),
  queryList<State>(t, {
    name: "all subscriptions",
    kind: KIND,
    call: async () => ({ ...(await calls.of(LIST)), query: { limit: MOST_LISTED } }),
    limit: MOST_LISTED,
    holds: (state) => split(state.resources, KIND),
    shows: LISTS_AGREE,
    hides: GONE,
  }),
];

export const webhookSequences = sequenceTrial<State>(
  {
    name: "webhooks",
    title: "subscriptions deliver only while they and their events are active",
    section: "Webhook subscriptions",
    operations: [CREATE, READ, LIST, UPDATE, DELETE, DELETE_EVENT, STATUS, EVENT_STATUS],
    requirements: [
      READABLE,
      GONE,
      LISTS_AGREE,
      FOLLOWS,
      DELIVERS,
      PROMISES.given,
      PROMISES.unnamed,
      PROMISES.untouched,
      id("webhooks.event-status-change"),
      id("webhooks.subscription-status-change"),
    ],
  },
  (t, walk) =>
    t.listening(async (listener) => {
      const model = modelOf(t, listener, await firing(t, listener));
      await walk({ model, steps: 26, sequences: 4 });
    }),
);
