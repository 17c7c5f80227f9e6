/** TxPush: refused listeners, refused test transactions, and the end of subscriptions. */
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import {
  countEvents,
  DISABLE,
  SUBSCRIBE,
  standardAddress,
  TEST,
} from "../../../fixtures/financial-data/txpush-calls.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { type Exchange, isAccepted, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("TxPush");
const DELETE = "DeleteTxPushSubscription";

/**
 * The status for a refused listener is not documented (gaps: status for a bad listener port or a plain http listener).
 */
const REFUSALS: readonly number[] = [400, 403, 404, 405, 406, 409, 410, 412, 415, 422, 424];

export const txPushEndScenarios = [
  scenario("txpush/other-ports", {
    title: "a listener on a port other than 80 and 443 is refused",
    operations: [SUBSCRIBE],
    requirements: ["txpush.other-ports-fail"],
    run: (t) =>
      t.listening(async (listener) => {
        const account = t.quietAccount();
        const allowed = standardAddress(listener);
        const probe = await subscription(t, account, listener.addressOnOtherPort());
        const control = await subscription(t, account, allowed);
        const what = "a listener on another port";
        t.judgeRefused("txpush.other-ports-fail", what, [probe, control], REFUSALS);
        await t.disableSubscription(account);
      }),
  }),

  scenario("txpush/plain-http", {
    title: "an http listener of a real account is refused",
    operations: [SUBSCRIBE],
    requirements: ["txpush.http-refused-for-real-accounts"],
    async run(t) {
      const account = await realAccount(t);
      const requirement = "txpush.http-refused-for-real-accounts";
      await t.listening(async (insecure) => {
        const address = standardAddress(insecure).replace(/^https:/, "http:");
        const probe = await subscription(t, account, address);
        const judgeNext = async (listener: Listener) => {
          const control = await subscription(t, account, standardAddress(listener));
          t.judgeRefused(requirement, "an http listener of a real account", [probe, control], REFUSALS);
        };
        await t.attempt(requirement, () => t.listening(judgeNext, { secure: true }));
      });
      await t.disableSubscription(account);
    },
  }),

  scenario("txpush/unverified-listener", {
    title: "an unverified listener receives no events",
    operations: [SUBSCRIBE, TEST],
    requirements: ["txpush.unverified-listener-not-subscribed"],
    run: (t) =>
      t.listening(async (listener) => {
        const requirement = "txpush.unverified-listener-not-subscribed";
        const account = t.quietAccount();
        const address = new URL(standardAddress(listener));
        address.hostname = `unverified-${t.seed >>> 0}.test`;
        const probe = await subscription(t, account, address.href);
        if (!isAccepted(probe)) {
          const control = await subscription(t, account, standardAddress(listener));
          t.judgeRefused(requirement, "an unreachable listener", [probe, control], REFUSALS);
        } else {
          const { resolveReceiver } = t.capabilities;
          if (resolveReceiver === undefined)
            throw new NotTried("limit-of-suite", "the run cannot see what such a listener gets");
          await resolveReceiver(address.hostname, (await t.receiver()).url);
          if (listener.isKnown(address.href))
            throw new NotTried("no-delivery", "the target reached the listener that should be unreachable");
          const cause = await t.postTest(account);
          const arrived = await listener.wait(address.href, 1);
          t.judgeThat(requirement, arrived.length === 0, [probe, cause], {
            message: "a listener that was never verified receives events",
            expected: "no delivery",
            actual: `${arrived.length}`,
          });
        }
        await t.disableSubscription(account);
      }),
  }),

  scenario("txpush/real-account-test", {
    title: "a test transaction is refused for an account that is not a testing account",
    operations: [TEST],
    requirements: ["CreateTxPushTestTransaction.testing-accounts-only"],
    async run(t) {
      const probe = await t.answered(TEST, await realAccount(t));
      const control = await t.answered(TEST, t.quietAccount());
      const requirement = "CreateTxPushTestTransaction.testing-accounts-only";
      t.judgeRefused(requirement, "a test transaction of a real account", [probe, control], REFUSALS);
    },
  }),

  scenario("txpush/disable", {
    title: "disabling an account ends all of its subscriptions",
    operations: [DISABLE, SUBSCRIBE, TEST],
    requirements: [`${DISABLE}.deletes-all`],
    run: (t) =>
      t.listening(async (listener) => {
        const first = await t.subscribe(listener);
        const second = await t.subscribe(listener, first.account);
        await t.postTest(first.account);
        const addresses = [first.address, second.address];
        for (const address of addresses) await listener.wait(address, 2);
        await listener.rest(first.address);
        const arrived = () => addresses.map((address) => listener.deliveriesAt(address));
        if (arrived().flat().length < 2)
          throw new NotTried("no-delivery", "the subscriptions sent nothing that could end");
        const ended = await t.accepted(DISABLE, first.account);
        const { cause, more } = await t.readUntil(
          async () => {
            const known = arrived();
            const posted = await t.postTest(first.account);
            const later = addresses.map((address, at) => listener.rest(address, known[at]));
            return { cause: posted, more: (await Promise.all(later)).flat().length };
          },
          (after) => after.more === 0,
        );
        t.judgeThat(`${DISABLE}.deletes-all`, more === 0, [ended, cause], {
          message: "a subscription of the account still sends events after TxPush was disabled",
          expected: "no more deliveries",
          actual: `${more} more`,
        });
        await t.disableSubscription(first.account);
      }),
  }),

  scenario("txpush/delete-one", {
    title: "deleting one subscription stops its events only",
    operations: [DELETE, SUBSCRIBE, TEST],
    requirements: ["DeleteTxPushSubscription.stops-only-that"],
    run: (t) =>
      t.listening(async (listener) => {
        const requirement = "DeleteTxPushSubscription.stops-only-that";
        const deleted = await t.subscribe(listener);
        const kept = await t.subscribe(listener, deleted.account);
        await t.postTest(deleted.account);
        for (const { address } of [deleted, kept]) await waitForTwo(listener, address);
        const before = [deleted, kept].map(({ address }) => countEvents(listener.deliveriesAt(address)));
        if (!before.every((events) => events === 2))
          throw new NotTried("no-delivery", "not both subscriptions sent two events before one was deleted");
        const record = t.identifierIn(deleted.exchange, "txpush-subscription");
        const about = having(deleted.account, { "txpush-subscription": record });
        const ended = await t.accepted(DELETE, about);
        const { cause, others, left } = await t.readUntil(
          async () => {
            const [known = [], past] = [kept, deleted].map(({ address }) => listener.deliveriesAt(address));
            const posted = await t.postTest(deleted.account);
            const came = await waitForTwo(listener, kept.address, known.length);
            const still = await listener.rest(deleted.address, past);
            return { cause: posted, others: countEvents(came), left: countEvents(still) };
          },
          (after) => after.left < 2,
        );
        if (others === 0) listener.assertReached();
        t.judgeThat(requirement, others === 2, [ended, cause], {
          message: "deleting one subscription stopped another one",
          expected: "two events for the other listener",
          actual: `${others}`,
        });
        t.judgeThat(requirement, left < 2, [ended, cause], {
          message: "a deleted subscription still sends events",
          expected: "at most one event, of the other record",
          actual: `${left}`,
        });
        await t.disableSubscription(deleted.account);
      }),
  }),
];

/** Waits for two events after the known deliveries. A repeated delivery shows no further event. */
const waitForTwo = async (listener: Listener, address: string, known = 0) => {
  for (let due = 2; ; due += 1) {
    const came = (await listener.wait(address, known + due)).slice(known);
    if (countEvents(came) >= 2 || came.length < due) return came;
  }
};

/** Returns an account of an active customer. If none is named, a new customer may have one. */
const realAccount = async (t: T): Promise<Arranger> => {
  const known = await t.situationIfOffered("active-customer");
  if (known !== undefined) return having(t.arrange, known);
  const { customerId } = await t.addCustomer("AddCustomer");
  const [account] = t.accountsIn(
    await t.accepted("GetCustomerAccounts", { customer: customerId }),
    customerId,
  );
  if (account !== undefined) return having(t.arrange, account.resources);
  const seen = "GetCustomerAccounts of a new active customer lists none";
  throw new NotTried("lacks-situation", `an active customer with an account (${seen})`, "active-customer");
};

const subscription = async (t: T, account: Arranger, address: string): Promise<Exchange> =>
  t.answerTo(await t.callToSubscribe(account, address));
