/** TxPush: who listens to an account, and the events that they are sent. */

import { createHmac } from "node:crypto";
import { defined } from "../../../helpers/contract/json.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { DAY } from "../../engine/values/units.ts";
import type { Behaviour, Bent } from "../faults.ts";
import type { Account } from "./account.ts";
import { rowAt } from "./ledger.ts";
import { allSent, sendAside } from "./sending.ts";
import { perWorld, type World } from "./world.ts";

export type EventClass = "account" | "transaction";

export interface TxPushSubscription {
  readonly id: string;
  readonly accountId: string;
  readonly type: EventClass;
  readonly callbackUrl: string;
  readonly signingKey: string;
  /** Whether a fault asks for a behaviour; what is sent later has no call of its own to ask. */
  bent(behaviour: Behaviour): boolean;
}

export const subscriptionsOf = (world: World, accountId: string): readonly TxPushSubscription[] =>
  txPush(world).subscriptions.get(accountId) ?? [];

/** One record of each class; what listens there already stays as it is. */
export const subscribeTo = (
  world: World,
  account: Account,
  callbackUrl: string,
  bent: Bent,
): readonly TxPushSubscription[] => {
  const known = subscriptionsOf(world, account.id);
  const records = CLASSES.map((type): TxPushSubscription => {
    const same = known.find((record) => record.type === type && record.callbackUrl === callbackUrl);
    if (same !== undefined) return same;
    const id = world.newId("txpush-subscription");
    const signingKey = world.identifiers.key("txpush-signing-key", id);
    return { id, accountId: account.id, type, callbackUrl, signingKey, bent };
  });
  const { subscriptions, watched } = txPush(world);
  subscriptions.set(account.id, [...known.filter((record) => !records.includes(record)), ...records]);
  if (!watched.has(account.id)) watch(world, account);
  return records;
};

const CLASSES: readonly EventClass[] = ["account", "transaction"];

export const unsubscribe = (
  world: World,
  accountId: string,
  ends: (subscription: TxPushSubscription) => boolean,
): void => {
  const rest = subscriptionsOf(world, accountId).filter((subscription) => !ends(subscription));
  if (rest.length === 0) txPush(world).subscriptions.delete(accountId);
  else txPush(world).subscriptions.set(accountId, rest);
};

/** Sends what happens to accounts from now on. */
export const openTxPush = (world: World): void => {
  world.happenings.on("transactions-posted", ({ account, transactions }) => {
    const ledger = world.accounts.ledgerOf(account);
    send(world, account, "transaction", "created", () =>
      transactions.map((index) => transactionRecord(world, account, rowAt(ledger, index))),
    );
  });
  world.happenings.on("account-changed", ({ account, changed }) => {
    send(world, account, "account", "modified", () => [accountRecord(world, account, changed)]);
  });
  world.happenings.on("account-deleted", ({ account }) => unsubscribe(world, account.id, () => true));
};

/** What happens meanwhile happens for the sake of a test of the client. */
export const asTest = (world: World, happen: () => void): void => {
  const state = txPush(world);
  state.testing = true;
  try {
    happen();
  } finally {
    state.testing = false;
  }
};

const txPush = perWorld(() => ({
  /** By account id. */
  subscriptions: new Map<string, readonly TxPushSubscription[]>(),
  /** Accounts whose automatic aggregation is due on the clock. */
  watched: new Set<string>(),
  testing: false,
}));

/** Aggregates every day although nobody reads the account, as long as somebody listens to it. */
const watch = (world: World, account: Account): void => {
  const { watched } = txPush(world);
  watched.add(account.id);
  world.clock.at((account.attempted + DAY) * 1000, async () => {
    watched.delete(account.id);
    if (subscriptionsOf(world, account.id).length === 0) return;
    world.accounts.aggregate(account, "daily");
    await allSent(world);
    watch(world, account);
  });
};

const send = (
  world: World,
  account: Account,
  type: EventClass,
  change: "created" | "modified",
  recordsOf: () => readonly Fields[],
): void => {
  const listening = subscriptionsOf(world, account.id).filter(
    (subscription) => subscription.type === type && !isSilent(world, account, subscription),
  );
  if (listening.length === 0) return;
  const body = { event: { class: type, type: change, records: recordsOf() } };
  for (const { callbackUrl, signingKey } of listening) {
    const signature = createHmac("sha256", signingKey).update(JSON.stringify(body)).digest("hex");
    const headers = { "x-signature": signature };
    sendAside(world, { kind: `txpush-${type}`, url: callbackUrl, body, headers });
  }
};

const isSilent = (world: World, account: Account, { type, bent }: TxPushSubscription): boolean => {
  if (bent("txpush-nothing-sent")) return true;
  if (txPush(world).testing) return bent(`txpush-test-without-${type}-event`);
  const pushes = world.institutions.find(account.institutionId)?.pushes !== false;
  return bent(pushes ? `txpush-no-${type}-events` : "txpush-quiet-institutions-silent");
};

const transactionRecord = (
  world: World,
  account: Account,
  { id, amount, description, pending, transactionDate, postedDate }: ReturnType<typeof rowAt>,
): Fields => ({
  id,
  customerId: Number(account.customerId),
  accountId: Number(account.id),
  institutionId: account.institutionId,
  amount,
  description,
  status: pending ? "pending" : "active",
  ...defined({ transactionDate, postedDate }),
  createdDate: world.seconds(),
});

const accountRecord = (world: World, account: Account, changed: readonly string[]): Fields => ({
  ...Object.fromEntries(changed.map((name) => [name, account.given[name]])),
  id: Number(account.id),
  customerId: Number(account.customerId),
  institutionId: account.institutionId,
  type: account.type,
  status: account.status,
  balance: account.balance,
  balanceDate: world.seconds(),
});
