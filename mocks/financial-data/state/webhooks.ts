/** Webhook subscriptions of partners, and the notifications of their events. */
import type { Fields } from "../../engine/values/fields.ts";
import type { Behaviour, Call } from "../calls.ts";
import { sendAside } from "./sending.ts";
import { type State, stored } from "./state.ts";
import { type Occurrence, occurrencesOf } from "./webhook-events.ts";

export interface Condition {
  readonly subscribeFor: string;
  readonly includes?: readonly string[];
  readonly excludes?: readonly string[];
}

export interface WebhookEvent {
  readonly id: string;
  name: string;
  /** Overrides the address of the subscription. */
  url: string | undefined;
  condition: Condition | undefined;
  status: "active" | "inactive";
}

export interface WebhookSubscription {
  readonly id: string;
  readonly partnerId: string;
  url: string | undefined;
  events: WebhookEvent[];
  /** The status of the subscription itself, in a sandbox in which it does not follow from its events. */
  own: WebhookEvent["status"] | undefined;
  /** Milliseconds since 1970. */
  readonly created: number;
  updated: number;
  /** Whether a fault in force has this behaviour. Notifications are sent later, outside of any call. */
  faulty(behaviour: Behaviour): boolean;
}

export const webhooks = stored("webhooks", () => ({
  /** By id, in order of creation. */
  subscriptions: new Map<string, WebhookSubscription>(),
  /** Partners without webhook access. */
  without: new Set<string>(),
}));

/** Returns the status that was set, or else `active` when at least one event is active. */
export const statusOf = ({ own, events }: WebhookSubscription): WebhookEvent["status"] =>
  own ?? (events.some(({ status }) => status === "active") ? "active" : "inactive");

/** Returns the delivery address of an event, if there is one. */
export const addressOf = ({ url, faulty }: WebhookSubscription, event: WebhookEvent): string | undefined =>
  faulty("webhooks-event-url-ignored") ? (url ?? event.url) : (event.url ?? url);

/** Subscribes to events and sends notifications. */
export const openWebhooks = (state: State): void => {
  occurrencesOf(state, (occurrence) => {
    for (const subscription of webhooks(state).subscriptions.values()) {
      if (subscription.partnerId === occurrence.partnerId) notify(state, subscription, occurrence);
    }
  });
};

const notify = (state: State, subscription: WebhookSubscription, occurrence: Occurrence): void => {
  const { faulty, events } = subscription;
  if (faulty("webhooks-nothing-sent")) return;
  for (const event of events) {
    if (event.status === "inactive" || subscription.own === "inactive") continue;
    if (event.name !== occurrence.name) continue;
    if (isMet(event.condition, occurrence, faulty)) deliver(state, subscription, event, occurrence.payload);
  }
  const [first] = events;
  const unchosen = events.every(({ name }) => name !== occurrence.name);
  if (first?.status === "active" && unchosen && faulty("webhooks-all-events-sent")) {
    deliver(state, subscription, { ...first, name: occurrence.name }, occurrence.payload);
  }
};

/** Sends a test event to all active subscriptions, regardless of their conditions. @returns the number of notifications */
export const sendToSubscribers = (state: State, name: string): number => {
  const active = [...webhooks(state).subscriptions.values()].filter(({ own }) => own !== "inactive");
  const reached = active.flatMap((subscription) =>
    subscription.events
      .filter((event) => event.name === name && event.status === "active")
      .filter((event) => addressOf(subscription, event) !== undefined)
      .map((event) => ({ subscription, event })),
  );
  for (const { subscription, event } of reached) deliver(state, subscription, event, { test: true });
  return reached.length;
};

const isMet = (condition: Condition | undefined, { values }: Occurrence, faulty: Call["faulty"]): boolean => {
  if (condition === undefined) return !faulty("webhooks-chosen-events-silent");
  if (faulty("webhooks-conditions-ignored")) return true;
  const { subscribeFor } = condition;
  // A server that does not check types may hold a single value.
  const [includes, excludes] = [condition.includes, condition.excludes].map((values = []) => [values].flat());
  const met = (values[subscribeFor] ?? []).some(
    (value) => (!includes?.length || includes.includes(value)) && !excludes?.includes(value),
  );
  return met && !faulty("webhooks-conditions-never-met");
};

/** Sends the event. Without an address it sends nothing. */
export const deliver = (
  state: State,
  subscription: WebhookSubscription,
  event: WebhookEvent,
  payload: Fields,
): void => {
  const url = addressOf(subscription, event);
  if (url === undefined) return;
  const body = state.differs("other-payloads")
    ? { notification: { event: event.name, data: payload } }
    : {
        eventId: state.newUuid("webhook-notification"),
        eventName: event.name,
        subscriptionId: subscription.id,
        webhookEventId: event.id,
        createdDate: state.clock.now().toISOString(),
        payload,
      };
  sendAside(state, { kind: "webhook", url, body });
};
