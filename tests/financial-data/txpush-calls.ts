/** Calls of TxPush, and what arrives on account of them. */
import { situation } from "../../fixtures/financial-data-calls.ts";
import { instancesAt } from "../../helpers/checks/rules.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { Delivery } from "../../helpers/flows/delivery.ts";
import type { Arranger } from "../../helpers/trials/arrange.ts";
import { type Call, NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import {
  answerTo,
  having,
  identifierIn,
  judgeThat,
  operationOf,
  taken,
  validCall,
  valuesIn,
} from "./asking.ts";
import type { Listener } from "./listening.ts";
import { id } from "./trial.ts";

export const SUBSCRIBE = "SubscribeToTxPushNotifications";
export const TEST = "CreateTxPushTestTransaction";
const BODIES = "txpush.request-bodies";

export const CLASSES = ["account", "transaction"] as const;
export type EventClass = (typeof CLASSES)[number];

/** Which status a refused listener gets is open (gaps: status for a bad listener port or a plain http listener). */
export const REFUSALS: readonly number[] = [400, 404, 405, 406, 409, 410, 412, 415, 422, 424];

/** Ids of a customer and one of its accounts that nothing else listens to, where the target links accounts. */
export const quietAccount = ({ arrange, capabilities }: TrialContext): Arranger =>
  capabilities.linkAccounts === undefined ? arrange : arrange.apart();

export const realAccount = async (context: TrialContext): Promise<Arranger> =>
  having(context.arrange, await situation(context, "active-customer", "an active customer with an account"));

/** @throws NotTried when only ports that no listener may have lead to us */
export const standardAddress = (listener: Listener): string => {
  const address = listener.address();
  if (["", "80", "443"].includes(new URL(address).port)) return address;
  throw new NotTried("needs a listener on port 80 or 443: set RECEIVER_PUBLIC_URL");
};

export const subscribing = (context: TrialContext, account: Arranger, address: string): Promise<Call> =>
  validCall(context, SUBSCRIBE, having(account, { "listener-url": address }));

export interface Subscribed {
  readonly account: Arranger;
  readonly address: string;
  readonly exchange: Exchange;
}

export const subscribe = async (
  context: TrialContext,
  listener: Listener,
  account: Arranger = quietAccount(context),
): Promise<Subscribed> => {
  const address = standardAddress(listener);
  const exchange = await taken(context, await subscribing(context, account, address), [BODIES]);
  return { account, address, exchange };
};

/** Triggers one event of each class. */
export const postTest = async (context: TrialContext, account: Arranger): Promise<Exchange> =>
  taken(context, await validCall(context, TEST, account), [BODIES]);

/** Ends what subscriptions would go on to send to nobody; those of an account that others use as well stay. */
export const disable = async (context: TrialContext, account: Arranger): Promise<void> => {
  if (context.capabilities.linkAccounts === undefined) return;
  await context.send(await validCall(context, "DisableTxPushNotifications", account));
};

/** @throws NotTried naming the binding that would help */
export const recordsIn = (context: TrialContext, exchange: Exchange): unknown[] => {
  const { operationId, response } = exchange;
  const { produces } = operationOf(context, operationId);
  const pointer = context.bindings[operationId] ?? produces[0]?.pointer ?? "";
  const [list] = instancesAt(response?.json, pointer.replace(/\/(\*|\d+)(\/.*)?$/, ""));
  if (Array.isArray(list?.value)) return list.value;
  throw new NotTried(
    `${operationId} shows no records at ${pointer}: bind it in BINDINGS to the id of the first one`,
  );
};

export const recordId = (context: TrialContext, exchange: Exchange): string =>
  identifierIn(context, exchange, "txpush-subscription");

/** The class that a record or an event names; the field is not documented, the word is. */
export const classOf = (json: unknown): EventClass | undefined => {
  const words = new Set(valuesIn(json).map((value) => value.toLowerCase()));
  const [first, ...others] = CLASSES.filter((name) => words.has(name));
  return others.length === 0 ? first : undefined;
};

/** How many events arrived, tolerating that one comes twice. */
export const countEvents = (arrived: readonly Delivery[]): number =>
  new Set(arrived.map(({ json, body }) => classOf(json) ?? body.toString("utf8"))).size;

/**
 * Whether an event of the class came.
 * @param expected how many events were to come in all
 */
export const judgeEvent = (
  context: TrialContext,
  requirement: string,
  wanted: EventClass,
  { listener, arrived, expected, cause }: Arrival,
): void => {
  const classes = arrived.map(({ json }) => classOf(json));
  if (arrived.length === 0) listener.assertReached();
  const came = classes.includes(wanted) || countEvents(arrived) >= expected;
  if (!came && classes.includes(undefined)) {
    context.judge.notTried(id(requirement), "what arrived does not show of which class it is");
    return;
  }
  judgeThat(context, requirement, came, [cause], {
    message: `no ${wanted} event came`,
    expected: `a delivery of class ${wanted}`,
    actual: arrived.length === 0 ? "no delivery" : `${arrived.length} of class ${classes.join(", ")}`,
  });
};

export interface Arrival {
  readonly listener: Listener;
  readonly arrived: readonly Delivery[];
  readonly expected: number;
  /** The call that brought it about. */
  readonly cause: Exchange;
}

export const answerToSubscribing = async (
  context: TrialContext,
  account: Arranger,
  address: string,
): Promise<Exchange> => answerTo(context, await subscribing(context, account, address));
