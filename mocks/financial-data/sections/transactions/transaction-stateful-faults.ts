/** Stateful faults of transaction lists, across pages and after a transaction was posted. */
import { fieldsIn } from "../../../engine/values/fields.ts";
import type { Call } from "../../calls.ts";
import { pathValue } from "../../found.ts";
import { perState } from "../../state/state.ts";
import {
  afterwards,
  listing,
  on,
  type StatefulFault,
  type StatefulFaultTable,
  timesOf,
} from "../../stateful-faults.ts";

const LISTS = ["GetCustomerAccountTransactions", "GetAllCustomerTransactions"];

const inLists = (statefulFault: StatefulFault) => on(LISTS, statefulFault);

const pageOf = ({ query }: Call): { readonly start: number; readonly limit: number } => ({
  start: Number(query.start ?? 1),
  limit: Number(query.limit ?? 25),
});

/** Ids of test transactions by account. */
const posted = perState(() => new Map<string, unknown[]>());

const remembers = afterwards((state, call, { json }) => {
  const account = pathValue(call, "accountId");
  posted(state).set(account, [...(posted(state).get(account) ?? []), fieldsIn(json).id]);
});

/** @param hidden selects the transactions to hide from those posted to one account */
const hiding = (hidden: (ids: readonly unknown[]) => readonly unknown[]): StatefulFault =>
  listing("transactions", (items, state) => {
    const gone = [...posted(state).values()].flatMap(hidden);
    return items.filter(({ id }) => !gone.includes(id));
  });

export const TRANSACTION_STATEFUL_FAULTS: StatefulFaultTable = {
  "transactions.start-limit-query": {
    "third-page-overlaps": inLists((_, call, handle) => {
      const { start, limit } = pageOf(call);
      return start > 2 * limit ? handle({ query: { ...call.query, start: start - 1 } }) : handle();
    }),
    "second-page-leaves-one-out": inLists((_, call, handle) => {
      const { start, limit } = pageOf(call);
      return start > limit ? handle({ query: { ...call.query, start: start + 1 } }) : handle();
    }),
    "last-page-empty": inLists(
      listing("transactions", (items, _, call) => {
        const { start, limit } = pageOf(call);
        return start > 1 && items.length < limit ? [] : items;
      }),
    ),
    "pages-shift-after-posting": {
      CreateTxPushTestTransaction: remembers,
      ...inLists((state, call, handle) => {
        const { start } = pageOf(call);
        const shifted = start > 1 && posted(state).size > 0;
        return shifted ? handle({ query: { ...call.query, start: start - 1 } }) : handle();
      }),
    },
  },
  "sequences.lists-agree": {
    "newest-posted-not-listed": {
      CreateTxPushTestTransaction: remembers,
      GetCustomerAccountTransactions: hiding((ids) => ids.slice(-1)),
    },
    "customer-list-of-one-account": {
      GetAllCustomerTransactions: listing("transactions", (items) =>
        items.filter(({ accountId }) => accountId === items[0]?.accountId),
      ),
    },
    "account-lists-of-first-account": {
      async GetCustomerAccountTransactions(state, call, handle) {
        const own = pathValue(call, "accountId");
        const [first] = state.accounts.of(pathValue(call, "customerId"));
        const isThere = state.accounts.find(own) !== undefined && first !== undefined;
        const other = { ...call.path, accountId: first?.id ?? "" };
        return listing("transactions", (items) => items.map((item) => ({ ...item, accountId: own })))(
          state,
          call,
          () => handle(isThere ? { path: other } : {}),
        );
      },
    },
    "second-posted-hides-first": {
      CreateTxPushTestTransaction: remembers,
      ...inLists(hiding((ids) => ids.slice(0, -1))),
    },
  },
  "sequences.untouched-stays": {
    "second-read-turns-amount": {
      async GetCustomerTransaction(state, call, handle) {
        const answer = await handle();
        const shown = answer.json as { readonly amount: number };
        const again = timesOf(state, "read", pathValue(call, "transactionId")) > 1;
        return again ? { ...answer, json: { ...shown, amount: -shown.amount } } : answer;
      },
    },
  },
};
