/** Recurring transactions: with and without a body, for one or several accounts, debits and credits. */
import type { AccountList, LinkedAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, fieldOf, isAccepted, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Transactions");
const RECURRING = "GetRecurringTransactions";
const OPTIONAL = `${RECURRING}.body-optional`;
const ACCOUNTS = `${RECURRING}.one-or-more-accounts`;
const DIRECTIONS = `${RECURRING}.debits-and-credits`;

/** Account types that usually have recurring transactions. */
const REGULAR = ["checking", "savings", "moneymarket"];

export const recurringTransactionScenarios = [
  scenario("transactions/recurring", {
    title: "recurring debits and credits are found with and without named accounts",
    operations: [RECURRING],
    requirements: [OPTIONAL, DIRECTIONS],
    async run(t) {
      const [first] = await regularAccounts(t);
      const bare = await t.answered(RECURRING, first.resources, { json: null });
      const body = await bodyNaming(t, [first]);
      const named = await t.answered(RECURRING, first.resources, { json: body });
      t.judgeAccepted(OPTIONAL, "a call without a body", [bare, named]);
      if (!isAccepted(named) && isAccepted(bare) && !t.isCallConfirmed(RECURRING))
        t.leaveUntried(OPTIONAL, "name-assumed", "the body was refused, and its field is assumed");
      else t.judgeAccepted(OPTIONAL, "a call with a body of account ids", [named, bare], "/accountIds");
      if (!isAccepted(bare)) throw new NotTried("not-arranged", "a call without a body was refused");
      const known = await t.situationIfOffered("recurring-transactions");
      const shown = known === undefined ? bare : await t.accepted(RECURRING, known, { json: null });
      judgeDirections(t, shown, known !== undefined);
    },
  }),

  scenario("transactions/recurring-accounts", {
    title: "recurring transactions are found in one account or in several",
    operations: [RECURRING],
    requirements: [ACCOUNTS],
    async run(t) {
      const [first, second] = await regularAccounts(t);
      if (second === undefined) throw new NotTried("lacks", "a customer with two linked accounts");
      for (const named of [[first], [first, second]]) {
        const json = await bodyNaming(t, named);
        const exchange = await t.accepted(RECURRING, first.resources, { json });
        const items = t.itemsIn(exchange);
        const shown = new Set(items.map((item) => String(fieldOf(item, "accountId") ?? "")));
        const ids = named.map((account) => account.id);
        const holds = shown.size === ids.length && ids.every((one) => shown.has(one));
        // On an external target an account may have no recurring transactions.
        t.recordIfConfirmed(ACCOUNTS, holds, [exchange], {
          message: `the recurring transactions are not those of exactly the ${named.length} named accounts`,
          expected: ids.join(", "),
          actual: [...shown].join(", ") || "nothing",
        });
      }
    },
  }),
];

const regularAccounts = async (t: T): Promise<AccountList["accounts"]> => {
  const { accounts } = await t.accountsOf();
  return accounts.toSorted((a, b) => rank(a) - rank(b)) as unknown as AccountList["accounts"];
};

const rank = ({ type }: LinkedAccount): number => {
  const place = REGULAR.indexOf(type);
  return place < 0 ? REGULAR.length : place;
};

const bodyNaming = async (t: T, accounts: readonly LinkedAccount[]): Promise<unknown> => {
  const body = await t.bodyFor(RECURRING, accounts[0]?.resources ?? {});
  const [name = "accountIds"] = Object.keys((body ?? {}) as object);
  return { ...(body as object), [name]: accounts.map((account) => account.id) };
};

/**
 * Judges the directions by the word debit or credit, or else by the sign of the amount.
 * @param isKnown whether the customer has recurring debits and credits
 */
const judgeDirections = (t: T, exchange: Exchange, isKnown: boolean): void => {
  const directions = new Set(t.itemsIn(exchange).flatMap((item) => directionOf(item) ?? []));
  const missing = (["debit", "credit"] as const).filter((one) => !directions.has(one));
  // A list without any direction may only use other words and signs.
  const isShown = t.isConfirmed() || (isKnown && (missing.length === 1 || t.itemsIn(exchange).length === 0));
  if (missing.length > 0 && !isShown)
    throw new NotTried("lacks", "accounts with recurring debits and credits");
  t.judgeThat(DIRECTIONS, missing.length === 0, [exchange], {
    message: `no recurring ${missing.join(" and no recurring ")} is shown`,
    expected: "recurring debits and credits",
    actual: [...directions].join(", ") || "neither",
  });
};

const directionOf = (item: unknown): "debit" | "credit" | undefined => {
  const words = Object.values((item ?? {}) as object).filter((value) => typeof value === "string");
  const word = words.find((value) => /^(debit|credit)s?$/i.test(value));
  if (word !== undefined) return /^d/i.test(word) ? "debit" : "credit";
  const amount = fieldOf(item, "averageAmount", "amount", "lastAmount");
  if (typeof amount !== "number" || amount === 0) return undefined;
  return amount < 0 ? "debit" : "credit";
};
