/** History: the standard aggregation, the historic load, and repeated loads. */
import type { LinkedAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { DAY, OF_ACCOUNT, placeOf } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { fieldOf, NotTried, secondsOf } from "../../../helpers/trials/kit/language.ts";

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

export const transactionHistoryScenarios = [
  scenario("transactions/history", {
    title:
      "the history is 180 days, up to 24 months after a historic load, and unchanged after a second load",
    operations: [LOAD, OF_ACCOUNT],
    requirements: [STANDARD, OLDER, MONTHS, NOTHING, QUICK],
    async run(t) {
      const account = await t.freshAccount();
      const before = await historyOf(t, account);
      concludeAge(t, STANDARD, before, STANDARD_DAYS);
      const first = await t.accepted(LOAD, account.resources);
      const loaded = await t.readUntil(
        () => historyOf(t, account),
        (history) => isOlder(history) || isOlder(before),
      );
      concludeAge(t, MONTHS, loaded, LOADED_DAYS);
      concludeOlder(t, before, loaded);
      const second = await t.accepted(LOAD, account.resources);
      const again = await historyOf(t, account);
      concludeNothingAdded(t, loaded, again);
      concludeQuick(t, first, second);
    },
  }),

  scenario("transactions/history-range", {
    title: "the range of a historic load starts from the createdDate of the account",
    operations: [LOAD, OF_ACCOUNT],
    requirements: [RANGE],
    async run(t) {
      t.needClock("weeks have to pass before the load");
      const early = await t.freshAccount();
      await t.clock.pass(APART_DAYS * DAY);
      const late = await t.freshAccount();
      const oldest: number[] = [];
      const exchanges: Exchange[] = [];
      for (const account of [early, late]) {
        await t.accepted(LOAD, account.resources);
        const history = await t.readUntil(() => historyOf(t, account), isOlder);
        if (history.oldest === undefined) throw new NotTried("lacks", "an account with transactions");
        oldest.push((history.created - history.oldest) / DAY);
        exchanges.push(...history.exchanges);
      }
      const [ofEarly = 0, ofLate = 0] = oldest.map(Math.round);
      // Both accounts have the same history at one institution, but may have transactions on different days.
      const holds = Math.abs(ofEarly - ofLate) < APART_DAYS / 2;
      t.recordIfConfirmed(RANGE, holds, exchanges, {
        message: "an account that was added earlier has a shorter history before its creation",
        expected: `about ${ofLate} days, as for an account added ${APART_DAYS} days later`,
        actual: `${ofEarly} days`,
      });
    },
  }),

  scenario("transactions/history-forced", {
    title: "force=true makes a repeated historic load connect to the institution again",
    operations: [LOAD],
    requirements: [FORCE, CONNECTION],
    async run(t) {
      const { resources } = await t.ownAccount();
      const plain = await t.answered(LOAD, resources);
      const unforced = await laterOf(t, () => t.lastAttempt(resources));
      const forced = await t.answered(LOAD, resources, { json: { force: true } });
      t.judgeAcceptedCall(FORCE, "a load with force=true", forced, plain);
      if (!isAccepted(forced)) throw new NotTried("not-arranged", "a load with force=true was refused");
      const after = await t.readUntil(
        () => t.lastAttempt(resources),
        ({ seconds }) => seconds > unforced.seconds,
      );
      const holds = after.seconds > unforced.seconds;
      // No document states that a load changes that date, so only our own server is judged by this check.
      t.recordIfConfirmed(CONNECTION, holds, [after.exchange, unforced.exchange], {
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
const historyOf = async (t: T, account: LinkedAccount): Promise<History> => {
  const created = secondsOf(fieldOf(account.fields, "createdDate"));
  if (created === undefined) throw new NotTried("part-not-shown", "the account shows no createdDate");
  const parameters = t.spanOf(created - LONG_AGO, created);
  const call = await t.validCall(OF_ACCOUNT, account.resources, { parameters });
  const { items, exchanges } = await t.walk(call, PAGE);
  const places = items.flatMap((item) => placeOf(item) ?? []);
  if (items.length > 0 && places.length === 0)
    throw new NotTried("part-not-shown", "the transactions show no date");
  const oldest = places.length === 0 ? undefined : places.reduce((least, place) => Math.min(least, place));
  return { created, count: items.length, oldest, exchanges };
};

const concludeAge = (t: T, suffix: string, history: History, most: number): void => {
  const { created, oldest, exchanges } = history;
  if (oldest === undefined) {
    t.leaveUntried(suffix, "lacks", "an account with transactions");
    return;
  }
  const days = Math.round((created - oldest) / DAY);
  t.judgeThat(suffix, days <= most, exchanges, {
    message: "the history before the creation of the account is longer than documented",
    expected: `${most} days at most`,
    actual: `${days} days`,
  });
};

/** Whether the history has transactions that only a load adds. */
const isOlder = ({ oldest, created }: History): boolean =>
  oldest !== undefined && oldest < created - STANDARD_DAYS * DAY;

/** Judges that older transactions appear only after the load, if the institution certainly has them. */
const concludeOlder = (t: T, before: History, loaded: History): void => {
  if (isOlder(before)) {
    t.judgeThat(OLDER, false, before.exchanges, {
      message: "older transactions are listed before any load",
      expected: "none",
      actual: "at least one",
    });
    return;
  }
  t.recordIfConfirmed(OLDER, isOlder(loaded), [...loaded.exchanges, ...before.exchanges], {
    doubt: "the institution gave no older transactions",
    message: "the historic load added no transaction from more than 180 days before the account was created",
    expected: "older transactions, which the institution has",
    actual: `${before.count} transactions before, ${loaded.count} after`,
  });
};

const concludeNothingAdded = (t: T, loaded: History, again: History): void => {
  const exchanges = [...again.exchanges, ...loaded.exchanges];
  t.recordIfConfirmed(NOTHING, again.count === loaded.count, exchanges, {
    // The document says "normally", so an external server that adds some transactions does not violate it.
    confirmed: again.count < loaded.count || t.isConfirmed(),
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
const concludeQuick = (t: T, first: Exchange, second: Exchange): void => {
  const [took, tookAgain] = [Math.round(first.durationMs), Math.round(second.durationMs)];
  t.recordIfConfirmed(QUICK, tookAgain <= QUICK_MS || tookAgain < took, [second, first], {
    doubt: `it took ${tookAgain} ms after ${took} ms, and the documents do not say what is quick`,
    message: "a second historic load takes longer than the first",
    expected: `${QUICK_MS} ms, or less than the ${took} ms of the first`,
    actual: `${tookAgain} ms`,
  });
};

/** Reads a value and waits a second, because dates are in whole seconds. */
const laterOf = async <Value>(t: T, read: () => Promise<Value>): Promise<Value> => {
  const value = await read();
  await t.clock.pass(1);
  return value;
};
