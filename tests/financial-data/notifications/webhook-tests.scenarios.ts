/** Test deliveries of webhook subscriptions. */
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import {
  CREATE,
  namesOtherEvent,
  ONLY,
  type Subscriber,
  type Subscription,
} from "../../../fixtures/financial-data/webhook-calls.ts";
import type { Delivery } from "../../../helpers/flows/delivery.ts";
import { contentOf, type Exchange, isAccepted, valuesIn } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Webhook subscriptions");
const OVERRIDE = "webhooks.url-override-per-event";
const UPDATE = "updateWebhookSubscription";
const TEST = "testWebhookSubscription";
const TEST_EVENT = "testWebhookSubscriptionBasedOnEventId";

export const webhookTestScenarios = [
  scenario("webhooks/own-url", {
    title: "an event with its own URL is delivered there and not to the subscription's URL",
    operations: [CREATE, TEST_EVENT],
    requirements: [OVERRIDE],
    run: (t) =>
      t.subscribingWithListener(async (listener, subscribe) => {
        const [name = ""] = await t.eventNames();
        const [common, own] = [listener.address(), listener.address()];
        const subscription = await subscribe(common, [{ name, url: own }]);
        const exchange = await tested(t, TEST_EVENT, subscription);
        const right = (await listener.wait(own, 1)).length;
        const wrong = (await listener.rest(common)).length;
        if (right + wrong === 0)
          return t.leaveUntried(OVERRIDE, "no-delivery", "the test delivery came to neither address");
        t.judgeThat(OVERRIDE, right > 0 && wrong === 0, [exchange], {
          message: "an event with its own URL was delivered to the subscription's URL",
          expected: "a delivery to the URL of the event only",
          actual: `${right} there, ${wrong} to the subscription's`,
        });
      }),
  }),

  scenario("webhooks/test-deliveries", {
    title: "test deliveries of a subscription and of one of its events arrive, and no others",
    operations: [TEST, TEST_EVENT],
    requirements: [`${TEST}.triggers-delivery`, `${TEST_EVENT}.triggers-delivery`, ONLY],
    run: (t) =>
      t.subscribingWithListener(async (listener, subscribe) => {
        const [name = ""] = await t.eventNames();
        const delays: number[] = [];
        for (const operationId of [TEST_EVENT, TEST])
          await t.attempt(`${operationId}.triggers-delivery`, async () => {
            const address = listener.address();
            const subscription = await subscribe(address, [{ name }]);
            const exchange = await tested(t, operationId, subscription);
            const arrived = await listener.wait(address, 1);
            if (arrived.length === 0) listener.assertReached();
            t.judgeThat(`${operationId}.triggers-delivery`, arrived.length > 0, [exchange], {
              message: `${operationId} caused no delivery`,
              expected: "a delivery to the URL of the subscription",
              actual: "none",
            });
            const [first] = arrived;
            if (first === undefined) return;
            delays.push(first.receivedAt.getTime() - exchange.startedAt.getTime());
            await judgeMoved(t, listener, operationId, { subscription, name, address });
          });
        observeDelay(t, delays);
        await t.attempt(ONLY, () => judgeApart(t, listener, subscribe));
      }),
  }),
];

/** Judges that a test delivery comes to the new URL of a subscription, and not to the URL before its change. */
const judgeMoved = async (
  t: T,
  listener: Listener,
  operationId: string,
  { subscription, name, address }: { subscription: Subscription; name: string; address: string },
): Promise<void> => {
  const url = listener.address();
  const update = await t.answerTo(await t.callOn(UPDATE, subscription, { url, events: [{ name }] }));
  if (!isAccepted(update)) return;
  const showsUrl = (exchange: Exchange): boolean => valuesIn(contentOf(exchange)).includes(url);
  const shown = await t.readUntil(() => t.readSubscription(subscription), showsUrl);
  // Which fields a change takes is not documented.
  if (!showsUrl(shown)) return;
  const eventIds = t.eventsIn(shown).map(({ id }) => id);
  const before = listener.deliveriesAt(address);
  const exchange = await tested(t, operationId, { ...subscription, eventIds });
  const right = (await listener.wait(url, 1)).length;
  const wrong = (await listener.rest(address, before)).length;
  t.judgeThat(`${operationId}.triggers-delivery`, right > 0 && wrong === 0, [exchange, shown], {
    message: "a test delivery did not come to the new URL of the subscription only",
    expected: "a delivery to the URL that the subscription shows",
    actual: `${right} there, ${wrong} to its former URL`,
  });
};

/**
 * Judges that a test of one event of two delivers that event only, and nothing to another subscription. The condition of the
 * other event keeps real events away.
 */
const judgeApart = async (t: T, listener: Listener, subscribe: Subscriber): Promise<void> => {
  const [name = "", other = ""] = await t.eventNames(2);
  const customer = await t.arrange.exclusive().need("customer");
  const condition = { subscribeFor: "customerId", includes: [customer] };
  const [own, beside] = [listener.address(), listener.address()];
  const subscription = await subscribe(own, [{ name }, { name: other, condition }]);
  const sibling = await subscribe(beside, [{ name: other, condition }]);
  const shown = await t.readSubscription(sibling);
  const event = t
    .eventsIn(await t.readSubscription(subscription))
    .find(({ fields }) => valuesIn(fields).includes(name));
  if (event === undefined || !valuesIn(contentOf(shown)).includes(customer)) return;
  const exchange = await tested(t, TEST_EVENT, { ...subscription, eventIds: [event.id] });
  await listener.wait(own, 1);
  const names = [name, other];
  const isOther = (delivery: Delivery): boolean => namesOtherEvent(delivery, name, names);
  const arrived = await listener.rest(own);
  if (arrived.length > 0)
    t.judgeThat(`${TEST_EVENT}.triggers-delivery`, !arrived.some(isOther), [exchange], {
      message: "a test of one event delivered another event of the subscription",
      expected: `a delivery of ${name}`,
      actual: other,
    });
  await tested(t, TEST, subscription);
  await listener.wait(own, arrived.length + 1);
  const strange = (await listener.rest(beside)).some((one) => namesOtherEvent(one, other, names));
  // Silence after a test shows less than after a real event, so it gives no pass.
  if (strange)
    t.judgeThat(ONLY, false, [exchange, shown], {
      message: `a subscription to ${other} received the test of another subscription`,
      expected: `deliveries about ${other} only`,
      actual: name,
    });
};

/** Milliseconds within which a delivery comes at once, and after which it certainly does not. */
const AT_ONCE_MS = { most: 60, certainly: 90 };

/** Observes how soon test deliveries come. The fastest one shows it on a busy machine, too. */
const observeDelay = (t: T, delays: readonly number[]): void => {
  const fastest = Math.min(...delays);
  if (delays.length === 0 || (fastest > AT_ONCE_MS.most && fastest < AT_ONCE_MS.certainly)) return;
  const observed = fastest <= AT_ONCE_MS.most ? "at once" : "later";
  t.judge.observe("delivery time and retries", TEST, `the fastest test delivery: ${observed}`);
};

/** Requests a test delivery of a subscription, or of its first event. */
const tested = async (t: T, operationId: string, subscription: Subscription): Promise<Exchange> =>
  t.acceptanceOf(await t.callOn(operationId, subscription));
