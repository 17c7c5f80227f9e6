/** Transaction lists: dates, order, windows of any length, and optional parameters. */
import {
  DAY,
  dateIn,
  OF_ACCOUNT,
  OF_CUSTOMER,
  placeOf,
  TRANSACTION_LISTS,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { checkOrder } from "../../../helpers/checks/order.ts";
import { shownValue } from "../../../helpers/exchange/check-result.ts";
import { contentOf, type Exchange } from "../../../helpers/exchange/exchange.ts";
import { NotTried, type Page, type Resources, unbound } from "../../../helpers/trials/kit/language.ts";

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

export const transactionScenarios = [
  scenario("transactions/dates", {
    title: "transactions have a transactionDate and a postedDate",
    operations: [...TRANSACTION_LISTS, "GetCustomerTransaction"],
    requirements: [DATES],
    async run(t) {
      const resources = await spendingAccount(t);
      const halfYear = t.lastDays(180);
      const list = await t.listTransactions(OF_ACCOUNT, resources, halfYear);
      judgeDates(t, list);
      judgeDates(t, await t.listTransactions(OF_CUSTOMER, resources, halfYear));
      const [first] = list.items;
      if (first === undefined) throw new NotTried("lacks", "an account with transactions");
      const transaction = t.idOf(OF_ACCOUNT, "transaction", first);
      if (transaction === undefined) throw unbound(OF_ACCOUNT, "transaction in its items");
      const single = await t.accepted("GetCustomerTransaction", { ...resources, transaction });
      for (const name of ["transactionDate", "postedDate"] as const) {
        const [listed, read] = [dateIn(first, name), dateIn(contentOf(single), name)];
        t.judgeThat(DATES, listed === read, [single], {
          message: `a transaction has a different ${name} when it is read alone`,
          expected: `${listed}`,
          actual: `${read}`,
        });
      }
    },
  }),

  scenario("transactions/of-accounts", {
    title: "the list of a customer has the transactions of two accounts, and each account has its own",
    operations: TRANSACTION_LISTS,
    requirements: [LISTED],
    run: compareAccounts,
  }),

  scenario("transactions/order", {
    title: "lists are sorted by transactionDate, or by postedDate if there is none",
    operations: TRANSACTION_LISTS,
    requirements: [SORTED, FALLBACK, SORT],
    async run(t) {
      // The account of an institution that omits some transaction dates, if the target offers one.
      const undated = await t.situationIfOffered("undated-transaction");
      const resources = undated ?? (await spendingAccount(t));
      const halfYear = t.lastDays(180);
      for (const operationId of TRANSACTION_LISTS) {
        const parameters = { ...halfYear, ...t.pageQuery(operationId, 0, MANY) };
        const plain = await t.listTransactions(operationId, resources, parameters);
        judgeOrder(t, [plain.exchange]);
        for (const value of ["asc", "desc"]) {
          const trial = { operationId, name: "sort", value, base: { parameters } };
          const sorted = await t.tryParameter(SORT, trial, resources);
          if (sorted === undefined) continue;
          judgeOrder(t, [sorted.probe]);
          const pages: Page[] = [];
          for (const offset of [0, FEW]) {
            const own = { ...halfYear, ...t.pageQuery(operationId, offset, FEW), sort: value };
            pages.push(await t.listTransactions(operationId, resources, own));
          }
          judgePages(t, pages);
        }
      }
    },
  }),

  scenario("transactions/window", {
    title: "the window of a list may be of any length",
    operations: TRANSACTION_LISTS,
    requirements: [WINDOW],
    async run(t) {
      const resources = await spendingAccount(t);
      const now = Math.floor(t.clock.now() / 1000);
      for (const operationId of TRANSACTION_LISTS) {
        const short = t.spanOf(now - 30 * DAY, now);
        const control = await t.answered(operationId, resources, { parameters: short });
        for (const years of [3, 30]) {
          const long = t.spanOf(now - years * 365 * DAY, now);
          const probe = await t.answered(operationId, resources, { parameters: long });
          t.judgeAccepted(WINDOW, `a window of ${years} years`, [probe, control], "fromDate");
        }
      }
    },
  }),

  scenario("transactions/pending", {
    title: "lists can include pending transactions",
    operations: TRANSACTION_LISTS,
    requirements: [PENDING],
    async run(t) {
      const named = await t.situationIfOffered("pending-transaction");
      const resources = named ?? (await spendingAccount(t));
      for (const operationId of TRANSACTION_LISTS) {
        // The default order is not documented, so the page must contain all transactions of the window.
        const { paging } = t.operationOf(operationId);
        const base = {
          parameters: { ...t.lastDays(5), ...(paging !== undefined && { [paging.limit]: 500 }) },
        };
        for (const value of [true, false]) {
          const trial = { operationId, name: "includePending", value, base };
          const tried = await t.tryParameter(PENDING, trial, resources);
          if (tried === undefined || named?.transaction === undefined) continue;
          const isListed = t.listsResource(tried.probe, "transaction", named.transaction);
          const isKnown = t.isParameterConfirmed(operationId, trial.name);
          // A server that has another name for the parameter ignores it.
          if (value && !isListed && !isKnown) {
            t.leaveUntried(PENDING, "name-assumed", "includePending may have another name");
            continue;
          }
          t.judgeThat(PENDING, isListed === value, [tried.probe], {
            message: `with includePending=${value} a pending transaction is ${value ? "omitted" : "listed"}`,
            expected: value ? "it is listed" : "it is omitted",
            actual: `${t.itemsIn(tried.probe).length} transactions ${value ? "without" : "with"} it`,
          });
        }
      }
    },
  }),
];

const spendingAccount = async (t: T): Promise<Resources> =>
  (await t.accountOfType("checking", "savings", "creditcard")).resources;

const judgeDates = (t: T, { items, exchange }: Page): void => {
  if (items.length === 0) return;
  for (const name of ["transactionDate", "postedDate"] as const) {
    const dated = items.filter((item) => dateIn(item, name) !== undefined);
    t.judgeThat(DATES, dated.length > 0, [exchange], {
      message: `none of ${items.length} transactions has a ${name}`,
      expected: `a ${name}, if the institution knows one`,
      actual: Object.keys(items[0] as object).join(", "),
    });
  }
  const bare = items.find((item) => placeOf(item) === undefined);
  t.judgeThat(DATES, bare === undefined, [exchange], {
    message: "a transaction has neither date",
    expected: "a transactionDate or a postedDate",
    actual: shownValue(bare),
  });
};

/** Judges the order of two pages together, unless the server has other names for the parameters of pages. */
const judgePages = (t: T, pages: readonly Page[]): void => {
  const items = pages.flatMap((page) => page.items.map((item) => JSON.stringify(item)));
  const arePages = pages.every((page) => page.items.length <= FEW) && new Set(items).size === items.length;
  if (arePages)
    judgeOrder(
      t,
      pages.map(({ exchange }) => exchange),
    );
};

/**
 * Judges the order, first by transactionDate, then by the fallback date. The direction of the order is not documented
 * (gaps: sort values).
 */
const judgeOrder = (t: T, exchanges: readonly Exchange[]): void => {
  const items = exchanges.flatMap((exchange) => t.itemsIn(exchange));
  const dated = items.flatMap((item) => dateIn(item, "transactionDate") ?? []);
  const all = items.flatMap((item) => placeOf(item) ?? []);
  const byDate = checkOrder("/transactionDate", dated);
  if (byDate === undefined) {
    t.leaveUntried([SORTED, FALLBACK], "lacks", "transactions of two days at least");
    return;
  }
  t.record(SORTED, byDate, exchanges);
  const result = byDate.holds && all.length > dated.length ? checkOrder("/postedDate", all) : undefined;
  if (result !== undefined) t.record(FALLBACK, result, exchanges);
  else t.leaveUntried(FALLBACK, "lacks", "a transaction that has no transactionDate");
};

/** Reads the transactions of two accounts, and then the list of their customer, in the same window. */
async function compareAccounts(t: T): Promise<void> {
  const { accounts } = await t.accountsOf();
  const read = (operationId: string, resources: Resources) =>
    t.listTransactions(operationId, resources, { ...t.lastDays(60), ...t.pageQuery(operationId, 0, WHOLE) });
  const own: (Page & { readonly id: string })[] = [];
  for (const { id, resources } of accounts.slice(0, MOST_ACCOUNTS)) {
    const page = await read(OF_ACCOUNT, resources);
    if (page.items.length > 0) own.push({ ...page, id });
    if (own.length === 2) break;
  }
  const [first, second] = own;
  if (first === undefined || second === undefined)
    throw new NotTried("lacks", "an account with transactions");
  // Without identifiers, equal transactions of two accounts may be two, and lists may show different fields.
  const identify = ({ items }: Page, operationId: string): void => {
    if (items.some((item) => t.idOf(operationId, "transaction", item) === undefined))
      throw unbound(operationId, "transaction in its items");
  };
  for (const page of own) identify(page, OF_ACCOUNT);
  // The id of its account stands at one place in all transactions of a list. Another id may contain its text.
  const [one, other] = [first, second].map(({ items, id }) => {
    const isOwn = (name: string) => items.every((item) => String(Object(item)[name]) === id);
    const own = Object.keys(Object(items[0])).filter(isOwn);
    return items.map((item) => JSON.stringify(item, (name, part) => (own.includes(name) ? "own" : part)));
  });
  const both = one?.find((item) => other?.includes(item));
  t.judgeThat(LISTED, both === undefined, [second.exchange, first.exchange], {
    message: "two accounts list the same transaction",
    expected: "the transactions of one account",
    actual: both ?? "",
  });
  const [{ resources }] = accounts;
  const keysIn = ({ items }: Page) => t.transactionKeys(items);
  const lostFrom = (all: Page, part: Page) => {
    const known = new Set(keysIn(all));
    return keysIn(part).filter((key) => !known.has(key));
  };
  const all = await t.readUntil(
    () => read(OF_CUSTOMER, resources),
    (page) => own.every((part) => lostFrom(page, part).length === 0),
  );
  identify(all, OF_CUSTOMER);
  // Otherwise the others may be on the next page.
  const isWhole = all.items.length < WHOLE;
  for (const part of isWhole ? own : []) {
    const lost = lostFrom(all, part);
    t.judgeThat(LISTED, lost.length === 0, [all.exchange, part.exchange], {
      message: `the list of a customer lacks ${lost.length} of ${part.items.length} transactions of an account`,
      expected: "all transactions of the account",
      actual: lost.slice(0, 3).join(", "),
    });
  }
}
