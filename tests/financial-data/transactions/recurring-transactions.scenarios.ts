/** Recurring transactions: with and without a body, for one or several accounts, debits and credits. */

import {
  type AccountList,
  accountsOf,
  type LinkedAccount,
} from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { bodyFor, situationIfOffered } from "../../../helpers/trials/kit/calls.ts";
import { isCallConfirmed, isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { fieldOf, itemsIn } from "../../../helpers/trials/kit/reading.ts";
import {
  judgeAccepted,
  judgeThat,
  leaveUntried,
  recordIfConfirmed,
} from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Transactions");
const RECURRING = "GetRecurringTransactions";
const OPTIONAL = `${RECURRING}.body-optional`;
const ACCOUNTS = `${RECURRING}.one-or-more-accounts`;
const DIRECTIONS = `${RECURRING}.debits-and-credits`;

/** Account types that usually have recurring transactions. */
const REGULAR = ["checking", "savings", "moneymarket"];

export const recurringTransactionScenarios: readonly Trial[] = [
  scenario({
    id: "transactions/recurring",
    title: "recurring debits and credits are found with and without named accounts",
    operations: [RECURRING],
    requirements: [OPTIONAL, DIRECTIONS],
    async run(context) {
      const [first] = await regularAccounts(context);
      const bare = await answered(context, RECURRING, first.resources, { json: null });
      const body = await bodyNaming(context, [first]);
      const named = await answered(context, RECURRING, first.resources, { json: body });
      judgeAccepted(context, OPTIONAL, "a call without a body", [bare, named]);
      if (!isAccepted(named) && isAccepted(bare) && !isCallConfirmed(context, RECURRING))
        leaveUntried(context, OPTIONAL, "the body was refused, and its field is assumed");
      else
        judgeAccepted(context, OPTIONAL, "a call with a body of account ids", [named, bare], "/accountIds");
      if (!isAccepted(bare)) throw new NotTried("a call without a body was refused");
      const known = await situationIfOffered(context, "recurring-transactions");
      const shown = known === undefined ? bare : await accepted(context, RECURRING, known, { json: null });
      judgeDirections(context, shown, known !== undefined);
    },
  }),

  scenario({
    id: "transactions/recurring-accounts",
    title: "recurring transactions are found in one account or in several",
    operations: [RECURRING],
    requirements: [ACCOUNTS],
    async run(context) {
      const [first, second] = await regularAccounts(context);
      if (second === undefined) throw new NotTried("needs a customer with two linked accounts");
      for (const named of [[first], [first, second]]) {
        const json = await bodyNaming(context, named);
        const exchange = await accepted(context, RECURRING, first.resources, { json });
        const items = itemsIn(context, exchange);
        const shown = new Set(items.map((item) => String(fieldOf(item, "accountId") ?? "")));
        const ids = named.map((account) => account.id);
        const holds = shown.size === ids.length && ids.every((one) => shown.has(one));
        recordIfConfirmed(context, ACCOUNTS, holds, [exchange], {
          // On an external target an account may have no recurring transactions.
          confirmed: isConfirmed(context),
          message: `the recurring transactions are not those of exactly the ${named.length} named accounts`,
          expected: ids.join(", "),
          actual: [...shown].join(", ") || "nothing",
        });
      }
    },
  }),
];

const regularAccounts = async (context: TrialContext): Promise<AccountList["accounts"]> => {
  const { accounts } = await accountsOf(context);
  return accounts.toSorted((a, b) => rank(a) - rank(b)) as unknown as AccountList["accounts"];
};

const rank = ({ type }: LinkedAccount): number => {
  const place = REGULAR.indexOf(type);
  return place < 0 ? REGULAR.length : place;
};

const bodyNaming = async (context: TrialContext, accounts: readonly LinkedAccount[]): Promise<unknown> => {
  const body = await bodyFor(context, RECURRING, accounts[0]?.resources ?? {});
  const [name = "accountIds"] = Object.keys((body ?? {}) as object);
  return { ...(body as object), [name]: accounts.map((account) => account.id) };
};

/**
 * Judges the directions by the word debit or credit, or else by the sign of the amount.
 * @param isKnown whether the customer has recurring debits and credits
 */
const judgeDirections = (context: TrialContext, exchange: Exchange, isKnown: boolean): void => {
  const directions = new Set(itemsIn(context, exchange).flatMap((item) => directionOf(item) ?? []));
  const missing = (["debit", "credit"] as const).filter((one) => !directions.has(one));
  // A list without any direction may only use other words and signs.
  const isShown = isConfirmed(context) || (isKnown && (missing.length === 1 || isEmpty(context, exchange)));
  if (missing.length > 0 && !isShown) throw new NotTried("needs accounts with recurring debits and credits");
  judgeThat(context, DIRECTIONS, missing.length === 0, [exchange], {
    message: `no recurring ${missing.join(" and no recurring ")} is shown`,
    expected: "recurring debits and credits",
    actual: [...directions].join(", ") || "neither",
  });
};

const isEmpty = (context: TrialContext, exchange: Exchange): boolean =>
  itemsIn(context, exchange).length === 0;

const directionOf = (item: unknown): "debit" | "credit" | undefined => {
  const words = Object.values((item ?? {}) as object).filter((value) => typeof value === "string");
  const word = words.find((value) => /^(debit|credit)s?$/i.test(value));
  if (word !== undefined) return /^d/i.test(word) ? "debit" : "credit";
  const amount = fieldOf(item, "averageAmount", "amount", "lastAmount");
  if (typeof amount !== "number" || amount === 0) return undefined;
  return amount < 0 ? "debit" : "credit";
};
