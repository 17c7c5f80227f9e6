/** TxPush: refused listeners, refused test transactions, and the end of subscriptions. */

import { addCustomer } from "../../../fixtures/financial-data/customers.ts";
import { accountsIn } from "../../../fixtures/financial-data/linked-accounts.ts";
import { type Listener, listening } from "../../../fixtures/financial-data/listening.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import {
  callToSubscribe,
  countEvents,
  DISABLE,
  disable,
  postTest,
  quietAccount,
  SUBSCRIBE,
  standardAddress,
  subscribe,
  TEST,
} from "../../../fixtures/financial-data/txpush-calls.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { accepted, answered, answerTo } from "../../../helpers/trials/kit/asking.ts";
import { named, situationIfOffered } from "../../../helpers/trials/kit/calls.ts";
import { identifierIn } from "../../../helpers/trials/kit/reading.ts";
import { judgeRefused, judgeThat } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("TxPush");
const DELETE = "DeleteTxPushSubscription";

/**
 * The status for a refused listener is not documented (gaps: status for a bad listener port or a plain http listener).
 */
const REFUSALS: readonly number[] = [400, 403, 404, 405, 406, 409, 410, 412, 415, 422, 424];

export const txPushEndScenarios: readonly Trial[] = [
  scenario({
    id: "txpush/other-ports",
    title: "a listener on a port other than 80 and 443 is refused",
    operations: [SUBSCRIBE],
    requirements: ["txpush.other-ports-fail"],
    run: (context) =>
      listening(context, async (listener) => {
        const account = quietAccount(context);
        const allowed = standardAddress(listener);
        const probe = await subscription(context, account, listener.addressOnOtherPort());
        const control = await subscription(context, account, allowed);
        const what = "a listener on another port";
        judgeRefused(context, "txpush.other-ports-fail", what, [probe, control], REFUSALS);
        await disable(context, account);
      }),
  }),

  scenario({
    id: "txpush/plain-http",
    title: "an http listener of a real account is refused",
    operations: [SUBSCRIBE],
    requirements: ["txpush.http-refused-for-real-accounts"],
    async run(context) {
      const account = await realAccount(context);
      const requirement = "txpush.http-refused-for-real-accounts";
      await listening(context, async (insecure) => {
        const address = standardAddress(insecure).replace(/^https:/, "http:");
        const probe = await subscription(context, account, address);
        const judgeNext = async (listener: Listener) => {
          const control = await subscription(context, account, standardAddress(listener));
          judgeRefused(
            context,
            requirement,
            "an http listener of a real account",
            [probe, control],
            REFUSALS,
          );
        };
        await listening(context, judgeNext, { secure: true });
      });
      await disable(context, account);
    },
  }),

  scenario({
    id: "txpush/unverified-listener",
    title: "an unverified listener receives no events",
    operations: [SUBSCRIBE, TEST],
    requirements: ["txpush.unverified-listener-not-subscribed"],
    run: (context) =>
      listening(context, async (listener) => {
        const requirement = "txpush.unverified-listener-not-subscribed";
        const account = quietAccount(context);
        const address = new URL(standardAddress(listener));
        address.hostname = `unverified-${context.seed >>> 0}.test`;
        const probe = await subscription(context, account, address.href);
        if (!isAccepted(probe)) {
          const control = await subscription(context, account, standardAddress(listener));
          judgeRefused(context, requirement, "an unreachable listener", [probe, control], REFUSALS);
        } else {
          const { resolveReceiver } = context.capabilities;
          if (resolveReceiver === undefined)
            throw new NotTried(
              "the call was accepted, and the run cannot see what is sent to such a listener",
            );
          await resolveReceiver(address.hostname, (await context.receiver()).url);
          if (listener.isKnown(address.href))
            throw new NotTried("the target reached the listener that should be unreachable");
          const cause = await postTest(context, account);
          const arrived = await listener.wait(address.href, 1);
          judgeThat(context, requirement, arrived.length === 0, [probe, cause], {
            message: "a listener that was never verified receives events",
            expected: "no delivery",
            actual: `${arrived.length}`,
          });
        }
        await disable(context, account);
      }),
  }),

  scenario({
    id: "txpush/real-account-test",
    title: "a test transaction is refused for an account that is not a testing account",
    operations: [TEST],
    requirements: ["CreateTxPushTestTransaction.testing-accounts-only"],
    async run(context) {
      const probe = await answered(context, TEST, await realAccount(context));
      const control = await answered(context, TEST, quietAccount(context));
      const requirement = "CreateTxPushTestTransaction.testing-accounts-only";
      judgeRefused(context, requirement, "a test transaction of a real account", [probe, control], REFUSALS);
    },
  }),

  scenario({
    id: "txpush/disable",
    title: "disabling an account ends all of its subscriptions",
    operations: [DISABLE, SUBSCRIBE, TEST],
    requirements: [`${DISABLE}.deletes-all`],
    run: (context) =>
      listening(context, async (listener) => {
        const first = await subscribe(context, listener);
        const second = await subscribe(context, listener, first.account);
        await postTest(context, first.account);
        const addresses = [first.address, second.address];
        // A repeated delivery counts once (gaps: delivery time and retries).
        const count = () =>
          addresses.flatMap((address) => [
            ...new Set(listener.deliveriesAt(address).map(({ body }) => body.toString("utf8"))),
          ]).length;
        for (const address of addresses) await listener.wait(address, 2);
        await listener.rest(first.address);
        const before = count();
        if (before < 2)
          throw new NotTried("the subscriptions sent nothing before, so that no end can be seen");
        const ended = await accepted(context, DISABLE, first.account);
        const { cause, more } = await readUntil(
          context,
          async () => {
            const earlier = count();
            const posted = await postTest(context, first.account);
            await listener.rest(first.address);
            return { cause: posted, more: count() - earlier };
          },
          (after) => after.more === 0,
        );
        judgeThat(context, `${DISABLE}.deletes-all`, more === 0, [ended, cause], {
          message: "a subscription of the account still sends events after TxPush was disabled",
          expected: "no more deliveries",
          actual: `${more} more`,
        });
        await disable(context, first.account);
      }),
  }),

  scenario({
    id: "txpush/delete-one",
    title: "deleting one subscription stops its events only",
    operations: [DELETE, SUBSCRIBE, TEST],
    requirements: ["DeleteTxPushSubscription.stops-only-that"],
    run: (context) =>
      listening(context, async (listener) => {
        const requirement = "DeleteTxPushSubscription.stops-only-that";
        const deleted = await subscribe(context, listener);
        const kept = await subscribe(context, listener, deleted.account);
        const record = identifierIn(context, deleted.exchange, "txpush-subscription");
        const about = having(deleted.account, { "txpush-subscription": record });
        const ended = await accepted(context, DELETE, about);
        const { cause, others, left } = await readUntil(
          context,
          async () => {
            const [known, past] = [kept, deleted].map(({ address }) => listener.deliveriesAt(address).length);
            const posted = await postTest(context, deleted.account);
            const came = (await listener.wait(kept.address, (known ?? 0) + 2)).slice(known);
            const still = (await listener.rest(deleted.address)).slice(past);
            return { cause: posted, others: countEvents(came), left: countEvents(still) };
          },
          (after) => after.left < 2,
        );
        if (others === 0) listener.assertReached();
        judgeThat(context, requirement, others === 2, [ended, cause], {
          message: "deleting one subscription stopped another one",
          expected: "two events for the other listener",
          actual: `${others}`,
        });
        judgeThat(context, requirement, left < 2, [ended, cause], {
          message: "a deleted subscription still sends events",
          expected: "at most one event, of the other record",
          actual: `${left}`,
        });
        await disable(context, deleted.account);
      }),
  }),
];

/** Returns an account of an active customer. If none is named, a new customer may have one. */
const realAccount = async (context: TrialContext): Promise<Arranger> => {
  const known = await situationIfOffered(context, "active-customer");
  if (known !== undefined) return having(context.arrange, known);
  const { customerId } = await addCustomer(context, "AddCustomer");
  const [account] = accountsIn(
    context,
    await accepted(context, "GetCustomerAccounts", { customer: customerId }),
    customerId,
  );
  if (account !== undefined) return having(context.arrange, account.resources);
  const seen = "GetCustomerAccounts of a new active customer lists none";
  throw new NotTried(`needs an active customer with an account: ${seen}; ${named("active-customer")}`);
};

const subscription = async (context: TrialContext, account: Arranger, address: string): Promise<Exchange> =>
  answerTo(context, await callToSubscribe(context, account, address));
