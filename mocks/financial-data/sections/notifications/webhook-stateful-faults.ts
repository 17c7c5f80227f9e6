/** Stateful faults of webhook subscriptions that are paused, changed or deleted. */
import { newest } from "../../../engine/deviations/handlers.ts";
import type { Behaviour, Call } from "../../calls.ts";
import { bodyOf, partnerOf, pathValue, textIn } from "../../found.ts";
import { perState, type State } from "../../state/state.ts";
import { occurrencesOf } from "../../state/webhook-events.ts";
import { deliver, type WebhookEvent, type WebhookSubscription, webhooks } from "../../state/webhooks.ts";
import {
  afterwards,
  listing,
  on,
  type StatefulFault,
  type StatefulFaultTable,
} from "../../stateful-faults.ts";

const named = (state: State, call: Call): WebhookSubscription | undefined =>
  webhooks(state).subscriptions.get(pathValue(call, "subscriptionId"));

const eventNamed = (state: State, call: Call): WebhookEvent | undefined =>
  named(state, call)?.events.find(({ id }) => id === pathValue(call, "webhookEventId"));

const others = (state: State, call: Call): WebhookSubscription[] =>
  [...webhooks(state).subscriptions.values()].filter(
    ({ id, partnerId }) =>
      partnerId === partnerOf(state, call).id && id !== pathValue(call, "subscriptionId"),
  );

/** Delivers the event in its present form from now on, while the condition holds. */
const haunt = (
  state: State,
  subscription: WebhookSubscription,
  event: WebhookEvent,
  isSo: () => boolean,
): void => {
  const [before, then] = [{ ...subscription }, { ...event }];
  occurrencesOf(state, ({ name, partnerId, payload }) => {
    if (name === then.name && partnerId === before.partnerId && isSo()) deliver(state, before, then, payload);
  });
};

const hauntedWhileActive: StatefulFault = (state, call, handle) => {
  const subscription = named(state, call);
  for (const event of subscription?.events ?? []) {
    if (subscription !== undefined) haunt(state, subscription, event, () => event.status === "active");
  }
  return handle();
};

/** Stops all deliveries of the subscription, but shows it unchanged. */
const silence = (state: State, subscription: WebhookSubscription): void => {
  const faulty = (asked: Behaviour) => asked === "webhooks-nothing-sent" || subscription.faulty(asked);
  webhooks(state).subscriptions.set(subscription.id, { ...subscription, faulty });
};

const EVENT_STATUS = "changeWebhookSubscriptionEventStatus";
const isResumed = (call: Call): boolean => textIn(bodyOf(call), "status") === "active";

/** Sends tests to the URL that the subscription had before its first change. */
const testsFormerUrl = {
  updateWebhookSubscription(state, call, handle) {
    const subscription = named(state, call);
    const known = formerUrls(state);
    if (subscription !== undefined && !known.has(subscription.id))
      known.set(subscription.id, subscription.url);
    return handle();
  },
  ...on(["testWebhookSubscription", "testWebhookSubscriptionBasedOnEventId"], async (state, call, handle) => {
    const subscription = named(state, call);
    const former = subscription && formerUrls(state).get(subscription.id);
    if (subscription === undefined || former === undefined) return handle();
    const present = subscription.url;
    subscription.url = former;
    try {
      return await handle();
    } finally {
      subscription.url = present;
    }
  }),
} satisfies Readonly<Record<string, StatefulFault>>;

const formerUrls = perState(() => new Map<string, string | undefined>());

export const WEBHOOK_STATEFUL_FAULTS: StatefulFaultTable = {
  "testWebhookSubscription.triggers-delivery": { "tests-former-url": testsFormerUrl },
  "testWebhookSubscriptionBasedOnEventId.triggers-delivery": { "event-tests-former-url": testsFormerUrl },
  "sequences.events-follow-status": {
    "deleted-subscription-still-delivers": { deleteWebhookSubscription: hauntedWhileActive },
    "paused-event-still-fires": {
      [EVENT_STATUS]: afterwards((state, call) => {
        const [subscription, event] = [named(state, call), eventNamed(state, call)];
        if (subscription === undefined || event === undefined || isResumed(call)) return;
        haunt(state, subscription, event, () => event.status === "inactive");
      }),
    },
    "deleted-event-still-fires": {
      deleteWebhookSubscriptionEvent(state, call, handle) {
        const [subscription, event] = [named(state, call), eventNamed(state, call)];
        if (subscription !== undefined && event?.status === "active")
          haunt(state, subscription, event, () => webhooks(state).subscriptions.has(subscription.id));
        return handle();
      },
    },
    "old-address-still-served": { updateWebhookSubscription: hauntedWhileActive },
  },
  "webhooks.delivers-chosen-events": {
    "silent-after-next-subscription": {
      createWebhookSubscription: afterwards((state, call) => {
        const before = newest(others(state, call).slice(0, -1));
        if (before !== undefined) silence(state, before);
      }),
    },
    "silent-once-resumed": {
      async [EVENT_STATUS](state, call, handle) {
        const before = eventNamed(state, call)?.status;
        const answer = await handle();
        const subscription = named(state, call);
        if (subscription !== undefined && before === "inactive" && isResumed(call))
          silence(state, subscription);
        return answer;
      },
    },
    "silent-after-move": {
      updateWebhookSubscription: afterwards((state, call) => {
        const subscription = named(state, call);
        if (subscription !== undefined) silence(state, subscription);
      }),
    },
  },
  "sequences.update-only-named": {
    "move-resumes-events": {
      updateWebhookSubscription: afterwards((state, call) => {
        for (const event of named(state, call)?.events ?? []) event.status = "active";
      }),
    },
    "deleting-second-event-takes-first": {
      deleteWebhookSubscriptionEvent(state, call, handle) {
        const [first] = named(state, call)?.events ?? [];
        const path = { ...call.path, ...eventPath(call, first?.id ?? "") };
        return handle({ path });
      },
    },
  },
  "sequences.untouched-stays": {
    "status-reaches-other-subscriptions": {
      [EVENT_STATUS]: afterwards((state, call) => {
        const event = eventNamed(state, call);
        const namesakes = others(state, call).flatMap(({ events }) =>
          events.filter(({ name }) => name === event?.name),
        );
        for (const namesake of namesakes) namesake.status = event?.status ?? "active";
      }),
    },
    "event-moves-all-others": {
      updateWebhookSubscriptionEvent: afterwards((state, call) => {
        const moved = eventNamed(state, call);
        for (const { events } of webhooks(state).subscriptions.values())
          for (const event of events) event.url = moved?.url ?? event.url;
      }),
    },
    "move-takes-others-along": {
      updateWebhookSubscription: afterwards((state, call) => {
        const oldest = others(state, call)[0];
        if (oldest !== undefined) oldest.url = named(state, call)?.url;
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
