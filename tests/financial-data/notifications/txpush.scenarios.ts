/** TxPush: subscriptions of an account and their events. Ends and refusals are in txpush-ends.scenarios.ts. */
import { DAY } from "../../../fixtures/financial-data/listed-transactions.ts";
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import {
  CLASSES,
  classOf,
  countEvents,
  SUBSCRIBE,
  TEST,
} from "../../../fixtures/financial-data/txpush-calls.ts";
import type { Delivery } from "../../../helpers/flows/delivery.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { type Exchange, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("TxPush");
const TRANSACTION = `${TEST}.transaction-event`;
const ACCOUNT = `${TEST}.account-event`;

export const txPushScenarios = [
  scenario("txpush/records", {
    title: "a subscribe call returns one record for account events and one for transaction events",
    operations: [SUBSCRIBE],
    requirements: ["txpush.two-records", "txpush.request-bodies"],
    run: (t) =>
      t.listening(async (listener) => {
        const { account, exchange } = await t.subscribe(listener);
        const classes = t.recordsIn(exchange).map(classOf);
        const known = classes.filter((name) => name !== undefined);
        const isOneEach = classes.length === 2 && CLASSES.every((name) => classes.includes(name));
        t.recordIfConfirmed("txpush.two-records", isOneEach, [exchange], {
          confirmed: t.isConfirmed() || known.length === classes.length,
          message: "a subscribe call did not return one record of each class",
          expected: "two records, of the classes account and transaction",
          actual: `${classes.length}: ${known.join(", ")}`,
        });
        await t.disableSubscription(account);
      }),
  }),

  scenario("txpush/test-transaction", {
    title: "a test transaction sends one transaction event, and one account event for the changed balance",
    operations: [SUBSCRIBE, TEST],
    requirements: [TRANSACTION, ACCOUNT, "notifications.channels", "txpush.request-bodies"],
    run: (t) =>
      t.listening(async (listener) => {
        const { account, address } = await t.subscribe(listener);
        const cause = await t.postTest(account);
        const arrived = await listener.wait(address, 2);
        const arrival = { listener, arrived, expected: 2, cause };
        judgeEvent(t, TRANSACTION, "transaction", arrival);
        judgeEvent(t, ACCOUNT, "account", arrival);
        t.judgeThat("notifications.channels", arrived.length > 0, [cause], {
          message: "TxPush sent nothing to a verified listener",
          expected: "deliveries about the account and the transaction",
          actual: "none",
        });
        await t.disableSubscription(account);
      }),
  }),

  scenario("txpush/changes", {
    title: "a changed account sends an account event, and a posted transaction a transaction event",
    operations: [SUBSCRIBE],
    requirements: ["txpush.account-event-on-change", "txpush.transaction-event-on-post"],
    run: (t) =>
      t.listening(async (listener) => {
        const { capabilities } = t;
        if (!capabilities.offers("account-change") || !capabilities.offers("new-transaction"))
          throw new NotTried("lacks", "an account whose values change and to which transactions post");
        const changing = await t.subscribe(listener);
        await capabilities.arrange("account-change", { accountId: await changing.account.need("account") });
        judgeEvent(t, "txpush.account-event-on-change", "account", {
          listener,
          arrived: await listener.wait(changing.address, 1),
          expected: 1,
          cause: changing.exchange,
        });
        const posting = await t.subscribe(listener);
        await capabilities.arrange("new-transaction", { accountId: await posting.account.need("account") });
        judgeEvent(t, "txpush.transaction-event-on-post", "transaction", {
          listener,
          // The balance changes too, which is a second event.
          arrived: await listener.wait(posting.address, 2),
          expected: 2,
          cause: posting.exchange,
        });
        await t.disableSubscription(changing.account);
        await t.disableSubscription(posting.account);
      }),
  }),

  scenario("txpush/institution-without-txpush", {
    title: "new data of an institution without TxPush sends a notification after regular aggregation",
    operations: [SUBSCRIBE],
    requirements: ["txpush.without-institution-support"],
    run: (t) =>
      t.listening(async (listener) => {
        t.needClock("the regular aggregation is a day away");
        const need = "an account at an institution without TxPush";
        const account = having(t.arrange, await t.situation("institution-without-txpush", need));
        const { address, exchange } = await t.subscribe(listener, account);
        await t.clock.pass(3 * DAY);
        const arrived = await listener.wait(address, 1);
        t.judgeThat("txpush.without-institution-support", arrived.length > 0, [exchange], {
          message: "three days with new data caused no notification",
          expected: "a delivery after a regular aggregation",
          actual: "none",
        });
        await t.disableSubscription(account);
      }),
  }),
];

/** Judges whether an event of the class arrived. */
const judgeEvent = (
  t: T,
  requirement: string,
  wanted: (typeof CLASSES)[number],
  {
    listener,
    arrived,
    expected,
    cause,
  }: {
    readonly listener: Listener;
    readonly arrived: readonly Delivery[];
    readonly expected: number;
    readonly cause: Exchange;
  },
): void => {
  const classes = arrived.map(({ json }) => classOf(json));
  if (arrived.length === 0) listener.assertReached();
  const came = classes.includes(wanted) || countEvents(arrived) >= expected;
  if (!came && classes.includes(undefined)) {
    t.leaveUntried(requirement, "no-delivery", "the deliveries do not show their class");
    return;
  }
  t.judgeThat(requirement, came, [cause], {
    message: `no ${wanted} event arrived`,
    expected: `a delivery of class ${wanted}`,
    actual: arrived.length === 0 ? "no delivery" : `${arrived.length} of class ${classes.join(", ")}`,
  });
};
