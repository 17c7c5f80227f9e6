/** TxPush subscriptions of two accounts: each record delivers until it is deleted or its account is disabled. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { Listener } from "../../../fixtures/financial-data/listening.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import { DISABLE, SUBSCRIBE, standardAddress, TEST } from "../../../fixtures/financial-data/txpush-calls.ts";
import { instancesAt } from "../../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Action, Assertion, Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import { removing } from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { type Call, NotTried, withFields } from "../../../helpers/trials/kit/language.ts";
import { judgeArrival, judgeQuiescence, type Mailbox, provesQuiescence } from "./events.ts";
import { adopting, isLinked, type Linked, type LinkedCustomers, linkedCustomers } from "./linked.ts";
import { sequenceTrial } from "./sequences.ts";

interface State extends Linked {
  records: readonly { readonly id: string; readonly account: string; readonly address: string }[];
  readonly mail: Mailbox;
  /** The requirement of the call that last ended records of an address. */
  readonly endedBy: { [address: string]: string };
  /** Accounts that changed after their last test transaction. */
  stirred: readonly string[];
  /** Whether an event has occurred that some address must not receive. */
  proved: boolean;
  /** The requirement of the last call, which must not affect the existing subscriptions. */
  last: string;
}

const DELETE = "DeleteTxPushSubscription";
const DISABLED = id("DisableTxPushNotifications.deletes-all");
const STOPPED = id("DeleteTxPushSubscription.stops-only-that");
const APART = id("sequences.subscriptions-apart");
const TESTED = id("CreateTxPushTestTransaction.transaction-event");

const ACCOUNTS = 2;
const MOST_RECORDS = 8;

const modelOf = (t: T, listener: Listener, customers: LinkedCustomers): Model<State> => {
  const calls = callerFor(t);
  return {
    start: () => ({
      ...customers.start(),
      records: [],
      mail: {},
      endedBy: {},
      stirred: [],
      proved: false,
      last: TESTED,
    }),
    commands: [
      ...customers.commands<State>(calls),
      {
        name: "subscribe a listener to an account",
        when: (state) => isLinked(state) && state.records.length < MOST_RECORDS,
        call: async ({ resources, records }, { seed, pick }) => {
          const countOf = ({ ids }: ModelResource) =>
            records.filter(({ account }) => account === ids.account).length;
          const least = Math.min(...watched(resources).map(countOf));
          const { ids } = pick(watched(resources).filter((account) => countOf(account) === least));
          const address = standardAddress(listener);
          const call = withFields(await calls.of(SUBSCRIBE, ids, seed), { callbackUrl: address });
          return subscribed(t, call, ids.account ?? "", { address, listener });
        },
      },
      {
        name: "delete a TxPush subscription",
        operationId: DELETE,
        removes: true,
        when: ({ records }) => records.length > 2,
        call: async ({ resources, records }, { pick }) => {
          const later = records.filter(({ account }, index) =>
            records.slice(0, index).some((one) => one.account === account),
          );
          const record = pick(later.length > 0 ? later : records);
          const owner = resources.find(({ ids }) => ids.account === record.account);
          const call = await calls.of(DELETE, { ...owner?.ids, "txpush-subscription": record.id });
          return ended(call, STOPPED, (one) => one.id === record.id);
        },
      },
      {
        name: "disable TxPush for an account",
        operationId: DISABLE,
        removes: true,
        when: ({ records }) => new Set(records.map(({ account }) => account)).size > 1,
        call: async ({ resources, records }, { pick }) => {
          const several = records.filter(({ account: one, address }) =>
            records.some((other) => other.account === one && other.address !== address),
          );
          const { account } = pick(several.length > 0 ? several : records);
          const owner = resources.find(({ ids }) => ids.account === account);
          return ended(await calls.of(DISABLE, owner?.ids), DISABLED, (one) => one.account === account);
        },
      },
    ],
    queries: (state) => [
      ...adopting(t, calls, state),
      ...watched(state.resources).map((account) => testing(calls, listener, state, account)),
    ],
    end: async ({ mail, endedBy, proved }, note) => {
      if (proved) await judgeQuiescence(listener, mail, (address) => endedBy[address] ?? APART, note);
    },
    leave: removing(calls, { customer: "DeleteCustomer" }),
  };
};

const watched = (resources: readonly ModelResource[]): ModelResource[] =>
  alive(resources, "account").slice(0, ACCOUNTS);

const subscribed = (
  t: T,
  call: Call,
  account: string,
  { address, listener }: { readonly address: string; readonly listener: Listener },
): Action<State> => ({
  call,
  expect: (state: State, exchange: Exchange) => {
    if (!isAccepted(exchange)) throw new NotTried("refused", SUBSCRIBE, "a listener", statusOf(exchange));
    listener.verified(address);
    const [place] = t.operationOf(SUBSCRIBE).produces;
    const own = place?.pointer.replace(/^.*\/(\*|\d+)(?=\/)/, "") ?? "/id";
    const made = t.recordsIn(exchange).flatMap((record) => {
      const [found] = instancesAt(record, own);
      return found === undefined ? [] : [{ id: String(found.value), account, address }];
    });
    state.records = [...state.records, ...made];
    state.mail[address] = 0;
    state.stirred = [...state.stirred, account];
    state.last = APART;
  },
});

const ended = (
  call: Call,
  requirement: string,
  ends: (record: State["records"][number]) => boolean,
): Action<State> => ({
  call,
  expect: (state: State, exchange: Exchange) => {
    if (!isAccepted(exchange)) return;
    for (const { address } of state.records.filter(ends)) state.endedBy[address] = requirement;
    state.records = state.records.filter((record) => !ends(record));
    // Test all accounts: the call may have affected other subscriptions too.
    state.stirred = watched(state.resources).map(({ ids }) => ids.account ?? "");
    state.last = requirement === DISABLED ? APART : STOPPED;
  },
});

/**
 * Posts a test transaction. Each record of the account gets one event. The two events of one listener differ in
 * content.
 */
const testing = (
  calls: Caller,
  listener: Listener,
  { stirred }: State,
  { ids, name }: ModelResource,
): Query<State> => ({
  name: `the deliveries after a test transaction of ${name}`,
  due: stirred.includes(ids.account ?? ""),
  call: async () => ({
    call: await calls.of(TEST, ids, stirred.length),
    expect: async (state: State, exchange: Exchange, note: Assertion) => {
      state.stirred = state.stirred.filter((account) => account !== ids.account);
      if (!isAccepted(exchange)) return;
      const own = state.records.filter(({ account }) => account === ids.account);
      state.proved ||= provesQuiescence(
        state.mail,
        own.map(({ address }) => address),
      );
      for (const { address } of own) state.mail[address] = (state.mail[address] ?? 0) + 1;
      for (const address of new Set(own.map((record) => record.address)))
        await judgeArrival(listener, state.mail, address, state.last, note);
    },
  }),
});

export const txPushSequences = sequenceTrial<State>(
  {
    name: "txpush",
    title: "each TxPush subscription delivers only until it ends",
    section: "TxPush",
    operations: [SUBSCRIBE, DISABLE, DELETE, TEST],
    requirements: [DISABLED, STOPPED, APART],
  },
  async (t, walk) => {
    const customers = await linkedCustomers(t);
    await t.listening((listener) => walk({ model: modelOf(t, listener, customers), steps: 26 }));
  },
);
