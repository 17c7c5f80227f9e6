/** Transaction lists: dates, order, windows of any length, and optional parameters. */

import { accountOfType, accountsOf } from "../../../fixtures/financial-data/linked-accounts.ts";
import {
  DAY,
  dateIn,
  lastDays,
  listTransactions,
  OF_ACCOUNT,
  OF_CUSTOMER,
  placeOf,
  spanOf,
  TRANSACTION_LISTS,
  transactionKeys,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { checkOrder } from "../../../helpers/checks/order.ts";
import { shownValue } from "../../../helpers/exchange/check-result.ts";
import { contentOf, type Exchange } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { type Resources, situationIfOffered } from "../../../helpers/trials/kit/calls.ts";
import { isParameterConfirmed, operationOf } from "../../../helpers/trials/kit/names.ts";
import { type Page, pageQuery } from "../../../helpers/trials/kit/pages.ts";
import { tryParameter } from "../../../helpers/trials/kit/parameters.ts";
import { idOf, itemsIn, listsResource, unbound } from "../../../helpers/trials/kit/reading.ts";
import { judgeAccepted, judgeThat, leaveUntried, record } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Transactions");
const DATES = "transaction.dates";
const SORTED = "transactions.sorted-by-transactionDate";
const FALLBACK = "transactions.sort-falls-back-to-postedDate";
const WINDOW = "transactions.no-window-limit";
const PENDING = "transactions.include-pending-query";
const SORT = "transactions.sort-query";

const LISTED = "sequences.lists-agree";

/** The longest page, and the number of accounts that are read at most to find two with transactions. */
const WHOLE = 1000;
const MOST_ACCOUNTS = 4;
/** Enough transactions to include some without a transactionDate. */
const MANY = 200;
/** The number of transactions on a page, of which a list has several. */
const FEW = 10;

export const transactionScenarios: readonly Trial[] = [
  scenario({
    id: "transactions/dates",
    title: "transactions have a transactionDate and a postedDate",
    operations: [...TRANSACTION_LISTS, "GetCustomerTransaction"],
    requirements: [DATES],
    async run(context) {
      const resources = await spendingAccount(context);
      const halfYear = lastDays(context, 180);
      const list = await listTransactions(context, OF_ACCOUNT, resources, halfYear);
      judgeDates(context, list);
      judgeDates(context, await listTransactions(context, OF_CUSTOMER, resources, halfYear));
      const [first] = list.items;
      if (first === undefined) throw new NotTried("needs an account with transactions");
      const transaction = idOf(context, OF_ACCOUNT, "transaction", first);
      if (transaction === undefined) throw unbound(OF_ACCOUNT, "transaction in its items");
      const single = await accepted(context, "GetCustomerTransaction", { ...resources, transaction });
      for (const name of ["transactionDate", "postedDate"] as const) {
        const [listed, read] = [dateIn(first, name), dateIn(contentOf(single), name)];
        judgeThat(context, DATES, listed === read, [single], {
          message: `a transaction has a different ${name} when it is read alone`,
          expected: `${listed}`,
          actual: `${read}`,
        });
      }
    },
  }),

  scenario({
    id: "transactions/of-accounts",
    title: "the list of a customer has the transactions of two accounts, and each account has its own",
    operations: TRANSACTION_LISTS,
    requirements: [LISTED],
    run: compareAccounts,
  }),

  scenario({
    id: "transactions/order",
    title: "lists are sorted by transactionDate, or by postedDate if there is none",
    operations: TRANSACTION_LISTS,
    requirements: [SORTED, FALLBACK, SORT],
    async run(context) {
      // The account of an institution that omits some transaction dates, if the target offers one.
      const undated = await situationIfOffered(context, "undated-transaction");
      const resources = undated ?? (await spendingAccount(context));
      const halfYear = lastDays(context, 180);
      for (const operationId of TRANSACTION_LISTS) {
        const parameters = { ...halfYear, ...pageQuery(context, operationId, 0, MANY) };
        const plain = await listTransactions(context, operationId, resources, parameters);
        judgeOrder(context, [plain.exchange]);
        for (const value of ["asc", "desc"]) {
          const trial = { operationId, name: "sort", value, base: { parameters } };
          const sorted = await tryParameter(context, SORT, trial, resources);
          if (sorted === undefined) continue;
          judgeOrder(context, [sorted.probe]);
          const pages: Page[] = [];
          for (const offset of [0, FEW]) {
            const own = { ...halfYear, ...pageQuery(context, operationId, offset, FEW), sort: value };
            pages.push(await listTransactions(context, operationId, resources, own));
          }
          judgePages(context, pages);
        }
      }
    },
  }),

  scenario({
    id: "transactions/window",
    title: "the window of a list may be of any length",
    operations: TRANSACTION_LISTS,
    requirements: [WINDOW],
    async run(context) {
      const resources = await spendingAccount(context);
      const now = Math.floor(context.clock.now() / 1000);
      for (const operationId of TRANSACTION_LISTS) {
        const short = spanOf(context, now - 30 * DAY, now);
        const control = await answered(context, operationId, resources, { parameters: short });
        for (const years of [3, 30]) {
          const long = spanOf(context, now - years * 365 * DAY, now);
          const probe = await answered(context, operationId, resources, { parameters: long });
          judgeAccepted(context, WINDOW, `a window of ${years} years`, [probe, control], "fromDate");
        }
      }
    },
  }),

  scenario({
    id: "transactions/pending",
    title: "lists can include pending transactions",
    operations: TRANSACTION_LISTS,
    requirements: [PENDING],
    async run(context) {
      const named = await situationIfOffered(context, "pending-transaction");
      const resources = named ?? (await spendingAccount(context));
      for (const operationId of TRANSACTION_LISTS) {
        // The default order is not documented, so the page must contain all transactions of the window.
        const { paging } = operationOf(context, operationId);
        const base = {
          parameters: { ...lastDays(context, 5), ...(paging !== undefined && { [paging.limit]: 500 }) },
        };
        for (const value of [true, false]) {
          const trial = { operationId, name: "includePending", value, base };
          const tried = await tryParameter(context, PENDING, trial, resources);
          if (tried === undefined || named?.transaction === undefined) continue;
          const isListed = listsResource(context, tried.probe, "transaction", named.transaction);
          const isKnown = isParameterConfirmed(context, operationId, trial.name);
          // A server that has another name for the parameter ignores it.
          if (value && !isListed && !isKnown) {
            leaveUntried(
              context,
              PENDING,
              "whether the server knows the parameter includePending is not shown",
            );
            continue;
          }
          judgeThat(context, PENDING, isListed === value, [tried.probe], {
            message: `with includePending=${value} a pending transaction is ${value ? "omitted" : "listed"}`,
            expected: value ? "it is listed" : "it is omitted",
            actual: `${itemsIn(context, tried.probe).length} transactions ${value ? "without" : "with"} it`,
          });
        }
      }
    },
  }),
];

const spendingAccount = async (context: TrialContext): Promise<Resources> =>
  (await accountOfType(context, "checking", "savings", "creditcard")).resources;

const judgeDates = (context: TrialContext, { items, exchange }: Page): void => {
  if (items.length === 0) return;
  for (const name of ["transactionDate", "postedDate"] as const) {
    const dated = items.filter((item) => dateIn(item, name) !== undefined);
    judgeThat(context, DATES, dated.length > 0, [exchange], {
      message: `none of ${items.length} transactions has a ${name}`,
      expected: `a ${name}, if the institution knows one`,
      actual: Object.keys(items[0] as object).join(", "),
    });
  }
  const bare = items.find((item) => placeOf(item) === undefined);
  judgeThat(context, DATES, bare === undefined, [exchange], {
    message: "a transaction has neither date",
    expected: "a transactionDate or a postedDate",
    actual: shownValue(bare),
  });
};

/** Judges the order of two pages together, unless the server has other names for the parameters of pages. */
const judgePages = (context: TrialContext, pages: readonly Page[]): void => {
  const items = pages.flatMap((page) => page.items.map((item) => JSON.stringify(item)));
  const arePages = pages.every((page) => page.items.length <= FEW) && new Set(items).size === items.length;
  if (arePages)
    judgeOrder(
      context,
      pages.map(({ exchange }) => exchange),
    );
};

/**
 * Judges the order, first by transactionDate, then by the fallback date. The direction of the order is not documented
 * (gaps: sort values).
 */
const judgeOrder = (context: TrialContext, exchanges: readonly Exchange[]): void => {
  const items = exchanges.flatMap((exchange) => itemsIn(context, exchange));
  const dated = items.flatMap((item) => dateIn(item, "transactionDate") ?? []);
  const all = items.flatMap((item) => placeOf(item) ?? []);
  const byDate = checkOrder("/transactionDate", dated);
  if (byDate === undefined) {
    leaveUntried(context, [SORTED, FALLBACK], "needs transactions of two days at least");
    return;
  }
  record(context, SORTED, byDate, exchanges);
  const result = byDate.holds && all.length > dated.length ? checkOrder("/postedDate", all) : undefined;
  if (result !== undefined) record(context, FALLBACK, result, exchanges);
  else leaveUntried(context, FALLBACK, "needs a transaction that has no transactionDate");
};

/** Reads the transactions of two accounts, and then the list of their customer, in the same window. */
async function compareAccounts(context: TrialContext): Promise<void> {
  const { accounts } = await accountsOf(context);
  const read = (operationId: string, resources: Resources) =>
    listTransactions(context, operationId, resources, {
      ...lastDays(context, 60),
      ...pageQuery(context, operationId, 0, WHOLE),
    });
  const own: (Page & { readonly id: string })[] = [];
  for (const { id, resources } of accounts.slice(0, MOST_ACCOUNTS)) {
    const page = await read(OF_ACCOUNT, resources);
    if (page.items.length > 0) own.push({ ...page, id });
    if (own.length === 2) break;
  }
  const [first, second] = own;
  if (first === undefined || second === undefined) throw new NotTried("needs an account with transactions");
  // Without identifiers, equal transactions of two accounts may be two, and lists may show different fields.
  const identify = ({ items }: Page, operationId: string): void => {
    if (items.some((item) => idOf(context, operationId, "transaction", item) === undefined))
      throw unbound(operationId, "transaction in its items");
  };
  for (const page of own) identify(page, OF_ACCOUNT);
  const [one, other] = [first, second].map(({ items, id }) =>
    items.map((item) => JSON.stringify(item).replaceAll(id, "")),
  );
  const both = one?.find((item) => other?.includes(item));
  judgeThat(context, LISTED, both === undefined, [second.exchange, first.exchange], {
    message: "two accounts list the same transaction",
    expected: "the transactions of one account",
    actual: both ?? "",
  });
  const [{ resources }] = accounts;
  const keysIn = ({ items }: Page) => transactionKeys(context, items);
  const lostFrom = (all: Page, part: Page) => {
    const known = new Set(keysIn(all));
    return keysIn(part).filter((key) => !known.has(key));
  };
  const all = await readUntil(
    context,
    () => read(OF_CUSTOMER, resources),
    (page) => own.every((part) => lostFrom(page, part).length === 0),
  );
  identify(all, OF_CUSTOMER);
  // Otherwise the others may be on the next page.
  const isWhole = all.items.length < WHOLE;
  for (const part of isWhole ? own : []) {
    const lost = lostFrom(all, part);
    judgeThat(context, LISTED, lost.length === 0, [all.exchange, part.exchange], {
      message: `the list of a customer lacks ${lost.length} of ${part.items.length} transactions of an account`,
      expected: "all transactions of the account",
      actual: lost.slice(0, 3).join(", "),
    });
  }
}
