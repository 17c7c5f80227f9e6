/** History: what the standard aggregation brings, what the historic load adds, and what loading it again does. */
import { accepted, answered } from "../../../fixtures/financial-data/calls.ts";
import { conclude, concludeCall } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import {
  attemptOf,
  createdOf,
  freshAccount,
  type LinkedAccount,
  ownAccount,
} from "../../../fixtures/financial-data/linked-accounts.ts";
import {
  allTransactions,
  DAY,
  placeOf,
  spanOf,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Transactions";
const LOAD = "LoadHistoricTransactionsForCustomerAccount";
const STANDARD = "transactions.standard-history-180-days";
const OLDER = "transactions.older-needs-historic-load";
const MONTHS = `${LOAD}.24-months`;
const RANGE = `${LOAD}.range-from-createdDate`;
const NOTHING = `${LOAD}.second-call-adds-nothing`;
const QUICK = `${LOAD}.second-call-quick`;
const FORCE = `${LOAD}.force-parameter`;
const CONNECTION = `${LOAD}.force-second-connection`;

/** Days of a standard history, and of 24 months at most, with one day for time zones. */
const STANDARD_DAYS = 181;
const LOADED_DAYS = 732;
const LONG_AGO = 10 * 365 * DAY;
/** Between two accounts of which the range of each is to start from its own date. */
const APART_DAYS = 30;
/** Far below the minutes that a first load may take. */
const QUICK_MS = 2_000;

export const transactionHistoryScenarios: readonly Trial[] = [
  scenario(
    {
      id: "transactions/history",
      title:
        "180 days come by themselves, up to 24 months with the historic load, and nothing more when it is repeated",
      section: SECTION,
      operations: [LOAD, "GetCustomerAccountTransactions"],
      requirements: [STANDARD, OLDER, MONTHS, NOTHING, QUICK],
    },
    async (context) => {
      const account = await freshAccount(context);
      const before = await historyOf(context, account);
      concludeAge(context, STANDARD, before, STANDARD_DAYS);
      const first = await accepted(context, LOAD, account.resources);
      const loaded = await historyOf(context, account);
      concludeAge(context, MONTHS, loaded, LOADED_DAYS);
      concludeOlder(context, before, loaded);
      const second = await accepted(context, LOAD, account.resources);
      const again = await historyOf(context, account);
      concludeNothingAdded(context, loaded, again);
      concludeQuick(context, first, second);
    },
  ),

  scenario(
    {
      id: "transactions/history-range",
      title: "the range of a historic load is counted from the createdDate of the account",
      section: SECTION,
      operations: [LOAD, "GetCustomerAccountTransactions"],
      requirements: [RANGE],
    },
    async (context) => {
      if (!context.capabilities.has("clock"))
        throw new NotTried("needs clock: weeks have to pass before the load");
      const early = await freshAccount(context);
      await context.clock.pass(APART_DAYS * DAY);
      const late = await freshAccount(context);
      const oldest: number[] = [];
      const exchanges: Exchange[] = [];
      for (const account of [early, late]) {
        await accepted(context, LOAD, account.resources);
        const history = await historyOf(context, account);
        if (history.oldest === undefined) throw new NotTried("needs an account with transactions");
        oldest.push((createdOf(account) - history.oldest) / DAY);
        exchanges.push(...history.exchanges);
      }
      const [ofEarly = 0, ofLate = 0] = oldest.map(Math.round);
      const finding = {
        message: "the history of an account that was added earlier reaches less far back before it was added",
        expected: `about as many days as of one added ${APART_DAYS} days later, ${ofLate}`,
        actual: `${ofEarly} days`,
      };
      // Both are at one institution, which gives both as much; what is spent on single days may differ.
      const holds = Math.abs(ofEarly - ofLate) < APART_DAYS / 2;
      conclude(
        context,
        RANGE,
        { holds, certain: context.capabilities.has("new-implementation"), finding },
        exchanges,
      );
    },
  ),

  scenario(
    {
      id: "transactions/history-forced",
      title: "force=true makes a repeated historic load connect to the institution again",
      section: SECTION,
      operations: [LOAD],
      requirements: [FORCE, CONNECTION],
    },
    async (context) => {
      const { resources } = await ownAccount(context);
      const plain = await answered(context, LOAD, resources);
      const unforced = await laterOf(context, () => attemptOf(context, resources));
      const forced = await answered(context, LOAD, resources, { json: { force: true } });
      concludeCall(context, FORCE, forced, plain);
      if (!isAccepted(forced)) throw new NotTried("a load with force=true was refused");
      const after = await attemptOf(context, resources);
      const finding = {
        message: "a repeated load with force=true does not show as an attempt to aggregate",
        expected: "a later attempt than before",
        actual: `${unforced.seconds} before, ${after.seconds} after`,
      };
      const holds = after.seconds > unforced.seconds;
      // Nothing says that a connection for a load shows in that date; a server that keeps it there shows it.
      if (!holds && !context.capabilities.has("new-implementation")) {
        context.judge.notTried(
          id(CONNECTION),
          "nothing documented shows a connection to the institution from outside",
        );
        return;
      }
      conclude(context, CONNECTION, { holds, certain: true, finding }, [after.exchange, unforced.exchange]);
    },
  ),
];

interface History {
  readonly created: number;
  readonly count: number;
  /** Seconds since 1970. */
  readonly oldest: number | undefined;
  readonly exchanges: readonly Exchange[];
}

/** All transactions of the account up to the day on which it was added: what comes later plays no part. */
const historyOf = async (context: TrialContext, account: LinkedAccount): Promise<History> => {
  const created = createdOf(account);
  const span = spanOf(context, created - LONG_AGO, created);
  const { items, exchanges } = await allTransactions(context, account.resources, span);
  const places = items.flatMap((item) => placeOf(item) ?? []);
  if (items.length > 0 && places.length === 0) throw new NotTried("the transactions show no date");
  const oldest = places.length === 0 ? undefined : places.reduce((least, place) => Math.min(least, place));
  return { created, count: items.length, oldest, exchanges };
};

const concludeAge = (context: TrialContext, suffix: string, history: History, most: number): void => {
  const { created, oldest, exchanges } = history;
  if (oldest === undefined) {
    context.judge.notTried(id(suffix), "needs an account with transactions");
    return;
  }
  const days = Math.round((created - oldest) / DAY);
  const finding = {
    message: "there are transactions from longer before the account was added than documented",
    expected: `${most} days before it at most`,
    actual: `${days} days`,
  };
  conclude(context, suffix, { holds: days <= most, certain: true, finding }, exchanges);
};

/** An institution may have no older ones; where it surely has, the load brings them. */
const concludeOlder = (context: TrialContext, before: History, loaded: History): void => {
  const limit = before.created - STANDARD_DAYS * DAY;
  const isOlder = ({ oldest }: History) => oldest !== undefined && oldest < limit;
  if (isOlder(before)) {
    const finding = {
      message: "older transactions are there before any load",
      expected: "none",
      actual: "some",
    };
    conclude(context, OLDER, { holds: false, certain: true, finding }, before.exchanges);
    return;
  }
  if (!isOlder(loaded) && !context.capabilities.has("new-implementation")) {
    context.judge.notTried(id(OLDER), "the institution gave no older transactions");
    return;
  }
  const finding = {
    message: "the historic load brought no transaction older than 180 days before the account was added",
    expected: "older ones, which the institution has",
    actual: `${before.count} transactions before, ${loaded.count} after`,
  };
  conclude(context, OLDER, { holds: isOlder(loaded), certain: true, finding }, [
    ...loaded.exchanges,
    ...before.exchanges,
  ]);
};

const concludeNothingAdded = (context: TrialContext, loaded: History, again: History): void => {
  // "Normally": a server that once adds some is not to blame.
  if (again.count > loaded.count && !context.capabilities.has("new-implementation")) {
    context.judge.notTried(id(NOTHING), "a second load added transactions, which it only normally does not");
    return;
  }
  const finding = {
    message: "a second historic load added transactions from before the account was added",
    expected: `${loaded.count}`,
    actual: `${again.count}`,
  };
  const exchanges = [...again.exchanges, ...loaded.exchanges];
  conclude(context, NOTHING, { holds: again.count === loaded.count, certain: true, finding }, exchanges);
};

/** How quick is not said: no slower than the first, or in a moment anyway. */
const concludeQuick = (context: TrialContext, first: Exchange, second: Exchange): void => {
  const [took, tookAgain] = [first, second].map(({ durationMs }) => Math.round(durationMs)) as [
    number,
    number,
  ];
  const isQuick = tookAgain <= QUICK_MS || tookAgain < took;
  if (!isQuick && !context.capabilities.has("new-implementation")) {
    context.judge.notTried(
      id(QUICK),
      `it took ${tookAgain} ms after ${took} ms, and how quick is quick is not said`,
    );
    return;
  }
  const finding = {
    message: "a second historic load takes longer than the first",
    expected: `${QUICK_MS} ms, or less than the ${took} ms of the first`,
    actual: `${tookAgain} ms`,
  };
  conclude(context, QUICK, { holds: isQuick, certain: true, finding }, [second, first]);
};

/** Dates are whole seconds: what comes next is to be of another one. */
const laterOf = async <Value>(context: TrialContext, read: () => Promise<Value>): Promise<Value> => {
  const value = await read();
  await context.clock.pass(1);
  return value;
};
