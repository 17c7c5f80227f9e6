/** Calls of webhook subscriptions, and what brings about the events that they deliver. */
import { idOf, itemsIn } from "../../fixtures/financial-data-calls.ts";
import { instancesAt } from "../../helpers/checks/rules.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { type Call, NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { having, identifierIn, operationOf, taken, validCall, withFields } from "./asking.ts";

export const CREATE = "createWebhookSubscription";
export const READ = "getWebhookSubscriptionById";
const BODIES = "webhooks.request-bodies";

export interface WantedEvent {
  readonly name: string;
  readonly url?: string;
  readonly condition?: unknown;
}

export interface Subscription {
  readonly id: string;
  /** In the order of the events. */
  readonly eventIds: readonly string[];
  readonly exchange: Exchange;
}

/** Makes subscriptions of which nothing is left when `use` has ended, where deleting is allowed. */
export const subscribing = async (
  context: TrialContext,
  use: (subscribe: Subscriber) => Promise<void>,
): Promise<void> => {
  const made: Subscription[] = [];
  try {
    await use(async (url, events, requirements = []) => {
      const call = withFields(await validCall(context, CREATE), { url, events });
      const exchange = await taken(context, call, [BODIES, ...requirements]);
      const id = identifierIn(context, exchange, "webhook-subscription");
      const subscription = { id, eventIds: eventsIn(context, exchange).map((event) => event.id), exchange };
      made.push(subscription);
      return subscription;
    });
  } finally {
    for (const subscription of made) await remove(context, subscription);
  }
};

/** Without permission it is left to the end of the run. */
const remove = async (context: TrialContext, subscription: Subscription): Promise<void> => {
  try {
    await context.send(await callOn(context, "deleteWebhookSubscription", subscription));
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
  }
};

/** @param requirements that taking it keeps */
export type Subscriber = (
  url: string | undefined,
  events: readonly WantedEvent[],
  requirements?: readonly string[],
) => Promise<Subscription>;

/** A call about a subscription, or about one of its events. */
export const callOn = (
  context: TrialContext,
  operationId: string,
  { id, eventIds }: Subscription,
  event = 0,
): Promise<Call> => {
  const eventId = eventIds[event];
  return validCall(
    context,
    operationId,
    having(context.arrange, {
      "webhook-subscription": id,
      ...(eventId !== undefined && { "webhook-event": eventId }),
    }),
  );
};

export const read = async (context: TrialContext, subscription: Subscription): Promise<Exchange> =>
  taken(context, await callOn(context, READ, subscription));

export interface SubscribedEvent {
  readonly id: string;
  readonly fields: unknown;
}

/** Events of a subscription, where they are bound or assumed; none where none is shown. */
export const eventsIn = (context: TrialContext, { operationId, response }: Exchange): SubscribedEvent[] => {
  const assumed = operationOf(context, operationId).finds.find(
    ({ resource }) => resource === "webhook-event",
  );
  // On creation, the binding says where the subscription's own id stands.
  const bound = operationId === CREATE ? context.bindings[READ] : context.bindings[operationId];
  const [list = "", id = ""] = (bound ?? assumed?.pointer ?? "").split("/*");
  return instancesAt(response?.json, `${list}/*`).flatMap(({ value }) => {
    const [found] = instancesAt(value, id);
    return found === undefined ? [] : [{ id: String(found.value), fields: value }];
  });
};

export const NAMES = "listAvailableWebhookSubscriptionEvents";

/** Names of the events that the target has. @throws NotTried when it shows fewer than asked for */
export const eventNames = async (context: TrialContext, least = 1): Promise<string[]> => {
  const exchange = await taken(context, await validCall(context, NAMES));
  const names = itemsIn(context, exchange).flatMap(
    (item) => idOf(context, NAMES, "webhook-event-name", item) ?? [],
  );
  if (names.length >= least) return names;
  throw new NotTried(
    `needs ${least} events to subscribe to, and ${NAMES} shows ${names.length}: bind it in BINDINGS to the names`,
  );
};

/** A customer to whom something can happen that partners are told of. */
export const newCustomer = (context: TrialContext): Promise<string> =>
  context.arrange.apart().need("customer");

/** Something that happens to the customer: accounts are linked or, where nobody links any, it is deleted. */
export const happenTo = async (context: TrialContext, customer: string): Promise<void> => {
  const { linkAccounts } = context.capabilities;
  if (linkAccounts !== undefined) await linkAccounts(customer);
  else
    await taken(context, await validCall(context, "DeleteCustomer", having(context.arrange, { customer })));
};
