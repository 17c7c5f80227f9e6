/** Webhook subscriptions: deliveries of their events, and conditions. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { CREATE, namesOtherEvent, ONLY } from "../../../fixtures/financial-data/webhook-calls.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Delivery } from "../../../helpers/flows/delivery.ts";

const scenario = scenariosIn("Webhook subscriptions");
const DELIVERS = "webhooks.delivers-chosen-events";
const CHANNELS = "notifications.channels";
const CONDITIONS = "webhooks.conditions-filter";

/** The maximum number of further waits for the other addresses after one address has received a delivery. */
const MOST_ROUNDS = 12;

export const webhookDeliveryScenarios = [
  scenario("webhooks/chosen-events", {
    title: "a subscription receives its chosen events only",
    operations: [CREATE],
    requirements: [DELIVERS, ONLY, CHANNELS],
    run: (t) =>
      t.subscribingWithListener(async (listener, subscribe) => {
        const customer = await t.arrange.exclusive().need("customer");
        const names = await t.eventNames();
        const chosen: { readonly name: string; readonly address: string }[] = [];
        for (const name of names) {
          const address = listener.address();
          await subscribe(address, [{ name }]);
          chosen.push({ name, address });
        }
        const address = listener.address();
        const events = names.map((name) => ({ name }));
        const { exchange } = await subscribe(address, events);
        await happenTo(t, customer);
        const heard = (await listener.wait(address, 1)).length;
        const received = () => chosen.map((one) => ({ ...one, arrived: listener.deliveriesAt(one.address) }));
        let rounds = 0;
        do await listener.rest(address);
        while (
          heard > 0 &&
          received().every(({ arrived }) => arrived.length === 0) &&
          ++rounds < MOST_ROUNDS
        );
        judgeChosen(t, received(), { exchange, heard });
      }),
  }),

  scenario("webhooks/conditions", {
    title: "an event with a condition is delivered only when the condition is met",
    operations: [CREATE],
    requirements: [CONDITIONS],
    run: (t) =>
      t.subscribingWithListener(async (listener, subscribe) => {
        const names = await t.eventNames();
        const meant = await t.arrange.exclusive().need("customer");
        const other = await t.arrange.exclusive().need("customer");
        const condition = { subscribeFor: "customerId", includes: [meant] };
        const [always, sometimes] = [listener.address(), listener.address()];
        const events = names.map((name) => ({ name }));
        await subscribe(always, events);
        const conditioned = events.map((event) => ({ ...event, condition }));
        const { exchange } = await subscribe(sometimes, conditioned);
        await happenTo(t, other);
        const others = (await listener.wait(always, 1)).length;
        const unmet = (await listener.rest(sometimes)).length;
        await happenTo(t, meant);
        await listener.wait(always, others + 1);
        const met = (await listener.wait(sometimes, unmet + 1)).length - unmet;
        const caused = listener.deliveriesAt(always).length - others;
        if (others === 0 || caused === 0) {
          const limit = "this run cannot cause any event of the target";
          return t.leaveUntried(CONDITIONS, "limit-of-suite", limit);
        }
        t.recordIfConfirmed(CONDITIONS, unmet === 0 && met > 0, [exchange], {
          message:
            unmet > 0
              ? "an event was delivered although its condition was not met"
              : "an event was not delivered although its condition was met",
          expected: "deliveries about the customer of the condition only",
          actual: `${met} about it, ${unmet} about another one`,
        });
      }),
  }),
];

const judgeChosen = (
  t: T,
  chosen: readonly { readonly name: string; readonly arrived: readonly Delivery[] }[],
  { exchange, heard }: { readonly exchange: Exchange; readonly heard: number },
): void => {
  const receiving = chosen.filter(({ arrived }) => arrived.length > 0).length;
  const nothing = {
    confirmed: t.isConfirmed() || heard > 0,
    message: "a chosen event was not delivered",
    expected: "a delivery to the subscription that chose the event",
    actual: "none",
  };
  t.recordIfConfirmed(DELIVERS, receiving > 0, [exchange], nothing);
  t.recordIfConfirmed(CHANNELS, receiving + heard > 0, [exchange], nothing);
  const names = chosen.map(({ name }) => name);
  const wrong = chosen.find(({ name, arrived }) =>
    arrived.some((delivery) => namesOtherEvent(delivery, name, names)),
  );
  if (wrong === undefined && (receiving === 0 || receiving === chosen.length)) {
    const limit = "this run cannot cause one event of the target without causing the others";
    t.leaveUntried(ONLY, "limit-of-suite", limit);
    return;
  }
  t.judgeThat(ONLY, wrong === undefined, [exchange], {
    message: `a subscription to ${wrong?.name} received another event`,
    expected: `deliveries about ${wrong?.name} only`,
    actual: "one that names another event of the target",
  });
};

/** Causes an event of the customer: links accounts or, if the target links none, deletes the customer. */
const happenTo = async (t: T, customer: string): Promise<void> => {
  const { linkAccounts } = t.capabilities;
  if (linkAccounts !== undefined) await linkAccounts(customer);
  else await t.accepted("DeleteCustomer", { customer });
};
