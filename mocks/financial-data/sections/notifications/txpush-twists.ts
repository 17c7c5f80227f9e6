/** How TxPush subscriptions of several accounts and listeners can end each other, or not end at all. */

import { newest } from "../../../engine/faults/twists.ts";
import { accountIn, bodyOf, customerIn, textIn } from "../../found.ts";
import { afterwards, type TwistTable } from "../../twists.ts";
import { subscribeTo, subscriptionsOf, type TxPushSubscription, unsubscribe } from "../../world/txpush.ts";
import { perWorld } from "../../world/world.ts";

const SUBSCRIBE = "SubscribeToTxPushNotifications";
const DISABLE = "DisableTxPushNotifications";
const DELETE = "DeleteTxPushSubscription";

const deleted = perWorld(() => new Map<string, TxPushSubscription>());

export const TXPUSH_TWISTS: TwistTable = {
  "DisableTxPushNotifications.deletes-all": {
    "newest-listener-stays": {
      [DISABLE](world, call, handle) {
        const account = accountIn(world, call);
        const last = newest(subscriptionsOf(world, account.id))?.callbackUrl;
        const urls = new Set(subscriptionsOf(world, account.id).map(({ callbackUrl }) => callbackUrl));
        if (urls.size < 2) return handle();
        unsubscribe(world, account.id, ({ callbackUrl }) => callbackUrl !== last);
        return { status: 204 };
      },
    },
  },
  "DeleteTxPushSubscription.stops-only-that": {
    "oldest-stops-instead": {
      [DELETE](world, call, handle) {
        const own = world.accounts.of(customerIn(world, call).id);
        const named = own.find((account) =>
          subscriptionsOf(world, account.id).some(({ id }) => Object.values(call.path).includes(id)),
        );
        const [oldest] = named === undefined ? [] : subscriptionsOf(world, named.id);
        if (named === undefined || oldest === undefined) return handle();
        unsubscribe(world, named.id, ({ id }) => id === oldest.id);
        return { status: 204 };
      },
    },
    "returns-with-next-listener": {
      [DELETE](world, call, handle) {
        for (const account of world.accounts.of(customerIn(world, call).id)) {
          for (const record of subscriptionsOf(world, account.id)) {
            if (Object.values(call.path).includes(record.id)) deleted(world).set(account.id, record);
          }
        }
        return handle();
      },
      [SUBSCRIBE]: afterwards((world) => {
        for (const [id, { callbackUrl, bent }] of deleted(world)) {
          const account = world.accounts.find(id);
          if (account !== undefined) subscribeTo(world, account, callbackUrl, bent);
        }
      }),
    },
  },
  "sequences.subscriptions-apart": {
    "disabling-reaches-other-accounts": {
      [DISABLE]: afterwards((world, call) => {
        for (const { id } of world.accounts.of(customerIn(world, call).id))
          unsubscribe(world, id, () => true);
      }),
    },
    "next-listener-takes-place-of-first": {
      [SUBSCRIBE]: afterwards((world, call) => {
        const url = textIn(bodyOf(call), "callbackUrl");
        unsubscribe(world, accountIn(world, call).id, (one) => one.callbackUrl !== url);
      }),
    },
  },
};
