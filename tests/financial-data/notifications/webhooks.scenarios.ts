/** Webhook subscriptions: their fields, changes and status. Deliveries are in webhook-deliveries.scenarios.ts. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import {
  BODIES,
  CREATE,
  NOWHERE,
  READ,
  type readSubscription,
} from "../../../fixtures/financial-data/webhook-calls.ts";
import { contentOf, type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";
import {
  type Call,
  fieldOf,
  loose,
  unbound,
  valuesIn,
  withFields,
} from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Webhook subscriptions");
const UPDATE = "updateWebhookSubscription";
const UPDATE_EVENT = "updateWebhookSubscriptionEvent";
const EVENT_STATUS = "changeWebhookSubscriptionEventStatus";
const STATUS = "changeWebhookSubscriptionStatus";

const FIELDS = "webhooks.subscription-fields";
const SEVERAL = "webhooks.several-subscriptions";
const STATUS_CHANGE = "webhooks.subscription-status-change";
const STATUSES = "webhooks.subscription-status-enum";

export const webhookScenarios = [
  scenario("webhooks/fields", {
    title: "a subscription has a URL, events with ids, conditions and a status",
    operations: [CREATE, READ],
    requirements: [FIELDS, BODIES],
    run: (t) =>
      t.subscribing(async (subscribe) => {
        const [name = ""] = await t.eventNames();
        const customer = await t.arrange.exclusive().need("customer");
        const condition = { subscribeFor: "customerId", includes: [customer] };
        const subscription = await subscribe(NOWHERE, [{ name, condition }]);
        const partsOf = (exchange: Exchange): Readonly<Record<string, boolean>> => {
          const body = contentOf(exchange);
          const values = valuesIn(body);
          return {
            "its URL": values.includes(NOWHERE),
            "an event with its id": t.eventsIn(exchange).length > 0,
            "the condition of the event": values.includes(customer),
            "its status": fieldOf(body, "status") !== undefined,
          };
        };
        const exchange = await t.readUntil(
          () => t.readSubscription(subscription),
          (one) => !Object.values(partsOf(one)).includes(false),
        );
        const body = contentOf(exchange);
        const parts = partsOf(exchange);
        const missing = Object.entries(parts).flatMap(([part, shown]) => (shown ? [] : [part]));
        t.recordIfConfirmed(FIELDS, missing.length === 0, [exchange], {
          confirmed: t.isConfirmed(READ),
          message: `the subscription does not show ${missing.join(", nor ")}`,
          expected: Object.keys(parts).join(", "),
          actual: `only ${Object.keys(body ?? {}).join(", ")}`,
        });
      }),
  }),

  scenario("webhooks/several", {
    title: "a partner may have several subscriptions, and a subscription several events",
    operations: [CREATE, READ],
    requirements: [SEVERAL, "webhooks.several-events"],
    run: (t) =>
      t.subscribing(async (subscribe) => {
        const [first = "", second = ""] = await t.eventNames(2);
        const one = await subscribe(NOWHERE, [{ name: first }]);
        const two = await subscribe(NOWHERE, [{ name: first }, { name: second }], [SEVERAL]);
        const still = await t.readUntil(
          async () => t.answerTo(await t.callOn(READ, one)),
          (exchange) => statusOf(exchange) !== 404,
        );
        const showsBoth = (exchange: Exchange): boolean =>
          [first, second].every((name) => valuesIn(contentOf(exchange)).includes(name));
        const events = await t.readUntil(() => t.readSubscription(two), showsBoth);
        // The second one is accepted, so a 404 for the first one is about the subscription.
        t.judgeThat(SEVERAL, statusOf(still) !== 404, [still, events], {
          message: "a second subscription replaced the first",
          expected: "both exist",
          actual: `${statusOf(still)} for the first one`,
        });
        const values = valuesIn(contentOf(events));
        const both = showsBoth(events);
        t.recordIfConfirmed("webhooks.several-events", both, [events, two.exchange], {
          // A subscription that shows one event by its name would show the other one too.
          confirmed: t.isConfirmed(READ) || values.includes(first) || values.includes(second),
          message: "a subscription to two events does not have both",
          expected: `${first} and ${second}`,
          actual: `${t.eventsIn(events).length} events`,
        });
      }),
  }),

  scenario("webhooks/change", {
    title: "a subscription and each of its events can be changed",
    operations: [UPDATE, UPDATE_EVENT],
    requirements: [BODIES],
    run: (t) =>
      t.subscribing(async (subscribe) => {
        const [name = ""] = await t.eventNames();
        const subscription = await subscribe(NOWHERE, [{ name }]);
        const changed = { url: `${NOWHERE}/changed`, events: [{ name }] };
        await t.acceptanceOf(await t.callOn(UPDATE, subscription, changed), [BODIES]);
        // An update may give the events other ids.
        const [event] = t.eventsIn(await t.readSubscription(subscription));
        const known = { ...subscription, eventIds: [event?.id ?? subscription.eventIds[0] ?? ""] };
        const own = { name, url: `${NOWHERE}/own` };
        await t.acceptanceOf(await t.callOn(UPDATE_EVENT, known, own), [BODIES]);
      }),
  }),

  scenario("webhooks/event-status", {
    title: "an event shows the status that was set",
    operations: [EVENT_STATUS, READ],
    requirements: ["webhooks.event-status-change", BODIES],
    run: (t) =>
      t.subscribing(async (subscribe) => {
        const [name = ""] = await t.eventNames();
        const subscription = await subscribe(NOWHERE, [{ name }]);
        for (const status of ["inactive", "active"]) {
          const call = await t.callOn(EVENT_STATUS, subscription, { status });
          const changed = await t.acceptanceOf(call, [BODIES]);
          const shown = await readWithState(t, subscription, status);
          judgeStates(t, "webhooks.event-status-change", status, [shown, changed]);
          if (status === "inactive") await observeOwnState(t, subscription);
        }
      }),
  }),

  scenario("webhooks/status", {
    title: "all events of a subscription show the status that was set for the subscription",
    operations: [STATUS, READ],
    requirements: [STATUS_CHANGE, STATUSES, BODIES],
    run: (t) =>
      t.subscribing(async (subscribe) => {
        const [first = "", second = first] = await t.eventNames();
        const subscription = await subscribe(NOWHERE, [{ name: first }, { name: second }]);
        const call = await t.callOn(STATUS, subscription);
        const setting = (status: string): Call => withFields(call, { status });
        for (const status of ["inactive", "active"]) {
          const changed = await t.acceptanceOf(setting(status), [STATUSES, BODIES]);
          const shown = await readWithState(t, subscription, status);
          judgeStates(t, STATUS_CHANGE, status, [shown, changed]);
          judgeOwnState(t, status, [shown, changed]);
        }
        const refused = await t.answerTo(setting("paused"));
        const control = await t.answerTo(setting("active"));
        const what = "a status that is neither active nor inactive";
        t.judgeRefused(STATUSES, what, [refused, control], [400, 404, 409, 422]);
      }),
  }),
];

/** Reads a subscription until each of its events has the state. */
const readWithState = (
  t: T,
  subscription: Parameters<typeof readSubscription>[1],
  status: string,
): Promise<Exchange> =>
  t.readUntil(
    () => t.readSubscription(subscription),
    (exchange) => statesIn(t, exchange).every((state) => state === status),
  );

/** Observes whether a subscription has a status of its own while its only event is inactive. */
const observeOwnState = async (t: T, subscription: Parameters<typeof readSubscription>[1]): Promise<void> => {
  const own = fieldOf(contentOf(await t.readSubscription(subscription)), "status");
  const subject = "status change of a subscription and of single events";
  const shown = typeof own === "string" ? loose(own) : "no status";
  t.judge.observe(subject, READ, `a subscription whose only event is inactive: ${shown}`);
};

/** Returns the status of each event, in its normalized spelling; `undefined` for an event without a text as status. */
const statesIn = (t: T, shown: Exchange): (string | undefined)[] =>
  t.eventsIn(shown).map(({ fields }) => {
    const status = fieldOf(fields, "status");
    return typeof status === "string" ? loose(status) : undefined;
  });

/** Judges that all events report the state, in any spelling. */
const judgeStates = (
  t: T,
  requirement: string,
  status: string,
  [shown, changed]: readonly [Exchange, Exchange],
): void => {
  const states = statesIn(t, shown);
  if (states.length === 0 || states.includes(undefined)) {
    t.leaveUntried(requirement, unbound(READ, "status of the events").reason);
    return;
  }
  const isSet = states.every((state) => state === status);
  t.judgeThat(requirement, isSet, [shown, changed], {
    message: `the events do not report the status ${status} that was set`,
    expected: `${status} for each event`,
    actual: states.join(", "),
  });
};

/** Judges the subscription's own status, in a field whose name is not documented. */
const judgeOwnState = (t: T, status: string, exchanges: readonly Exchange[]): void => {
  const state = fieldOf(contentOf(exchanges[0]), "status");
  if (state === undefined || !t.isConfirmed(READ)) return;
  t.judgeThat(STATUS_CHANGE, loose(String(state)) === status, exchanges, {
    message: `the subscription does not report the status ${status} that was set`,
    expected: status,
    actual: String(state),
  });
};
