/** Transaction lists and what recurs in them: dates, order, windows of any length, and optional parameters. */
import {
  accepted,
  answered,
  itemsIn,
  operationOf,
  parameterOf,
  type Resources,
  situation,
} from "../../../fixtures/financial-data/calls.ts";
import { conclude, recordPair, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import {
  DAY,
  dateIn,
  lastDays,
  listTransactions,
  OF_ACCOUNT,
  OF_CUSTOMER,
  pageParameters,
  placeOf,
  spanOf,
  TRANSACTION_LISTS,
  transactionId,
  withSpan,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkOrder } from "../../../helpers/checks/order.ts";
import { checkAccepted } from "../../../helpers/checks/refusal.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Transactions";
const DATES = "transaction.dates";
const SORTED = "transactions.sorted-by-transactionDate";
const FALLBACK = "transactions.sort-falls-back-to-postedDate";
const WINDOW = "transactions.no-window-limit";
const PENDING = "transactions.include-pending-query";
const SORT = "transactions.sort-query";
const DAILY = `${OF_ACCOUNT}.show-daily-balance-query`;

/** Enough to have some without a transactionDate among them. */
const MANY = 200;

export const transactionScenarios: readonly Trial[] = [
  scenario(
    {
      id: "transactions/dates",
      title: "transactions have a transactionDate and a postedDate",
      section: SECTION,
      operations: [...TRANSACTION_LISTS, "GetCustomerTransaction"],
      requirements: [DATES],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const lists = await bothLists(context, resources);
      for (const { items, exchange } of lists) concludeDates(context, items, exchange);
      const [first] = lists[0]?.items ?? [];
      if (first === undefined) throw new NotTried("needs an account with transactions");
      const transaction = transactionId(context, first);
      const single = await accepted(context, "GetCustomerTransaction", { ...resources, transaction });
      for (const name of ["transactionDate", "postedDate"] as const) {
        const [listed, read] = [dateIn(first, name), dateIn(single.response?.json, name)];
        const finding = {
          message: `a transaction has another ${name} by itself`,
          expected: `${listed}`,
          actual: `${read}`,
        };
        conclude(context, DATES, { holds: listed === read, certain: true, finding }, [single]);
      }
    },
  ),

  scenario(
    {
      id: "transactions/order",
      title: "lists are sorted by transactionDate, or by postedDate where there is none",
      section: SECTION,
      operations: TRANSACTION_LISTS,
      requirements: [SORTED, FALLBACK, SORT],
    },
    async (context) => {
      const { resources } = await accountForOrder(context);
      const span = lastDays(context, 180);
      for (const operationId of TRANSACTION_LISTS) {
        const parameters = pageParameters(context, operationId, 0, MANY);
        const plain = await listTransactions(context, resources, span, { operationId, parameters });
        concludeOrder(context, plain.items, plain.exchange);
        for (const value of ["asc", "desc"]) {
          const trial = { operationId, name: "sort", value, base: withSpan(span, parameters) };
          const sorted = await tryParameter(context, SORT, resources, trial);
          if (sorted !== undefined) concludeOrder(context, itemsIn(context, sorted.probe), sorted.probe);
        }
      }
    },
  ),

  scenario(
    {
      id: "transactions/window",
      title: "the window of a list may be of any length",
      section: SECTION,
      operations: TRANSACTION_LISTS,
      requirements: [WINDOW],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const now = Math.floor(context.clock.now() / 1000);
      for (const operationId of TRANSACTION_LISTS) {
        const short = spanOf(context, now - 30 * DAY, now);
        const twin = await answered(context, operationId, resources, withSpan(short));
        for (const years of [3, 30]) {
          const long = spanOf(context, now - years * 365 * DAY, now);
          const probe = await answered(context, operationId, resources, withSpan(long));
          const what = { what: `a window of ${years} years`, pointer: "fromDate" };
          recordPair(context, WINDOW, checkAccepted(what, probe, twin), [probe, twin]);
        }
      }
    },
  ),

  scenario(
    {
      id: "transactions/pending",
      title: "lists can include pending transactions",
      section: SECTION,
      operations: TRANSACTION_LISTS,
      requirements: [PENDING],
    },
    async (context) => {
      const isOffered = context.capabilities.offers("pending-transaction");
      const named = isOffered
        ? await situation(context, "pending-transaction", "a pending transaction")
        : undefined;
      const resources =
        named ?? (await accountOfType(context, "checking", "savings", "creditcard")).resources;
      for (const operationId of TRANSACTION_LISTS) {
        for (const value of [true, false]) {
          const base = withSpan(lastDays(context, 30));
          const tried = await tryParameter(context, PENDING, resources, {
            operationId,
            name: "includePending",
            value,
            base,
          });
          if (tried === undefined || named?.transaction === undefined) continue;
          const ids = itemsIn(context, tried.probe).map((item) => transactionId(context, item));
          const finding = {
            message: `with includePending=${value} a pending transaction is ${value ? "left out" : "listed"}`,
            expected: value ? "it is listed" : "it is left out",
            actual: `${ids.length} transactions ${value ? "without" : "with"} it`,
          };
          const holds = ids.includes(named.transaction) === value;
          conclude(context, PENDING, { holds, certain: true, finding }, [tried.probe]);
        }
      }
    },
  ),

  scenario(
    {
      id: "transactions/daily-balance",
      title: "the list of an account can show daily balances",
      section: SECTION,
      operations: [OF_ACCOUNT],
      requirements: [DAILY],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      const base = withSpan(lastDays(context, 30));
      const trial = { operationId: OF_ACCOUNT, name: "showDailyBalance", value: true, base };
      const tried = await tryParameter(context, DAILY, resources, trial);
      if (tried === undefined || !parameterIsCertain(context, OF_ACCOUNT, "showDailyBalance")) return;
      const finding = {
        message: "with showDailyBalance=true the answer shows nothing more",
        expected: "daily balances",
        actual: "the same members as without it",
      };
      const holds = JSON.stringify(tried.probe.response?.json) !== JSON.stringify(tried.twin.response?.json);
      conclude(context, DAILY, { holds, certain: true, finding }, [tried.probe, tried.twin]);
    },
  ),
];

/** A page of each list of the last half year. */
const bothLists = async (context: TrialContext, resources: Resources) => {
  const span = lastDays(context, 180);
  return [
    await listTransactions(context, resources, span, { operationId: OF_ACCOUNT }),
    await listTransactions(context, resources, span, { operationId: OF_CUSTOMER }),
  ];
};

const concludeDates = (context: TrialContext, items: readonly unknown[], exchange: Exchange): void => {
  if (items.length === 0) return;
  for (const name of ["transactionDate", "postedDate"] as const) {
    const dated = items.filter((item) => dateIn(item, name) !== undefined);
    const finding = {
      message: `none of ${items.length} transactions has a ${name}`,
      expected: `a ${name}, as far as the institution knows one`,
      actual: Object.keys(items[0] as object).join(", "),
    };
    conclude(context, DATES, { holds: dated.length > 0, certain: true, finding }, [exchange]);
  }
  const bare = items.find((item) => placeOf(item) === undefined);
  const finding = {
    message: "a transaction has neither date",
    expected: "a transactionDate or a postedDate",
    actual: JSON.stringify(bare)?.slice(0, 120) ?? "",
  };
  conclude(context, DATES, { holds: bare === undefined, certain: true, finding }, [exchange]);
};

/** One whose institution leaves out a transactionDate here and there, where the target can bring that about. */
const accountForOrder = async (context: TrialContext): Promise<{ readonly resources: Resources }> => {
  if (!context.capabilities.offers("undated-transaction")) {
    return accountOfType(context, "checking", "savings", "creditcard");
  }
  return {
    resources: await situation(context, "undated-transaction", "a transaction without a transactionDate"),
  };
};

/** Which way is not shown (gaps: sort values): one way throughout, by the dates first and then with what has none. */
const concludeOrder = (context: TrialContext, items: readonly unknown[], exchange: Exchange): void => {
  const dated = items.flatMap((item) => dateIn(item, "transactionDate") ?? []);
  const all = items.flatMap((item) => placeOf(item) ?? []);
  const byDate = checkOrder("/transactionDate", dated);
  if (byDate === undefined) {
    context.judge.notTried(id(SORTED), "needs transactions of two days at least");
    context.judge.notTried(id(FALLBACK), "needs transactions of two days at least");
    return;
  }
  context.judge.record(id(SORTED), byDate, [exchange]);
  const result = byDate.holds && all.length > dated.length ? checkOrder("/postedDate", all) : undefined;
  if (result !== undefined) context.judge.record(id(FALLBACK), result, [exchange]);
  else context.judge.notTried(id(FALLBACK), "needs a transaction that has no transactionDate");
};

const parameterIsCertain = (context: TrialContext, operationId: string, name: string): boolean =>
  context.capabilities.has("new-implementation") ||
  parameterOf(operationOf(context, operationId), name)?.level === "provider";
