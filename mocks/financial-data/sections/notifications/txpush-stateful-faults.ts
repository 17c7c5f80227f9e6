/** Stateful faults of TxPush subscriptions: one subscription ends others, or does not end. */
import { newest } from "../../../engine/deviations/handlers.ts";
import { accountIn, bodyOf, customerIn, textIn } from "../../found.ts";
import { perState } from "../../state/state.ts";
import { subscribeTo, subscriptionsOf, type TxPushSubscription, unsubscribe } from "../../state/txpush.ts";
import { afterwards, type StatefulFaultTable } from "../../stateful-faults.ts";

const SUBSCRIBE = "SubscribeToTxPushNotifications";
const DISABLE = "DisableTxPushNotifications";
const DELETE = "DeleteTxPushSubscription";

const deleted = perState(() => new Map<string, TxPushSubscription>());

export const TXPUSH_STATEFUL_FAULTS: StatefulFaultTable = {
  "DisableTxPushNotifications.deletes-all": {
    "newest-listener-stays": {
      [DISABLE](state, call, handle) {
        const account = accountIn(state, call);
        const last = newest(subscriptionsOf(state, account.id))?.callbackUrl;
        const urls = new Set(subscriptionsOf(state, account.id).map(({ callbackUrl }) => callbackUrl));
        if (urls.size < 2) return handle();
        unsubscribe(state, account.id, ({ callbackUrl }) => callbackUrl !== last);
        return { status: 204 };
      },
    },
  },
  "DeleteTxPushSubscription.stops-only-that": {
    "oldest-stops-instead": {
      [DELETE](state, call, handle) {
        const own = state.accounts.of(customerIn(state, call).id);
        const named = own.find((account) =>
          subscriptionsOf(state, account.id).some(({ id }) => Object.values(call.path).includes(id)),
        );
        const [oldest] = named === undefined ? [] : subscriptionsOf(state, named.id);
        if (named === undefined || oldest === undefined) return handle();
        unsubscribe(state, named.id, ({ id }) => id === oldest.id);
        return { status: 204 };
      },
    },
    "returns-with-next-listener": {
      [DELETE](state, call, handle) {
        for (const account of state.accounts.of(customerIn(state, call).id)) {
          for (const record of subscriptionsOf(state, account.id)) {
            if (Object.values(call.path).includes(record.id)) deleted(state).set(account.id, record);
          }
        }
        return handle();
      },
      [SUBSCRIBE]: afterwards((state) => {
        for (const [id, { callbackUrl, faulty }] of deleted(state)) {
          const account = state.accounts.find(id);
          if (account !== undefined) subscribeTo(state, account, callbackUrl, faulty);
        }
      }),
    },
  },
  "sequences.subscriptions-apart": {
    "disabling-reaches-other-accounts": {
      [DISABLE]: afterwards((state, call) => {
        for (const { id } of state.accounts.of(customerIn(state, call).id))
          unsubscribe(state, id, () => true);
      }),
    },
    "next-listener-takes-place-of-first": {
      [SUBSCRIBE]: afterwards((state, call) => {
        const url = textIn(bodyOf(call), "callbackUrl");
        unsubscribe(state, accountIn(state, call).id, (one) => one.callbackUrl !== url);
      }),
    },
  },
};
