/** Recurring transactions: with and without a body, of one account and of several, debits and credits. */
import {
  accepted,
  answered,
  bodyFor,
  fieldOf,
  itemsIn,
  namesAreCertain,
  operationOf,
} from "../../../fixtures/financial-data/calls.ts";
import { conclude, recordPair } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { accountsOf, type LinkedAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkAccepted } from "../../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Transactions";
const RECURRING = "GetRecurringTransactions";
const OPTIONAL = `${RECURRING}.body-optional`;
const ACCOUNTS = `${RECURRING}.one-or-more-accounts`;
const DIRECTIONS = `${RECURRING}.debits-and-credits`;

/** Money comes and goes regularly on these. */
const REGULAR = ["checking", "savings", "moneymarket"];

export const recurringTransactionScenarios: readonly Trial[] = [
  scenario(
    {
      id: "transactions/recurring",
      title: "recurring debits and credits are found, whether accounts are named or not",
      section: SECTION,
      operations: [RECURRING],
      requirements: [OPTIONAL, DIRECTIONS],
    },
    async (context) => {
      const [first] = (await regularAccounts(context)) as [LinkedAccount];
      const bare = await answered(context, RECURRING, first.resources, { json: null });
      const body = await bodyNaming(context, [first]);
      const named = await answered(context, RECURRING, first.resources, { json: body });
      const without = checkAccepted({ what: "a call without a body", pointer: "" }, bare, named);
      recordPair(context, OPTIONAL, without, [bare, named]);
      const withBody = checkAccepted(
        { what: "a call with a body of account ids", pointer: "/accountIds" },
        named,
        bare,
      );
      if (withBody?.holds === false && !bodyIsCertain(context)) {
        context.judge.notTried(id(OPTIONAL), "the body was refused, and its field is assumed");
      } else recordPair(context, OPTIONAL, withBody, [named, bare]);
      if (!isAccepted(bare)) throw new NotTried("a call without a body was refused");
      concludeDirections(context, bare);
    },
  ),

  scenario(
    {
      id: "transactions/recurring-accounts",
      title: "recurring transactions are found in one account or in several",
      section: SECTION,
      operations: [RECURRING],
      requirements: [ACCOUNTS],
    },
    async (context) => {
      const accounts = await regularAccounts(context);
      const [first, second] = accounts;
      if (first === undefined || second === undefined)
        throw new NotTried("needs a customer with two linked accounts");
      for (const named of [[first], [first, second]]) {
        const exchange = await accepted(context, RECURRING, first.resources, {
          json: await bodyNaming(context, named),
        });
        const shown = new Set(
          itemsIn(context, exchange).map((item) => String(fieldOf(item, "accountId") ?? "")),
        );
        const ids = named.map((account) => account.id);
        const expected = new Set(ids);
        const finding = {
          message: `what recurs in ${named.length} named accounts is not shown of them and of no other`,
          expected: ids.join(", "),
          actual: [...shown].join(", ") || "nothing",
        };
        const certain = namesAreCertain(context, RECURRING) && bodyIsCertain(context) && isOurs(context);
        const holds = shown.size === expected.size && ids.every((one) => shown.has(one));
        conclude(context, ACCOUNTS, { holds, certain, finding }, [exchange]);
      }
    },
  ),
];

const regularAccounts = async (context: TrialContext): Promise<readonly LinkedAccount[]> => {
  const { accounts } = await accountsOf(context);
  return [...accounts].sort((a, b) => rank(a) - rank(b));
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

const bodyIsCertain = (context: TrialContext): boolean =>
  isOurs(context) || operationOf(context, RECURRING).requestBody?.level === "provider";

/** Whether the accounts surely have something that recurs. */
const isOurs = (context: TrialContext): boolean => context.capabilities.has("new-implementation");

/** By the word for it, or else by the sign of the amount. */
const concludeDirections = (context: TrialContext, exchange: Exchange): void => {
  const directions = new Set(itemsIn(context, exchange).flatMap((item) => directionOf(item) ?? []));
  const missing = (["debit", "credit"] as const).filter((one) => !directions.has(one));
  const finding = {
    message: `no recurring ${missing.join(" and no recurring ")} is shown`,
    expected: "recurring debits and credits",
    actual: [...directions].join(", ") || "neither",
  };
  if (missing.length > 0 && !isOurs(context))
    throw new NotTried("needs accounts with recurring debits and credits");
  conclude(context, DIRECTIONS, { holds: missing.length === 0, certain: true, finding }, [exchange]);
};

const directionOf = (item: unknown): "debit" | "credit" | undefined => {
  const words = Object.values((item ?? {}) as object).filter((value) => typeof value === "string");
  const word = words.find((value) => /^(debit|credit)s?$/i.test(value));
  if (word !== undefined) return /^d/i.test(word) ? "debit" : "credit";
  const amount = fieldOf(item, "averageAmount", "amount", "lastAmount");
  if (typeof amount !== "number" || amount === 0) return undefined;
  return amount < 0 ? "debit" : "credit";
};
