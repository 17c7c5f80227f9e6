/** History: what the standard aggregation brings, what the historic load adds, and what loading it again does. */
import { accepted, answered } from "../../../fixtures/engine/asking.ts";
import { needClock } from "../../../fixtures/engine/attempt.ts";
import { validCall } from "../../../fixtures/engine/calls.ts";
import { isConfirmed } from "../../../fixtures/engine/names.ts";
import { walk } from "../../../fixtures/engine/pages.ts";
import { fieldOf, secondsOf } from "../../../fixtures/engine/reading.ts";
import { judgeTaken, judgeThat, leaveUntried, recordIfConfirmed } from "../../../fixtures/engine/verdicts.ts";
import {
  attemptOf,
  freshAccount,
  type LinkedAccount,
  ownAccount,
} from "../../../fixtures/financial-data/linked-accounts.ts";
import { DAY, OF_ACCOUNT, placeOf, spanOf } from "../../../fixtures/financial-data/listed-transactions.ts";
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

/** Transactions on a page at most. */
const PAGE = 1000;
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
      operations: [LOAD, OF_ACCOUNT],
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
      operations: [LOAD, OF_ACCOUNT],
      requirements: [RANGE],
    },
    async (context) => {
      needClock(context, "weeks have to pass before the load");
      const early = await freshAccount(context);
      await context.clock.pass(APART_DAYS * DAY);
      const late = await freshAccount(context);
      const oldest: number[] = [];
      const exchanges: Exchange[] = [];
      for (const account of [early, late]) {
        await accepted(context, LOAD, account.resources);
        const history = await historyOf(context, account);
        if (history.oldest === undefined) throw new NotTried("needs an account with transactions");
        oldest.push((history.created - history.oldest) / DAY);
        exchanges.push(...history.exchanges);
      }
      const [ofEarly = 0, ofLate = 0] = oldest.map(Math.round);
      // Both are at one institution, which gives both as much; what is spent on single days may differ.
      const holds = Math.abs(ofEarly - ofLate) < APART_DAYS / 2;
      recordIfConfirmed(context, RANGE, holds, exchanges, {
        confirmed: isConfirmed(context),
        message: "the history of an account that was added earlier reaches less far back before it was added",
        expected: `about as many days as of one added ${APART_DAYS} days later, ${ofLate}`,
        actual: `${ofEarly} days`,
      });
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
      judgeTaken(context, FORCE, "a load with force=true", forced, plain);
      if (!isAccepted(forced)) throw new NotTried("a load with force=true was refused");
      const after = await attemptOf(context, resources);
      const holds = after.seconds > unforced.seconds;
      recordIfConfirmed(context, CONNECTION, holds, [after.exchange, unforced.exchange], {
        // Nothing says that a connection for a load shows in that date; a server that keeps it there shows it.
        confirmed: isConfirmed(context),
        doubt: "nothing documented shows a connection to the institution from outside",
        message: "a repeated load with force=true does not show as an attempt to aggregate",
        expected: "a later attempt than before",
        actual: `${unforced.seconds} before, ${after.seconds} after`,
      });
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
  const created = secondsOf(fieldOf(account.fields, "createdDate"));
  if (created === undefined) throw new NotTried("the account shows no createdDate");
  const parameters = spanOf(context, created - LONG_AGO, created);
  const call = await validCall(context, OF_ACCOUNT, account.resources, { parameters });
  const { items, exchanges } = await walk(context, call, PAGE);
  const places = items.flatMap((item) => placeOf(item) ?? []);
  if (items.length > 0 && places.length === 0) throw new NotTried("the transactions show no date");
  const oldest = places.length === 0 ? undefined : places.reduce((least, place) => Math.min(least, place));
  return { created, count: items.length, oldest, exchanges };
};

const concludeAge = (context: TrialContext, suffix: string, history: History, most: number): void => {
  const { created, oldest, exchanges } = history;
  if (oldest === undefined) {
    leaveUntried(context, suffix, "needs an account with transactions");
    return;
  }
  const days = Math.round((created - oldest) / DAY);
  judgeThat(context, suffix, days <= most, exchanges, {
    message: "there are transactions from longer before the account was added than documented",
    expected: `${most} days before it at most`,
    actual: `${days} days`,
  });
};

/** An institution may have no older ones; where it surely has, the load brings them. */
const concludeOlder = (context: TrialContext, before: History, loaded: History): void => {
  const limit = before.created - STANDARD_DAYS * DAY;
  const isOlder = ({ oldest }: History) => oldest !== undefined && oldest < limit;
  if (isOlder(before)) {
    judgeThat(context, OLDER, false, before.exchanges, {
      message: "older transactions are there before any load",
      expected: "none",
      actual: "some",
    });
    return;
  }
  recordIfConfirmed(context, OLDER, isOlder(loaded), [...loaded.exchanges, ...before.exchanges], {
    confirmed: isConfirmed(context),
    doubt: "the institution gave no older transactions",
    message: "the historic load brought no transaction older than 180 days before the account was added",
    expected: "older ones, which the institution has",
    actual: `${before.count} transactions before, ${loaded.count} after`,
  });
};

const concludeNothingAdded = (context: TrialContext, loaded: History, again: History): void => {
  const exchanges = [...again.exchanges, ...loaded.exchanges];
  recordIfConfirmed(context, NOTHING, again.count === loaded.count, exchanges, {
    // "Normally": a server that once adds some is not to blame.
    confirmed: again.count < loaded.count || isConfirmed(context),
    doubt: "a second load added transactions, which it only normally does not",
    message: "a second historic load added transactions from before the account was added",
    expected: `${loaded.count}`,
    actual: `${again.count}`,
  });
};

/** How quick is not said: no slower than the first, or in a moment anyway. */
const concludeQuick = (context: TrialContext, first: Exchange, second: Exchange): void => {
  const [took, tookAgain] = [Math.round(first.durationMs), Math.round(second.durationMs)];
  recordIfConfirmed(context, QUICK, tookAgain <= QUICK_MS || tookAgain < took, [second, first], {
    confirmed: isConfirmed(context),
    doubt: `it took ${tookAgain} ms after ${took} ms, and how quick is quick is not said`,
    message: "a second historic load takes longer than the first",
    expected: `${QUICK_MS} ms, or less than the ${took} ms of the first`,
    actual: `${tookAgain} ms`,
  });
};

/** Dates are whole seconds: what comes next is to be of another one. */
const laterOf = async <Value>(context: TrialContext, read: () => Promise<Value>): Promise<Value> => {
  const value = await read();
  await context.clock.pass(1);
  return value;
};
