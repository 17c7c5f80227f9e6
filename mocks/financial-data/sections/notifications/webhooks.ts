/** Webhook subscriptions: what each partner wants to be told of, and where. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { existing, missing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, owned, pageOf, partnerOf, pathValue, textIn } from "../../found.ts";
import type { Section } from "../../section.ts";
import { AVAILABLE_EVENTS } from "../../world/webhook-events.ts";
import {
  addressOf,
  type Condition,
  deliver,
  openWebhooks,
  type Status,
  statusOf,
  type WebhookEvent,
  type WebhookSubscription,
  webhooks,
} from "../../world/webhooks.ts";
import type { World } from "../../world/world.ts";
import { WEBHOOK_TWISTS } from "./webhook-twists.ts";

/** Whatever their conditions: nothing has happened that could meet them. */
const sendTests = (
  world: World,
  call: Call,
  subscription: WebhookSubscription,
  events: readonly WebhookEvent[],
  silent: boolean,
): Answer => {
  if (events.length === 0) throw refused("inactive");
  const reached = events.filter((event) => addressOf(subscription, event) !== undefined);
  if (reached.length === 0) throw refused("no-address");
  const isSilent = silent || call.bent("webhooks-nothing-sent");
  for (const event of isSilent ? [] : reached) deliver(world, subscription, event, { test: true });
  return success(world, call);
};

/** @throws RefusedError for a partner for whom webhooks are not set up */
const subscriberOf = (world: World, call: Call): string => {
  const { id } = partnerOf(world, call);
  if (!webhooks(world).without.has(id)) return id;
  throw missing(call, "webhooks-unavailable");
};

const ownOf = (world: World, partnerId: string): WebhookSubscription[] =>
  [...webhooks(world).subscriptions.values()].filter((subscription) => subscription.partnerId === partnerId);

const subscriptionIn = (world: World, call: Call): WebhookSubscription => {
  subscriberOf(world, call);
  const subscription = webhooks(world).subscriptions.get(pathValue(call, "subscriptionId"));
  return owned(world, call, subscription, "unknown-subscription");
};

const eventIn = (call: Call, { events }: WebhookSubscription): WebhookEvent => {
  const event = events.find(({ id }) => id === pathValue(call, "webhookEventId"));
  return existing(event, "unknown-event");
};

/** Events of a name that the subscription had keep their ids and their status. */
const eventsIn = (world: World, call: Call, known: readonly WebhookEvent[]): WebhookEvent[] => {
  const { events } = bodyOf(call);
  const all = (Array.isArray(events) ? events : []) as Fields[];
  const wanted = (call.bent("webhooks-first-event-only") ? all.slice(0, 1) : all).map(wantedEvent);
  const left = [...known];
  return wanted.map((event) => {
    const at = left.findIndex(({ name }) => name === event.name);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    const { id, status } = same ?? { id: world.newUuid("webhook-event"), status: "active" as const };
    return { ...event, id, status };
  });
};

const wantedEvent = (body: Fields): Omit<WebhookEvent, "id" | "status"> => {
  const name = String(body.name);
  if (!AVAILABLE_EVENTS.some((event) => event.name === name)) {
    throw refused("unknown-event-name", { of: name });
  }
  return { name, url: addressIn(body), condition: body.condition as Condition | undefined };
};

const addressIn = (body: Fields): string | undefined => {
  const address = textIn(body, "url");
  if (address === undefined) return undefined;
  const scheme = URL.canParse(address) ? new URL(address).protocol : undefined;
  if (scheme === "http:" || scheme === "https:") return address;
  throw refused("notification-address");
};

const statusIn = (call: Call): Status =>
  textIn(bodyOf(call), "status")?.toLowerCase() === "active" ? "active" : "inactive";

const changed = (world: World, call: Call, subscription: WebhookSubscription): Answer => {
  subscription.updated = world.clock.now().getTime();
  return answerOf(world, call, subscription);
};

const answerOf = (world: World, call: Call, subscription: WebhookSubscription): Answer =>
  success(world, call, fieldsOf(subscription), { key: subscription.id, made: "required" });

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
    createWebhookSubscription(world, call) {
      const partnerId = subscriberOf(world, call);
      const { subscriptions } = webhooks(world);
      const others = ownOf(world, partnerId).filter((other) => statusOf(other) === "active");
      if (others.length > 0 && call.bent("webhooks-one-per-partner")) throw refused("second-subscription");
      const body = bodyOf(call);
      const now = world.clock.now().getTime();
      const subscription: WebhookSubscription = {
        id: world.newUuid("webhook-subscription"),
        partnerId,
        url: addressIn(body),
        events: eventsIn(world, call, []),
        created: now,
        updated: now,
        bent: call.bent,
      };
      subscriptions.set(subscription.id, subscription);
      return answerOf(world, call, subscription);
    },
    listWebhookSubscriptions(world, call) {
      const all = ownOf(world, subscriberOf(world, call));
      const { query, bent } = call;
      const offset = bent("webhooks-offset-ignored") ? 1 : Number(query.offset ?? 1);
      const limit = bent("webhooks-limit-ignored") ? Math.max(all.length, 1) : Number(query.limit ?? 10);
      const { items } = pageOf(all, offset, limit);
      const subscriptions = items.map(fieldsOf);
      const known = { count: items.length, offset, limit, total: all.length, subscriptions };
      const answer = success(world, call, known, { made: "required" });
      const told = answer.json as { readonly total?: unknown };
      if (all.length > 0 || told.total === 0) return answer;
      // A contract may know no total below one, so that an empty list has no answer of its own.
      throw refused("no-subscription");
    },
    getWebhookSubscriptionById: (world, call) => answerOf(world, call, subscriptionIn(world, call)),
    updateWebhookSubscription(world, call) {
      const subscription = subscriptionIn(world, call);
      const url = addressIn(bodyOf(call));
      subscription.events = eventsIn(world, call, subscription.events);
      subscription.url = url ?? subscription.url;
      return changed(world, call, subscription);
    },
    deleteWebhookSubscription(world, call) {
      webhooks(world).subscriptions.delete(subscriptionIn(world, call).id);
      return success(world, call);
    },
    updateWebhookSubscriptionEvent(world, call) {
      const subscription = subscriptionIn(world, call);
      const event = eventIn(call, subscription);
      Object.assign(event, wantedEvent(bodyOf(call)));
      subscription.updated = world.clock.now().getTime();
      const { name, url, condition } = event;
      return success(world, call, { name, url, condition }, { key: event.id });
    },
    deleteWebhookSubscriptionEvent(world, call) {
      const subscription = subscriptionIn(world, call);
      const event = eventIn(call, subscription);
      subscription.events = subscription.events.filter((other) => other !== event);
      subscription.updated = world.clock.now().getTime();
      return success(world, call);
    },
    changeWebhookSubscriptionEventStatus(world, call) {
      const subscription = subscriptionIn(world, call);
      const event = eventIn(call, subscription);
      const status = statusIn(call);
      if (!call.bent("webhooks-event-status-kept")) event.status = status;
      subscription.updated = world.clock.now().getTime();
      return success(world, call, { status });
    },
    changeWebhookSubscriptionStatus(world, call) {
      const subscription = subscriptionIn(world, call);
      const status = statusIn(call);
      const [first, ...rest] = subscription.events;
      for (const event of call.bent("webhooks-status-of-first-only") ? [] : rest) event.status = status;
      if (first !== undefined) first.status = status;
      subscription.updated = world.clock.now().getTime();
      return success(world, call, { status });
    },
    listAvailableWebhookSubscriptionEvents(world, call) {
      subscriberOf(world, call);
      const events = AVAILABLE_EVENTS.map(({ name, description, fields }) => ({
        name,
        description,
        status: "active",
        conditionalSubscription: { applicable: true, mandatory: false, fields: fields.join(",") },
      }));
      return success(world, call, { events });
    },
    testWebhookSubscription(world, call) {
      const subscription = subscriptionIn(world, call);
      const active = subscription.events.filter(({ status }) => status === "active");
      const silent = call.bent("webhooks-silent-testWebhookSubscription");
      return sendTests(world, call, subscription, active, silent);
    },
    testWebhookSubscriptionBasedOnEventId(world, call) {
      const subscription = subscriptionIn(world, call);
      const event = eventIn(call, subscription);
      const silent = call.bent("webhooks-silent-testWebhookSubscriptionBasedOnEventId");
      return sendTests(world, call, subscription, event.status === "active" ? [event] : [], silent);
    },
  },
  situations: {
    /** A partner for whom webhooks are not set up. */
    "webhooks-unavailable"(world) {
      const { id, secret } = world.partners.add(`Quiet Partner ${world.newId("partner")}`);
      webhooks(world).without.add(id);
      return { FINANCIAL_DATA_PARTNER_ID: id, FINANCIAL_DATA_PARTNER_SECRET: secret };
    },
  },
  twists: [WEBHOOK_TWISTS],
  open: openWebhooks,
};
