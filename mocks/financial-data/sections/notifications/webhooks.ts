/** Webhook subscriptions: the events that each partner wants, and their addresses. */
import type { Answer } from "../../../engine/call.ts";
import { type Fields, fieldsIn, listIn } from "../../../engine/values/fields.ts";
import { existing, missing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, owned, pageOf, partnerOf, pathValue, textIn } from "../../found.ts";
import { afterwards } from "../../late.ts";
import type { Section } from "../../section.ts";
import type { State } from "../../state/state.ts";
import { availableEvents } from "../../state/webhook-events.ts";
import {
  addressOf,
  type Condition,
  deliver,
  openWebhooks,
  statusOf,
  type WebhookEvent,
  type WebhookSubscription,
  webhooks,
} from "../../state/webhooks.ts";
import { WEBHOOK_STATEFUL_FAULTS } from "./webhook-stateful-faults.ts";

/** Sends test events regardless of conditions, since no real event can meet them. */
const sendTests = (
  state: State,
  call: Call,
  subscription: WebhookSubscription,
  events: readonly WebhookEvent[],
  silent: boolean,
): Answer => {
  if (events.length === 0 || subscription.own === "inactive") throw refused("inactive");
  const reached = events.filter((event) => addressOf(subscription, event) !== undefined);
  if (reached.length === 0) throw refused("no-address");
  const isSilent = silent || call.faulty("webhooks-nothing-sent");
  const receiving = call.faulty("webhooks-tests-reach-all")
    ? ownOf(state, subscription.partnerId)
    : [subscription];
  for (const each of receiving)
    for (const event of isSilent ? [] : reached) deliver(state, each, event, { test: true });
  return success(state, call);
};

/** @throws RefusedError for a partner without webhook access */
const subscriberOf = (state: State, call: Call): string => {
  const { id } = partnerOf(state, call);
  if (!webhooks(state).without.has(id)) return id;
  throw missing(call, "webhooks-unavailable");
};

const ownOf = (state: State, partnerId: string): WebhookSubscription[] =>
  [...webhooks(state).subscriptions.values()].filter((subscription) => subscription.partnerId === partnerId);

const subscriptionIn = (state: State, call: Call): WebhookSubscription => {
  subscriberOf(state, call);
  const subscription = webhooks(state).subscriptions.get(pathValue(call, "subscriptionId"));
  return owned(state, call, subscription, "unknown-subscription");
};

const eventIn = (call: Call, { events }: WebhookSubscription): WebhookEvent => {
  const event = events.find(({ id }) => id === pathValue(call, "webhookEventId"));
  return existing(event, "unknown-event");
};

/** Reads the events. An event whose name the subscription already has keeps its id and status. */
const eventsIn = (state: State, call: Call, known: readonly WebhookEvent[]): WebhookEvent[] => {
  const all = listIn(bodyOf(call).events).map(fieldsIn);
  const wanted = (call.faulty("webhooks-first-event-only") ? all.slice(0, 1) : all).map((body) =>
    wantedEvent(state, body),
  );
  const left = [...known];
  return wanted.map((event) => {
    const at = left.findIndex(({ name }) => name === event.name);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    const { id, status } = same ?? { id: state.newUuid("webhook-event"), status: "active" as const };
    return { ...event, id, status };
  });
};

const wantedEvent = (state: State, body: Fields): Omit<WebhookEvent, "id" | "status"> => {
  const name = String(body.name);
  if (!availableEvents(state.contract).some((event) => event.name === name)) {
    throw refused("unknown-event-name", { of: name });
  }
  return { name, url: addressIn(body), condition: body.condition as Condition | undefined };
};

const addressIn = (body: Fields): string | undefined => {
  const address = textIn(body, "url");
  // The format of the field refuses a text that is not a URL.
  if (address === undefined || !URL.canParse(address)) return address;
  if (["http:", "https:"].includes(new URL(address).protocol)) return address;
  throw refused("notification-address");
};

const statusIn = (call: Call): WebhookEvent["status"] =>
  textIn(bodyOf(call), "status")?.toLowerCase() === "active" ? "active" : "inactive";

const changed = (state: State, call: Call, subscription: WebhookSubscription): Answer => {
  subscription.updated = state.clock.now().getTime();
  return answerOf(state, call, subscription);
};

const answerOf = (state: State, call: Call, subscription: WebhookSubscription): Answer =>
  success(state, call, fieldsOf(subscription), { key: subscription.id, made: "required" });

const fieldsOf = (subscription: WebhookSubscription): Fields => ({
  subscriptionId: subscription.id,
  url: subscription.url,
  events: subscription.events.map(({ id, ...event }) => ({ webhookEventId: id, ...event })),
  status: statusOf(subscription),
  createdDate: new Date(subscription.created).toISOString(),
  lastUpdatedDate: new Date(subscription.updated).toISOString(),
});

export const webhookSubscriptions: Section = {
  handlers: {
    createWebhookSubscription(state, call) {
      const partnerId = subscriberOf(state, call);
      const { subscriptions } = webhooks(state);
      const others = ownOf(state, partnerId).filter((other) => statusOf(other) === "active");
      if (others.length > 0 && call.faulty("webhooks-one-per-partner")) throw refused("second-subscription");
      const body = bodyOf(call);
      const now = state.clock.now().getTime();
      const subscription: WebhookSubscription = {
        id: state.newUuid("webhook-subscription"),
        partnerId,
        url: addressIn(body),
        events: eventsIn(state, call, []),
        own: call.differs("subscription-status-apart") ? "active" : undefined,
        created: now,
        updated: now,
        faulty: call.faulty,
      };
      subscriptions.set(subscription.id, subscription);
      return answerOf(state, call, subscription);
    },
    listWebhookSubscriptions(state, call) {
      const all = ownOf(state, subscriberOf(state, call));
      const { query, faulty } = call;
      const offset = Number(query.offset ?? 1);
      const limit = faulty("webhooks-limit-ignored") ? Math.max(all.length, 1) : Number(query.limit ?? 10);
      const { items } = pageOf(all, offset, limit);
      const subscriptions = items.map(fieldsOf);
      const known = { count: items.length, offset, limit, total: all.length, subscriptions };
      const answer = success(state, call, known, { made: "required" });
      const body = answer.json as { readonly total?: unknown };
      if (all.length > 0 || body.total === 0) return answer;
      // The contract may demand a total of at least one, so an empty list cannot be answered.
      throw refused("no-subscription");
    },
    getWebhookSubscriptionById: (state, call) => answerOf(state, call, subscriptionIn(state, call)),
    updateWebhookSubscription(state, call) {
      const subscription = subscriptionIn(state, call);
      const url = addressIn(bodyOf(call));
      subscription.events = eventsIn(state, call, subscription.events);
      subscription.url = url ?? subscription.url;
      return changed(state, call, subscription);
    },
    deleteWebhookSubscription(state, call) {
      const { id } = subscriptionIn(state, call);
      afterwards(state, call.differs("late-deletions"), () => webhooks(state).subscriptions.delete(id));
      return success(state, call);
    },
    updateWebhookSubscriptionEvent(state, call) {
      const subscription = subscriptionIn(state, call);
      const event = eventIn(call, subscription);
      Object.assign(event, wantedEvent(state, bodyOf(call)));
      subscription.updated = state.clock.now().getTime();
      const { name, url, condition } = event;
      return success(state, call, { name, url, condition }, { key: event.id });
    },
    deleteWebhookSubscriptionEvent(state, call) {
      const subscription = subscriptionIn(state, call);
      const event = eventIn(call, subscription);
      subscription.events = subscription.events.filter((other) => other !== event);
      subscription.updated = state.clock.now().getTime();
      return success(state, call);
    },
    changeWebhookSubscriptionEventStatus(state, call) {
      const subscription = subscriptionIn(state, call);
      const event = eventIn(call, subscription);
      const status = statusIn(call);
      const isKept = call.faulty("webhooks-event-status-kept");
      afterwards(state, call.differs("late-changes"), () => {
        if (!isKept) event.status = status;
      });
      subscription.updated = state.clock.now().getTime();
      return success(state, call, { status });
    },
    changeWebhookSubscriptionStatus(state, call) {
      const subscription = subscriptionIn(state, call);
      const status = statusIn(call);
      const [first, ...rest] = subscription.events;
      for (const event of call.faulty("webhooks-status-of-first-only") ? [] : rest) event.status = status;
      if (first !== undefined) first.status = status;
      if (subscription.own !== undefined) subscription.own = status;
      subscription.updated = state.clock.now().getTime();
      return success(state, call, { status });
    },
    listAvailableWebhookSubscriptionEvents(state, call) {
      subscriberOf(state, call);
      const events = availableEvents(state.contract).map(({ name, description, fields }) => ({
        name,
        description,
        status: "active",
        conditionalSubscription: { applicable: true, mandatory: false, fields: fields.join(",") },
      }));
      return success(state, call, { events });
    },
    testWebhookSubscription(state, call) {
      const subscription = subscriptionIn(state, call);
      const active = subscription.events.filter(({ status }) => status === "active");
      const silent = call.faulty("webhooks-silent-testWebhookSubscription");
      return sendTests(state, call, subscription, active, silent);
    },
    testWebhookSubscriptionBasedOnEventId(state, call) {
      const subscription = subscriptionIn(state, call);
      const event = eventIn(call, subscription);
      const silent = call.faulty("webhooks-silent-testWebhookSubscriptionBasedOnEventId");
      const meant = call.faulty("webhooks-test-of-all-events") ? subscription.events : [event];
      return sendTests(state, call, subscription, event.status === "active" ? meant : [], silent);
    },
  },
  situations: {
    /** Arranges a partner without webhook access. */
    "webhooks-unavailable"(state) {
      const { id, secret } = state.partners.add(`Quiet Partner ${state.newId("partner")}`);
      webhooks(state).without.add(id);
      return { FINANCIAL_DATA_PARTNER_ID: id, FINANCIAL_DATA_PARTNER_SECRET: secret };
    },
  },
  statefulFaults: [WEBHOOK_STATEFUL_FAULTS],
  open: openWebhooks,
};
