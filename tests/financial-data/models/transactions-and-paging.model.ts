/**
 * Transactions of one account and of all accounts. The pages together are the whole list, and new transactions are
 * listed.
 */
import { id } from "../../../fixtures/financial-data/ids.ts";
import { DAY, OF_ACCOUNT, OF_CUSTOMER } from "../../../fixtures/financial-data/listed-transactions.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Action, Assertion, Command, Model } from "../../../helpers/sequences/model.ts";
import {
  alive,
  judgeAgrees,
  type ModelResource,
  SHORTEST_PAGE,
} from "../../../helpers/sequences/model-resources.ts";
import { fewer, making, queryResource, removing } from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { type Call, NotTried, type Resources, withQuery } from "../../../helpers/trials/kit/language.ts";
import { adopting, isLinked, type Linked, type LinkedCustomers, linkedCustomers } from "./linked.ts";
import { LISTS_AGREE, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

interface State extends Linked {
  /** The list that is being paged. */
  walk: Walk | undefined;
}

interface Walk {
  readonly whole: readonly string[];
  readonly size: number;
  readonly shown: readonly string[];
}

const PAGES_JOIN = id("transactions.start-limit-query");
const POST = "CreateTxPushTestTransaction";
const READ = "GetCustomerTransaction";
/** More than the number of transactions in any window of the test. */
const WHOLE = 1000;

const modelOf = (t: T, customers: LinkedCustomers): Model<State> => {
  const calls = callerFor(t);
  return {
    start: () => ({ ...customers.start(), walk: undefined }),
    commands: [
      ...customers.commands<State>(calls),
      walking(t, calls, OF_ACCOUNT),
      walking(t, calls, OF_CUSTOMER),
      {
        name: "post a test transaction",
        when: (state) => isLinked(1)(state) && fewer("transaction", 6)(state),
        call: async ({ resources }, { seed, pick }) => {
          const { ids } = pick(walked(resources));
          const { status: _, postedDate: __, ...fields } = (await calls.of(POST, ids, seed)).json as Json;
          const call = { ...(await calls.of(POST, ids)), json: { ...fields, ...yesterday(t, fields) } };
          return making(calls, call, { kind: "transaction", ids, possible: READABLE });
        },
      },
    ],
    queries: (state) => [
      ...adopting(t, calls, state),
      ...alive(state.resources, "transaction").map((one) =>
        queryResource<State>(one, () => calls.of(READ, one.ids), {
          readable: READABLE,
          given: PROMISES.given,
          untouched: PROMISES.untouched,
        }),
      ),
    ],
    leave: removing(calls, { customer: "DeleteCustomer" }),
  };
};

/** Returns a date that each window contains. Other trials may have moved the target's clock by months. */
const yesterday = ({ clock }: T, { transactionDate }: Json): Json =>
  typeof transactionDate === "number"
    ? { transactionDate: (Math.floor(clock.now() / 1000 / DAY) - 1) * DAY }
    : {};

/** Returns the accounts whose transactions are paged and posted. */
const walked = (resources: readonly ModelResource[]): ModelResource[] =>
  alive(resources, "account").slice(0, 2);

/**
 * Windows in days, and the number of pages in which each is read. A longer list has more pages, so that the number of
 * pages, and with it the number of calls, does not depend on the length of the list: `n` transactions fill `p` pages of
 * equal size if `n` is at least `p * (p - 1)`.
 */
const WINDOWS = [
  [15, 3],
  [30, 4],
  [60, 5],
] as const;

/** Reads the whole window on one page, then again in three to five pages. */
const walking = (t: T, calls: Caller, operationId: string): Command<State> => ({
  name: operationId === OF_ACCOUNT ? "page through an account" : "page through all accounts",
  when: isLinked(1),
  call: async ({ resources }, { pick, value }) => {
    const posted = alive(resources, "transaction").map(({ ids }) => ids.account);
    const added = walked(resources).filter(({ ids }) => posted.includes(ids.account));
    const account = pick(added.length > 0 ? added : walked(resources));
    const [days, pages] = value(WINDOWS);
    const base = await windowed(t, calls, operationId, account.ids, days);
    return {
      call: pageOf(t, base, 0, WHOLE),
      expect: (state: State, exchange: Exchange, note: Assertion) => {
        const items = isAccepted(exchange) ? t.itemsIn(exchange) : [];
        const whole = t.transactionKeys(items);
        judgeNew(t, state, operationId === OF_ACCOUNT ? account : undefined, exchange, note);
        const size = Math.ceil(whole.length / pages);
        state.walk = whole.length < pages || whole.length >= WHOLE ? undefined : { whole, size, shown: [] };
      },
      next: ({ walk }: State) => (walk === undefined ? undefined : page(t, base, walk, 0)),
    };
  },
});

/** Reads one page of the list, then the next, until all transactions have been read. */
const page = async (t: T, base: Call, { size, whole }: Walk, index: number): Promise<Action<State>> => ({
  call: pageOf(t, base, index, size),
  expect: (state: State, exchange: Exchange, note: Assertion) => {
    const shown = t.transactionKeys(t.itemsIn(exchange));
    const due = whole.slice(index * size, (index + 1) * size);
    const before = state.walk?.shown ?? [];
    const [again] = shown.filter((one) => before.includes(one));
    const [lost] = due.filter((one) => !shown.includes(one) && !before.includes(one));
    const other = again ?? lost;
    note(PAGES_JOIN, other === undefined && shown.length <= size, {
      message:
        again === undefined
          ? `page ${index + 1} of ${size} transactions each lacks a transaction of the whole list`
          : `page ${index + 1} of ${size} transactions each repeats a transaction of an earlier page`,
      expected: `the transactions ${index * size + 1} to ${(index + 1) * size} of the whole list`,
      actual: `${shown.length} transactions, ${other ?? "more than requested"}`,
    });
    state.walk = { whole, size, shown: [...before, ...shown] };
  },
  next: ({ walk }: State) =>
    walk === undefined || (index + 1) * size >= whole.length ? undefined : page(t, base, walk, index + 1),
});

/** Judges that posted transactions are listed, with the same fields as when they are read individually. */
const judgeNew = (
  t: T,
  { resources }: State,
  account: ModelResource | undefined,
  exchange: Exchange,
  note: Assertion,
): void => {
  const listed = t.itemsIn(exchange);
  const items = new Map(t.transactionKeys(listed).map((key, index) => [key, listed[index]]));
  const posted = alive(resources, "transaction").filter(
    ({ ids }) => account === undefined || ids.account === account.ids.account,
  );
  for (const [index, resource] of posted.entries()) {
    const item = items.get(resource.ids.transaction ?? "");
    // A list that shows a later transaction is neither late nor read by wrong names.
    const isLaterListed = posted.slice(index + 1).some(({ ids }) => items.has(ids.transaction ?? ""));
    note(LISTS_AGREE, item !== undefined, {
      message: `${exchange.operationId} does not list ${resource.name}`,
      expected: "a list with it",
      actual: `${items.size} others`,
      named: !isLaterListed,
      ...((item !== undefined || items.size < SHORTEST_PAGE) && {
        shows: [`${exchange.operationId} lists ${resource.ids.transaction}`],
      }),
    });
    if (item !== undefined) judgeAgrees(resource, item, exchange, LISTS_AGREE, note);
  }
};

const pageOf = (t: T, base: Call, index: number, size: number): Call =>
  withQuery(base, t.pageQuery(base.operationId, index * size, size));

const windowed = async (
  t: T,
  calls: Caller,
  operationId: string,
  ids: Resources,
  days: number,
): Promise<Call> => {
  const call = await calls.of(operationId, ids);
  const span = Object.entries(t.lastDays(days)).map(([name, value]) => {
    const parameter = t.parameterOf(operationId, name);
    if (parameter === undefined) throw new NotTried("document-without", operationId, `parameter ${name}`);
    return [parameter.name, value];
  });
  return withQuery(call, Object.fromEntries(span));
};

export const transactionSequences = sequenceTrial<State>(
  {
    name: "transactions-and-paging",
    title: "pages of transactions together are the whole list, which includes posted ones",
    section: "Transactions",
    operations: [OF_ACCOUNT, OF_CUSTOMER, READ],
    requirements: [PAGES_JOIN, READABLE, LISTS_AGREE, PROMISES.given, PROMISES.untouched],
  },
  async (t, walk) => {
    const customers = await linkedCustomers(t, 1);
    await walk({ model: modelOf(t, customers), steps: 15 });
  },
);
