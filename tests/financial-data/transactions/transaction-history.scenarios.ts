/** History: the standard aggregation, the historic load, and repeated loads. */

import {
  attemptOf,
  freshAccount,
  type LinkedAccount,
  ownAccount,
} from "../../../fixtures/financial-data/linked-accounts.ts";
import { DAY, OF_ACCOUNT, placeOf, spanOf } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { needClock } from "../../../helpers/trials/kit/attempt.ts";
import { validCall } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { walk } from "../../../helpers/trials/kit/pages.ts";
import { fieldOf, secondsOf } from "../../../helpers/trials/kit/reading.ts";
import {
  judgeAcceptedCall,
  judgeThat,
  leaveUntried,
  recordIfConfirmed,
} from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Transactions");
const LOAD = "LoadHistoricTransactionsForCustomerAccount";
const STANDARD = "transactions.standard-history-180-days";
const OLDER = "transactions.older-needs-historic-load";
const MONTHS = `${LOAD}.24-months`;
const RANGE = `${LOAD}.range-from-createdDate`;
const NOTHING = `${LOAD}.second-call-adds-nothing`;
const QUICK = `${LOAD}.second-call-quick`;
const FORCE = `${LOAD}.force-parameter`;
const CONNECTION = `${LOAD}.force-second-connection`;

/** The maximum number of transactions on a page. */
const PAGE = 1000;
/** The maximum days of a standard history and of 24 months, with one day for time zones. */
const STANDARD_DAYS = 181;
const LOADED_DAYS = 732;
const LONG_AGO = 10 * 365 * DAY;
/** Days between the creation of two accounts whose ranges start at their own dates. */
const APART_DAYS = 30;
/** The limit for a quick load, far below the minutes of a first load. */
const QUICK_MS = 2_000;

export const transactionHistoryScenarios: readonly Trial[] = [
  scenario({
    id: "transactions/history",
    title:
      "the history is 180 days, up to 24 months after a historic load, and unchanged after a second load",
    operations: [LOAD, OF_ACCOUNT],
    requirements: [STANDARD, OLDER, MONTHS, NOTHING, QUICK],
    async run(context) {
      const account = await freshAccount(context);
      const before = await historyOf(context, account);
      concludeAge(context, STANDARD, before, STANDARD_DAYS);
      const first = await accepted(context, LOAD, account.resources);
      const loaded = await readUntil(
        context,
        () => historyOf(context, account),
        (history) => isOlder(history) || isOlder(before),
      );
      concludeAge(context, MONTHS, loaded, LOADED_DAYS);
      concludeOlder(context, before, loaded);
      const second = await accepted(context, LOAD, account.resources);
      const again = await historyOf(context, account);
      concludeNothingAdded(context, loaded, again);
      concludeQuick(context, first, second);
    },
  }),

  scenario({
    id: "transactions/history-range",
    title: "the range of a historic load starts from the createdDate of the account",
    operations: [LOAD, OF_ACCOUNT],
    requirements: [RANGE],
    async run(context) {
      needClock(context, "weeks have to pass before the load");
      const early = await freshAccount(context);
      await context.clock.pass(APART_DAYS * DAY);
      const late = await freshAccount(context);
      const oldest: number[] = [];
      const exchanges: Exchange[] = [];
      for (const account of [early, late]) {
        await accepted(context, LOAD, account.resources);
        const history = await readUntil(context, () => historyOf(context, account), isOlder);
        if (history.oldest === undefined) throw new NotTried("needs an account with transactions");
        oldest.push((history.created - history.oldest) / DAY);
        exchanges.push(...history.exchanges);
      }
      const [ofEarly = 0, ofLate = 0] = oldest.map(Math.round);
      // Both accounts have the same history at one institution, but may have transactions on different days.
      const holds = Math.abs(ofEarly - ofLate) < APART_DAYS / 2;
      recordIfConfirmed(context, RANGE, holds, exchanges, {
        confirmed: isConfirmed(context),
        message: "an account that was added earlier has a shorter history before its creation",
        expected: `about ${ofLate} days, as for an account added ${APART_DAYS} days later`,
        actual: `${ofEarly} days`,
      });
    },
  }),

  scenario({
    id: "transactions/history-forced",
    title: "force=true makes a repeated historic load connect to the institution again",
    operations: [LOAD],
    requirements: [FORCE, CONNECTION],
    async run(context) {
      const { resources } = await ownAccount(context);
      const plain = await answered(context, LOAD, resources);
      const unforced = await laterOf(context, () => attemptOf(context, resources));
      const forced = await answered(context, LOAD, resources, { json: { force: true } });
      judgeAcceptedCall(context, FORCE, "a load with force=true", forced, plain);
      if (!isAccepted(forced)) throw new NotTried("a load with force=true was refused");
      const after = await readUntil(
        context,
        () => attemptOf(context, resources),
        ({ seconds }) => seconds > unforced.seconds,
      );
      const holds = after.seconds > unforced.seconds;
      recordIfConfirmed(context, CONNECTION, holds, [after.exchange, unforced.exchange], {
        // No document states that a load changes that date, so only our own server is judged by this check.
        confirmed: isConfirmed(context),
        doubt: "the documents describe nothing that shows a connection to the institution",
        message: "a repeated load with force=true does not change the aggregation attempt date",
        expected: "a later attempt",
        actual: `${unforced.seconds} before, ${after.seconds} after`,
      });
    },
  }),
];

interface History {
  readonly created: number;
  readonly count: number;
  /** Seconds since 1970. */
  readonly oldest: number | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Reads all transactions of the account up to its creation; later ones are not relevant. */
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
    message: "the history before the creation of the account is longer than documented",
    expected: `${most} days at most`,
    actual: `${days} days`,
  });
};

/** Whether the history has transactions that only a load adds. */
const isOlder = ({ oldest, created }: History): boolean =>
  oldest !== undefined && oldest < created - STANDARD_DAYS * DAY;

/** Judges that older transactions appear only after the load, if the institution certainly has them. */
const concludeOlder = (context: TrialContext, before: History, loaded: History): void => {
  if (isOlder(before)) {
    judgeThat(context, OLDER, false, before.exchanges, {
      message: "older transactions are listed before any load",
      expected: "none",
      actual: "at least one",
    });
    return;
  }
  recordIfConfirmed(context, OLDER, isOlder(loaded), [...loaded.exchanges, ...before.exchanges], {
    confirmed: isConfirmed(context),
    doubt: "the institution gave no older transactions",
    message: "the historic load added no transaction from more than 180 days before the account was created",
    expected: "older transactions, which the institution has",
    actual: `${before.count} transactions before, ${loaded.count} after`,
  });
};

const concludeNothingAdded = (context: TrialContext, loaded: History, again: History): void => {
  const exchanges = [...again.exchanges, ...loaded.exchanges];
  recordIfConfirmed(context, NOTHING, again.count === loaded.count, exchanges, {
    // The document says "normally", so an external server that adds some transactions does not violate it.
    confirmed: again.count < loaded.count || isConfirmed(context),
    doubt: "a second load added transactions, which the documents exclude only for the normal case",
    message: "a second historic load added transactions from before the account was created",
    expected: `${loaded.count}`,
    actual: `${again.count}`,
  });
};

/**
 * Judges that the second load is quick. No limit is documented, so it must be faster than the first load or take less
 * than QUICK_MS.
 */
const concludeQuick = (context: TrialContext, first: Exchange, second: Exchange): void => {
  const [took, tookAgain] = [Math.round(first.durationMs), Math.round(second.durationMs)];
  recordIfConfirmed(context, QUICK, tookAgain <= QUICK_MS || tookAgain < took, [second, first], {
    confirmed: isConfirmed(context),
    doubt: `it took ${tookAgain} ms after ${took} ms, and the documents do not say what is quick`,
    message: "a second historic load takes longer than the first",
    expected: `${QUICK_MS} ms, or less than the ${took} ms of the first`,
    actual: `${tookAgain} ms`,
  });
};

/** Reads a value and waits a second, because dates are in whole seconds. */
const laterOf = async <Value>(context: TrialContext, read: () => Promise<Value>): Promise<Value> => {
  const value = await read();
  await context.clock.pass(1);
  return value;
};
