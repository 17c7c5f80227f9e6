/** Webhook subscriptions: what they deliver, to which address, and under which conditions. */

import { judgeThat, taken, valuesIn } from "../../../fixtures/financial-data/asking.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { type Listener, listening } from "../../../fixtures/financial-data/listening.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import {
  CREATE,
  callOn,
  eventNames,
  happenTo,
  newCustomer,
  type Subscriber,
  type Subscription,
  subscribing,
} from "../../../fixtures/financial-data/webhook-calls.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Delivery } from "../../../helpers/flows/delivery.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Webhook subscriptions";
const TEST = "testWebhookSubscription";
const TEST_EVENT = "testWebhookSubscriptionBasedOnEventId";

/** How often what went to one address is given another moment to go to the others. */
const MOST_ROUNDS = 12;

export const webhookDeliveryScenarios: readonly Trial[] = [
  scenario(
    {
      id: "webhooks/chosen-events",
      title: "a subscription is told of the events chosen in it, and of no others",
      section: SECTION,
      operations: [CREATE],
      requirements: [
        "webhooks.delivers-chosen-events",
        "webhooks.only-chosen-events",
        "notifications.channels",
      ],
    },
    (context) =>
      subscribingWithListener(context, async (listener, subscribe) => {
        const customer = await newCustomer(context);
        const names = await eventNames(context);
        const chosen: { readonly name: string; readonly address: string }[] = [];
        for (const name of names) {
          const address = listener.address();
          await subscribe(address, [{ name }]);
          chosen.push({ name, address });
        }
        const address = listener.address();
        const { exchange } = await subscribe(
          address,
          names.map((name) => ({ name })),
        );
        await happenTo(context, customer);
        const heard = (await listener.wait(address, 1)).length;
        const told = () => chosen.map((one) => ({ ...one, arrived: listener.deliveriesAt(one.address) }));
        let rounds = 0;
        do await listener.rest(address);
        while (heard > 0 && told().every(({ arrived }) => arrived.length === 0) && ++rounds < MOST_ROUNDS);
        judgeChosen(context, told(), { exchange, heard });
      }),
  ),

  scenario(
    {
      id: "webhooks/conditions",
      title: "an event with a condition is delivered when it is met, and only then",
      section: SECTION,
      operations: [CREATE],
      requirements: ["webhooks.conditions-filter"],
    },
    (context) =>
      subscribingWithListener(context, async (listener, subscribe) => {
        const names = await eventNames(context);
        const meant = await newCustomer(context);
        const other = await newCustomer(context);
        const condition = { subscribeFor: "customerId", includes: [meant] };
        const [always, sometimes] = [listener.address(), listener.address()];
        await subscribe(
          always,
          names.map((name) => ({ name })),
        );
        const { exchange } = await subscribe(
          sometimes,
          names.map((name) => ({ name, condition })),
        );
        await happenTo(context, other);
        const others = (await listener.wait(always, 1)).length;
        const unmet = (await listener.rest(sometimes)).length;
        await happenTo(context, meant);
        await listener.wait(always, others + 1);
        const met = (await listener.wait(sometimes, unmet + 1)).length - unmet;
        const caused = listener.deliveriesAt(always).length - others;
        if (others === 0 || caused === 0) {
          const reason = "nothing that this run can bring about is an event of the target";
          context.judge.notTried(id("webhooks.conditions-filter"), reason);
          return;
        }
        const certain = context.capabilities.has("new-implementation");
        conclude(
          context,
          "webhooks.conditions-filter",
          {
            holds: unmet === 0 && met > 0,
            certain,
            finding: {
              message:
                unmet > 0
                  ? "an event was delivered although its condition was not met"
                  : "an event was not delivered although its condition was met",
              expected: "deliveries about the customer of the condition alone",
              actual: `${met} about it, ${unmet} about another one`,
            },
          },
          [exchange],
        );
      }),
  ),

  scenario(
    {
      id: "webhooks/own-url",
      title: "an event with a URL of its own is delivered there and not to the subscription's",
      section: SECTION,
      operations: [CREATE, TEST_EVENT],
      requirements: ["webhooks.url-override-per-event"],
    },
    (context) =>
      subscribingWithListener(context, async (listener, subscribe) => {
        const requirement = "webhooks.url-override-per-event";
        const [name = ""] = await eventNames(context);
        const [common, own] = [listener.address(), listener.address()];
        const subscription = await subscribe(common, [{ name, url: own }]);
        const exchange = await tested(context, TEST_EVENT, subscription);
        const right = (await listener.wait(own, 1)).length;
        const wrong = (await listener.rest(common)).length;
        if (right + wrong === 0) {
          context.judge.notTried(id(requirement), "the test delivery came to neither address");
          return;
        }
        judgeThat(context, requirement, right > 0 && wrong === 0, [exchange], {
          message: "an event with a URL of its own was delivered to that of the subscription",
          expected: "a delivery to the URL of the event alone",
          actual: `${right} there, ${wrong} to the subscription's`,
        });
      }),
  ),

  scenario(
    {
      id: "webhooks/test-deliveries",
      title: "test deliveries of a subscription, and of one of its events, arrive",
      section: SECTION,
      operations: [TEST, TEST_EVENT],
      requirements: [
        "testWebhookSubscription.triggers-delivery",
        "testWebhookSubscriptionBasedOnEventId.triggers-delivery",
      ],
    },
    (context) =>
      subscribingWithListener(context, async (listener, subscribe) => {
        const [name = ""] = await eventNames(context);
        for (const operationId of [TEST_EVENT, TEST]) {
          const address = listener.address();
          const exchange = await tested(context, operationId, await subscribe(address, [{ name }]));
          const arrived = await listener.wait(address, 1);
          if (arrived.length === 0) listener.assertReached();
          judgeThat(context, `${operationId}.triggers-delivery`, arrived.length > 0, [exchange], {
            message: `${operationId} brought no delivery`,
            expected: "a delivery to the URL of the subscription",
            actual: "none",
          });
        }
      }),
  ),
];

const subscribingWithListener = (
  context: TrialContext,
  use: (listener: Listener, subscribe: Subscriber) => Promise<void>,
): Promise<void> =>
  listening(context, (listener) => subscribing(context, (subscribe) => use(listener, subscribe)));

/** A test delivery of a subscription, or of its first event. */
const tested = async (
  context: TrialContext,
  operationId: string,
  subscription: Subscription,
): Promise<Exchange> => taken(context, await callOn(context, operationId, subscription));

interface Told {
  /** The event chosen in a subscription that has no other. */
  readonly name: string;
  readonly arrived: readonly Delivery[];
}

const judgeChosen = (
  context: TrialContext,
  told: readonly Told[],
  { exchange, heard }: { readonly exchange: Exchange; readonly heard: number },
): void => {
  const hearing = told.filter(({ arrived }) => arrived.length > 0).length;
  const certain = context.capabilities.has("new-implementation") || heard > 0;
  const nothing = { expected: "a delivery to whoever chose the event", actual: "none" };
  conclude(
    context,
    "webhooks.delivers-chosen-events",
    { holds: hearing > 0, certain, finding: { message: "a chosen event was not delivered", ...nothing } },
    [exchange],
  );
  conclude(
    context,
    "notifications.channels",
    {
      holds: hearing + heard > 0,
      certain,
      finding: { message: "webhooks told nothing of what happened", ...nothing },
    },
    [exchange],
  );
  const requirement = "webhooks.only-chosen-events";
  const names = told.map(({ name }) => name);
  const wrong = told.find(({ name, arrived }) =>
    arrived.some((delivery) => speaksOfOthers(delivery, name, names)),
  );
  if (wrong === undefined && (hearing === 0 || hearing === told.length)) {
    const reason = "nothing that this run can bring about is one event of the target and not another";
    context.judge.notTried(id(requirement), reason);
    return;
  }
  judgeThat(context, requirement, wrong === undefined, [exchange], {
    message: `a subscription to ${wrong?.name} was told of another event`,
    expected: `deliveries about ${wrong?.name} alone`,
    actual: "one that names another event of the target",
  });
};

/** Content is not documented: only a delivery that names another event, and not its own, surely is about another. */
const speaksOfOthers = ({ json }: Delivery, own: string, names: readonly string[]): boolean => {
  const values = valuesIn(json);
  return !values.includes(own) && names.some((name) => values.includes(name));
};
