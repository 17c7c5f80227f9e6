/** How webhook subscriptions can go wrong while they are paused, changed and deleted. */

import { newest } from "../../../engine/faults/twists.ts";
import type { Behaviour, Call } from "../../faults.ts";
import { bodyOf, partnerOf, pathValue, textIn } from "../../found.ts";
import { afterwards, listing, type Twist, type TwistTable } from "../../twists.ts";
import { occurrencesOf } from "../../world/webhook-events.ts";
import { deliver, type WebhookEvent, type WebhookSubscription, webhooks } from "../../world/webhooks.ts";
import type { World } from "../../world/world.ts";

const named = (world: World, call: Call): WebhookSubscription | undefined =>
  webhooks(world).subscriptions.get(pathValue(call, "subscriptionId"));

const eventNamed = (world: World, call: Call): WebhookEvent | undefined =>
  named(world, call)?.events.find(({ id }) => id === pathValue(call, "webhookEventId"));

const others = (world: World, call: Call): WebhookSubscription[] =>
  [...webhooks(world).subscriptions.values()].filter(
    ({ id, partnerId }) =>
      partnerId === partnerOf(world, call).id && id !== pathValue(call, "subscriptionId"),
  );

/** From now on the event is delivered as it was at this moment, whenever that is so. */
const haunt = (
  world: World,
  subscription: WebhookSubscription,
  event: WebhookEvent,
  isSo: () => boolean,
): void => {
  const [before, then] = [{ ...subscription }, { ...event }];
  occurrencesOf(world, ({ name, partnerId, payload }) => {
    if (name === then.name && partnerId === before.partnerId && isSo()) deliver(world, before, then, payload);
  });
};

const hauntedWhileActive: Twist = (world, call, handle) => {
  const subscription = named(world, call);
  for (const event of subscription?.events ?? []) {
    if (subscription !== undefined) haunt(world, subscription, event, () => event.status === "active");
  }
  return handle();
};

/** The subscription is shown as before and delivers nothing any more. */
const silence = (world: World, subscription: WebhookSubscription): void => {
  const bent = (asked: Behaviour) => asked === "webhooks-nothing-sent" || subscription.bent(asked);
  webhooks(world).subscriptions.set(subscription.id, { ...subscription, bent });
};

const EVENT_STATUS = "changeWebhookSubscriptionEventStatus";
const isResumed = (call: Call): boolean => textIn(bodyOf(call), "status") === "active";

export const WEBHOOK_TWISTS: TwistTable = {
  "sequences.events-follow-status": {
    "deleted-subscription-still-delivers": { deleteWebhookSubscription: hauntedWhileActive },
    "paused-event-still-fires": {
      [EVENT_STATUS]: afterwards((world, call) => {
        const [subscription, event] = [named(world, call), eventNamed(world, call)];
        if (subscription === undefined || event === undefined || isResumed(call)) return;
        haunt(world, subscription, event, () => event.status === "inactive");
      }),
    },
    "deleted-event-still-fires": {
      deleteWebhookSubscriptionEvent(world, call, handle) {
        const [subscription, event] = [named(world, call), eventNamed(world, call)];
        if (subscription !== undefined && event?.status === "active")
          haunt(world, subscription, event, () => webhooks(world).subscriptions.has(subscription.id));
        return handle();
      },
    },
    "old-address-still-served": { updateWebhookSubscription: hauntedWhileActive },
  },
  "webhooks.delivers-chosen-events": {
    "silent-after-next-subscription": {
      createWebhookSubscription: afterwards((world, call) => {
        const before = newest(others(world, call).slice(0, -1));
        if (before !== undefined) silence(world, before);
      }),
    },
    "silent-once-resumed": {
      async [EVENT_STATUS](world, call, handle) {
        const before = eventNamed(world, call)?.status;
        const answer = await handle();
        const subscription = named(world, call);
        if (subscription !== undefined && before === "inactive" && isResumed(call))
          silence(world, subscription);
        return answer;
      },
    },
    "silent-after-move": {
      updateWebhookSubscription: afterwards((world, call) => {
        const subscription = named(world, call);
        if (subscription !== undefined) silence(world, subscription);
      }),
    },
  },
  "sequences.update-only-named": {
    "move-resumes-events": {
      updateWebhookSubscription: afterwards((world, call) => {
        for (const event of named(world, call)?.events ?? []) event.status = "active";
      }),
    },
    "deleting-second-event-takes-first": {
      deleteWebhookSubscriptionEvent(world, call, handle) {
        const [first] = named(world, call)?.events ?? [];
        const path = { ...call.path, ...eventPath(call, first?.id ?? "") };
        return handle({ path });
      },
    },
  },
  "sequences.untouched-stays": {
    "status-reaches-other-subscriptions": {
      [EVENT_STATUS]: afterwards((world, call) => {
        const event = eventNamed(world, call);
        const namesakes = others(world, call).flatMap(({ events }) =>
          events.filter(({ name }) => name === event?.name),
        );
        for (const namesake of namesakes) namesake.status = event?.status ?? "active";
      }),
    },
    "move-takes-others-along": {
      updateWebhookSubscription: afterwards((world, call) => {
        const oldest = others(world, call)[0];
        if (oldest !== undefined) oldest.url = named(world, call)?.url;
      }),
    },
  },
  "sequences.lists-agree": {
    "subscription-list-ends-at-two": {
      listWebhookSubscriptions: listing("subscriptions", (items) => items.slice(-2)),
    },
  },
};

const eventPath = ({ path }: Call, id: string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(path)
      .filter((name) => /event/i.test(name))
      .map((name) => [name, id]),
  );
