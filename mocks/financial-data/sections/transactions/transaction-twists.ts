/** How lists of transactions can go wrong from page to page, and after something was posted. */

import { fieldsIn } from "../../../engine/values/fields.ts";
import type { Call } from "../../faults.ts";
import { pathValue } from "../../found.ts";
import { afterwards, listing, on, type Twist, type TwistTable, timesOf } from "../../twists.ts";
import { perWorld } from "../../world/world.ts";

const LISTS = ["GetCustomerAccountTransactions", "GetAllCustomerTransactions"];

const inLists = (twist: Twist) => on(LISTS, twist);

const pageOf = ({ query }: Call): { readonly start: number; readonly limit: number } => ({
  start: Number(query.start ?? 1),
  limit: Number(query.limit ?? 25),
});

/** Ids of test transactions, by account. */
const posted = perWorld(() => new Map<string, unknown[]>());

const remembers = afterwards((world, call, { json }) => {
  const account = pathValue(call, "accountId");
  posted(world).set(account, [...(posted(world).get(account) ?? []), fieldsIn(json).id]);
});

/** @param hidden which of those that were posted to one account */
const hiding = (hidden: (ids: readonly unknown[]) => readonly unknown[]): Twist =>
  listing("transactions", (items, world) => {
    const gone = [...posted(world).values()].flatMap(hidden);
    return items.filter(({ id }) => !gone.includes(id));
  });

export const TRANSACTION_TWISTS: TwistTable = {
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
      ...inLists((world, call, handle) => {
        const { start } = pageOf(call);
        const shifted = start > 1 && posted(world).size > 0;
        return shifted ? handle({ query: { ...call.query, start: start - 1 } }) : handle();
      }),
    },
  },
  "sequences.lists-agree": {
    "newest-posted-not-listed": {
      CreateTxPushTestTransaction: remembers,
      GetCustomerAccountTransactions: hiding((ids) => ids.slice(-1)),
    },
    "second-posted-hides-first": {
      CreateTxPushTestTransaction: remembers,
      ...inLists(hiding((ids) => ids.slice(0, -1))),
    },
  },
  "sequences.untouched-stays": {
    "second-read-turns-amount": {
      async GetCustomerTransaction(world, call, handle) {
        const answer = await handle();
        const shown = answer.json as { readonly amount: number };
        const again = timesOf(world, "read", pathValue(call, "transactionId")) > 1;
        return again ? { ...answer, json: { ...shown, amount: -shown.amount } } : answer;
      },
    },
  },
};
