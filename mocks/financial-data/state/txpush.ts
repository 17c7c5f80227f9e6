/** TxPush: the listeners of an account, and the events that are sent to them. */
import { createHmac } from "node:crypto";
import { defined } from "../../../helpers/contract/json.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { DAY } from "../../engine/values/units.ts";
import type { Behaviour, Call } from "../calls.ts";
import type { Account } from "./account.ts";
import { rowAt } from "./ledger.ts";
import { allSent, sendAside } from "./sending.ts";
import { type State, stored } from "./state.ts";

export interface TxPushSubscription {
  readonly id: string;
  readonly accountId: string;
  readonly type: "account" | "transaction";
  readonly callbackUrl: string;
  readonly signingKey: string;
  /** Whether a fault in force has this behaviour. Events are sent later, outside of any call. */
  faulty(behaviour: Behaviour): boolean;
}

export const subscriptionsOf = (state: State, accountId: string): readonly TxPushSubscription[] =>
  txPush(state).subscriptions.get(accountId) ?? [];

/** Adds one record of each class. It keeps existing records of the same listener. */
export const subscribeTo = (
  state: State,
  account: Account,
  callbackUrl: string,
  faulty: Call["faulty"],
): readonly TxPushSubscription[] => {
  const known = subscriptionsOf(state, account.id);
  const records = CLASSES.map((type): TxPushSubscription => {
    const same = known.find((record) => record.type === type && record.callbackUrl === callbackUrl);
    if (same !== undefined) return same;
    const id = state.newId("txpush-subscription");
    const signingKey = state.identifiers.key("txpush-signing-key", id);
    return { id, accountId: account.id, type, callbackUrl, signingKey, faulty };
  });
  const { subscriptions, watched } = txPush(state);
  subscriptions.set(account.id, [...known.filter((record) => !records.includes(record)), ...records]);
  if (!watched.has(account.id)) watch(state, account);
  return records;
};

const CLASSES: readonly TxPushSubscription["type"][] = ["account", "transaction"];

export const unsubscribe = (
  state: State,
  accountId: string,
  ends: (subscription: TxPushSubscription) => boolean,
): void => {
  const rest = subscriptionsOf(state, accountId).filter((subscription) => !ends(subscription));
  if (rest.length === 0) txPush(state).subscriptions.delete(accountId);
  else txPush(state).subscriptions.set(accountId, rest);
};

/** Subscribes to account events and sends them to the listeners. */
export const openTxPush = (state: State): void => {
  state.events.on("transactions-posted", ({ account, transactions }) => {
    const ledger = state.accounts.ledgerOf(account);
    send(state, account, "transaction", "created", () =>
      transactions.map((index) => transactionRecord(state, account, rowAt(ledger, index))),
    );
  });
  state.events.on("account-changed", ({ account, changed }) => {
    send(state, account, "account", "modified", () => [accountRecord(state, account, changed)]);
  });
  state.events.on("account-deleted", ({ account }) => unsubscribe(state, account.id, () => true));
};

/** Marks the events that occur during the function as test events of the client. */
export const asTest = (state: State, happen: () => void): void => {
  const push = txPush(state);
  push.testing = true;
  try {
    happen();
  } finally {
    push.testing = false;
  }
};

export const txPush = stored("tx-push", () => ({
  /** By account id. */
  subscriptions: new Map<string, readonly TxPushSubscription[]>(),
  /** Accounts whose next automatic aggregation is scheduled on the clock. */
  watched: new Set<string>(),
  testing: false,
}));

/** Continues to watch the accounts of an image. */
export const resumeTxPush = (state: State): void => {
  for (const id of [...txPush(state).watched]) {
    const account = state.accounts.find(id);
    if (account !== undefined) watch(state, account);
  }
};

/** Aggregates the account daily, even if no client reads it, while it has listeners. */
const watch = (state: State, account: Account): void => {
  const { watched } = txPush(state);
  watched.add(account.id);
  state.clock.at((account.attempted + DAY) * 1000, async () => {
    watched.delete(account.id);
    if (subscriptionsOf(state, account.id).length === 0) return;
    state.accounts.aggregate(account, "daily");
    await allSent(state);
    watch(state, account);
  });
};

const send = (
  state: State,
  account: Account,
  type: TxPushSubscription["type"],
  change: "created" | "modified",
  recordsOf: () => readonly Fields[],
): void => {
  const listening = subscriptionsOf(state, account.id).filter(
    (subscription) => subscription.type === type && !isSilent(state, account, subscription),
  );
  if (listening.length === 0) return;
  const records = recordsOf();
  const body = state.differs("other-payloads")
    ? { notification: { subject: type.toUpperCase(), action: change.toUpperCase(), items: records } }
    : { event: { class: type, type: change, records } };
  for (const { callbackUrl, signingKey } of listening) {
    const signature = createHmac("sha256", signingKey).update(JSON.stringify(body)).digest("hex");
    const headers = { "x-signature": signature };
    sendAside(state, { kind: `txpush-${type}`, url: callbackUrl, body, headers });
  }
};

const isSilent = (state: State, account: Account, { type, faulty }: TxPushSubscription): boolean => {
  if (faulty("txpush-nothing-sent")) return true;
  if (txPush(state).testing) return faulty(`txpush-test-without-${type}-event`);
  const pushes = state.institutions.find(account.institutionId)?.pushes !== false;
  return faulty(pushes ? `txpush-no-${type}-events` : "txpush-quiet-institutions-silent");
};

/** Returns an id as a JSON number, if a number can hold it. */
const numberIn = (id: string): number | string => (Number.isSafeInteger(Number(id)) ? Number(id) : id);

const transactionRecord = (
  state: State,
  account: Account,
  { id, amount, description, pending, transactionDate, postedDate }: ReturnType<typeof rowAt>,
): Fields => ({
  id,
  customerId: numberIn(account.customerId),
  accountId: numberIn(account.id),
  institutionId: account.institutionId,
  amount,
  description,
  status: pending ? "pending" : "active",
  ...defined({ transactionDate, postedDate }),
  createdDate: state.seconds(),
});

const accountRecord = (state: State, account: Account, changed: readonly string[]): Fields => ({
  ...Object.fromEntries(changed.map((name) => [name, account.given[name]])),
  id: numberIn(account.id),
  customerId: numberIn(account.customerId),
  institutionId: account.institutionId,
  type: account.type,
  status: account.status,
  balance: account.balance,
  balanceDate: state.seconds(),
});
