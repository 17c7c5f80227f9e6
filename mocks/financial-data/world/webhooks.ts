/** Webhook subscriptions of partners, and the notifications of the events that were chosen in them. */

import type { Fields } from "../../engine/values/fields.ts";
import type { Behaviour, Bent } from "../faults.ts";
import { sendAside } from "./sending.ts";
import { type Occurrence, occurrencesOf } from "./webhook-events.ts";
import { perWorld, type World } from "./world.ts";

export type Status = "active" | "inactive";

export interface Condition {
  readonly subscribeFor: string;
  readonly includes?: readonly string[];
  readonly excludes?: readonly string[];
}

export interface WebhookEvent {
  readonly id: string;
  name: string;
  /** In place of the address of the subscription. */
  url: string | undefined;
  condition: Condition | undefined;
  status: Status;
}

export interface WebhookSubscription {
  readonly id: string;
  readonly partnerId: string;
  url: string | undefined;
  events: WebhookEvent[];
  /** Milliseconds since 1970. */
  readonly created: number;
  updated: number;
  /** Whether a fault asks for a behaviour; what is sent later has no call of its own to ask. */
  bent(behaviour: Behaviour): boolean;
}

export const webhooks = perWorld(() => ({
  /** By id, in the order in which they were made. */
  subscriptions: new Map<string, WebhookSubscription>(),
  /** Partners for whom webhooks are not set up. */
  without: new Set<string>(),
}));

/** A subscription is as active as its events are. */
export const statusOf = ({ events }: WebhookSubscription): Status =>
  events.some(({ status }) => status === "active") ? "active" : "inactive";

/** Where an event is delivered to, if anywhere. */
export const addressOf = ({ url, bent }: WebhookSubscription, event: WebhookEvent): string | undefined =>
  bent("webhooks-event-url-ignored") ? (url ?? event.url) : (event.url ?? url);

/** Sends what happens from now on. */
export const openWebhooks = (world: World): void => {
  occurrencesOf(world, (occurrence) => {
    for (const subscription of webhooks(world).subscriptions.values()) {
      if (subscription.partnerId === occurrence.partnerId) notify(world, subscription, occurrence);
    }
  });
};

const notify = (world: World, subscription: WebhookSubscription, occurrence: Occurrence): void => {
  const { bent, events } = subscription;
  if (bent("webhooks-nothing-sent")) return;
  for (const event of events) {
    if (event.status === "inactive") continue;
    if (event.name !== occurrence.name) continue;
    if (isMet(event.condition, occurrence, bent)) deliver(world, subscription, event, occurrence.payload);
  }
  const [first] = events;
  const unchosen = events.every(({ name }) => name !== occurrence.name);
  if (first?.status === "active" && unchosen && bent("webhooks-all-events-sent")) {
    deliver(world, subscription, { ...first, name: occurrence.name }, occurrence.payload);
  }
};

const isMet = (condition: Condition | undefined, { values }: Occurrence, bent: Bent): boolean => {
  if (condition === undefined) return !bent("webhooks-chosen-events-silent");
  if (bent("webhooks-conditions-ignored")) return true;
  const { subscribeFor, includes = [], excludes = [] } = condition;
  const met = (values[subscribeFor] ?? []).some(
    (value) => (includes.length === 0 || includes.includes(value)) && !excludes.includes(value),
  );
  return met && !bent("webhooks-conditions-never-met");
};

/** To nowhere where there is no address. */
export const deliver = (
  world: World,
  subscription: WebhookSubscription,
  event: WebhookEvent,
  payload: Fields,
): void => {
  const url = addressOf(subscription, event);
  if (url === undefined) return;
  const body = {
    eventId: world.newUuid("webhook-notification"),
    eventName: event.name,
    subscriptionId: subscription.id,
    webhookEventId: event.id,
    createdDate: world.clock.now().toISOString(),
    payload,
  };
  sendAside(world, { kind: "webhook", url, body });
};
