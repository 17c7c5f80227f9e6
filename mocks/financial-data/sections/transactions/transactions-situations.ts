/** Transactions that no client can bring about: pending ones, undated ones, thousands of them. */
import { DAY } from "../../../engine/values/units.ts";
import type { Situation } from "../../section.ts";
import { idAt, post } from "../../world/ledger.ts";
import { bringPending } from "../../world/pending.ts";
import type { World } from "../../world/world.ts";
import { environmentOf, linkedCustomer } from "../accounts/linked-accounts.ts";

const postUndated = (world: World, { accounts: [account] }: ReturnType<typeof linkedCustomer>): string => {
  if (account === undefined) return "";
  const ledger = world.accounts.ledgerOf(account);
  const postedDate = account.created - 20 * DAY;
  const index = post(ledger, {
    transactionDate: undefined,
    postedDate,
    amount: -21.4,
    description: "PAPER & PEN 22",
  });
  return String(idAt(ledger, index));
};

export const transactionSituations: Readonly<Record<string, Situation>> = {
  /** A transaction that posts within a day. */
  "pending-transaction"(world) {
    const linked = linkedCustomer(world, "pending", ["checking"]);
    const [account] = linked.accounts;
    const id = account === undefined ? undefined : bringPending(world, account);
    return { ...environmentOf(linked), FINANCIAL_DATA_TRANSACTION_ID: String(id) };
  },
  /** One transaction of which the institution knows only when it posted. */
  "undated-transaction"(world) {
    const linked = linkedCustomer(world, "undated", ["checking"]);
    return { ...environmentOf(linked), FINANCIAL_DATA_TRANSACTION_ID: postUndated(world, linked) };
  },
  /** An account with more transactions than fit on one page. */
  "many-transactions": (world) =>
    environmentOf(linkedCustomer(world, "busy", [{ type: "checking", perDay: 12 }])),
};
