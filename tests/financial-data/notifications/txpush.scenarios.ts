/** TxPush: subscribing an account, and the events that its changes send. Ends and refusals are in txpush-ends.scenarios.ts. */

import { judgeThat } from "../../../fixtures/financial-data/asking.ts";
import { situation } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { listening } from "../../../fixtures/financial-data/listening.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import {
  CLASSES,
  classOf,
  disable,
  judgeEvent,
  postTest,
  recordsIn,
  SUBSCRIBE,
  subscribe,
  TEST,
} from "../../../fixtures/financial-data/txpush-calls.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

const SECTION = "TxPush";
const DAY = 24 * 3600;

export const txPushScenarios: readonly Trial[] = [
  scenario(
    {
      id: "txpush/records",
      title: "a subscribe call yields one record for account events and one for transaction events",
      section: SECTION,
      operations: [SUBSCRIBE],
      requirements: ["txpush.two-records", "txpush.request-bodies"],
    },
    (context) =>
      listening(context, async (listener) => {
        const { account, exchange } = await subscribe(context, listener);
        const classes = recordsIn(context, exchange).map(classOf);
        const known = classes.filter((name) => name !== undefined);
        conclude(
          context,
          "txpush.two-records",
          {
            holds: classes.length === 2 && CLASSES.every((name) => classes.includes(name)),
            certain: context.capabilities.has("new-implementation") || known.length === classes.length,
            finding: {
              message: "a subscribe call did not yield one record of each class",
              expected: "two records, of the classes account and transaction",
              actual: `${classes.length}: ${known.join(", ")}`,
            },
          },
          [exchange],
        );
        await disable(context, account);
      }),
  ),

  scenario(
    {
      id: "txpush/test-transaction",
      title: "a test transaction sends one transaction event, and one account event for the changed balance",
      section: SECTION,
      operations: [SUBSCRIBE, TEST],
      requirements: [
        "CreateTxPushTestTransaction.transaction-event",
        "CreateTxPushTestTransaction.account-event",
        "notifications.channels",
        "txpush.request-bodies",
      ],
    },
    (context) =>
      listening(context, async (listener) => {
        const { account, address } = await subscribe(context, listener);
        const cause = await postTest(context, account);
        const arrived = await listener.wait(address, 2);
        const arrival = { listener, arrived, expected: 2, cause };
        judgeEvent(context, "CreateTxPushTestTransaction.transaction-event", "transaction", arrival);
        judgeEvent(context, "CreateTxPushTestTransaction.account-event", "account", arrival);
        judgeThat(context, "notifications.channels", arrived.length > 0, [cause], {
          message: "TxPush sent nothing to a verified listener",
          expected: "deliveries about the account and the transaction",
          actual: "none",
        });
        await disable(context, account);
      }),
  ),

  scenario(
    {
      id: "txpush/changes",
      title: "what changes of an account is an account event, what posts to it a transaction event",
      section: SECTION,
      operations: [SUBSCRIBE],
      requirements: ["txpush.account-event-on-change", "txpush.transaction-event-on-post"],
    },
    (context) =>
      listening(context, async (listener) => {
        const { capabilities } = context;
        if (!capabilities.offers("account-change") || !capabilities.offers("new-transaction"))
          throw new NotTried("needs an account whose values change and to which transactions post");
        const changing = await subscribe(context, listener);
        await capabilities.arrange("account-change", { accountId: await changing.account.need("account") });
        judgeEvent(context, "txpush.account-event-on-change", "account", {
          listener,
          arrived: await listener.wait(changing.address, 1),
          expected: 1,
          cause: changing.exchange,
        });
        const posting = await subscribe(context, listener);
        await capabilities.arrange("new-transaction", { accountId: await posting.account.need("account") });
        judgeEvent(context, "txpush.transaction-event-on-post", "transaction", {
          listener,
          // The balance changes as well.
          arrived: await listener.wait(posting.address, 2),
          expected: 2,
          cause: posting.exchange,
        });
        await disable(context, changing.account);
        await disable(context, posting.account);
      }),
  ),

  scenario(
    {
      id: "txpush/institution-without-txpush",
      title: "an institution without TxPush is told of when regular aggregation finds new data",
      section: SECTION,
      operations: [SUBSCRIBE],
      requirements: ["txpush.without-institution-support"],
    },
    (context) =>
      listening(context, async (listener) => {
        if (!context.capabilities.has("clock"))
          throw new NotTried("needs clock: the regular aggregation is a day away");
        const need = "an account at an institution without TxPush";
        const account = having(context.arrange, await situation(context, "institution-without-txpush", need));
        const { address, exchange } = await subscribe(context, listener, account);
        await context.clock.pass(3 * DAY);
        const arrived = await listener.wait(address, 1);
        judgeThat(context, "txpush.without-institution-support", arrived.length > 0, [exchange], {
          message: "three days with new data brought no notification",
          expected: "a delivery after a regular aggregation",
          actual: "none",
        });
        await disable(context, account);
      }),
  ),
];
