/** The contents of reports: their history, income, and omitted fields. */
import { DAY } from "../../../fixtures/financial-data/listed-transactions.ts";
import { GENERATION_SECTION, REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import {
  ASKED,
  asFinished,
  BY_CUSTOMER,
  type Finished,
  WITH_INCOME,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { fieldsIn, NotTried, secondsOf } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const YEAR = 366;
/** Days of tolerance for the different lengths of months and for parts of days. */
const SLACK = 4;

const LONGEST: readonly (readonly [operationId: string, requirement: string, days: number])[] = [
  ["GenerateVOAReport", "history-12-months", YEAR],
  [WITH_INCOME, "history-24-months", 2 * YEAR],
  ["GenerateVOIReport", "history-two-years", 2 * YEAR],
];

const HISTORY = `${WITH_INCOME}.default-history-61-days`;
const FROM_DATE = `${WITH_INCOME}.fromDate-changes-history`;
const INCOME = `${WITH_INCOME}.income-credits-24-months`;
const INCOME_FROM = `${WITH_INCOME}.incomeFromDate`;

const TRANSACTIONS = "GenerateTransactionsReport";
const PENDING = `${TRANSACTIONS}.include-pending`;
const WINDOW = `${TRANSACTIONS}.window-24-months`;
const EMPLOYMENT = "GenerateVOETransactionsReport";

export const reportContentScenarios = [
  scenario("reports/longest-history", {
    title: "the history of reports is no longer than documented",
    operations: LONGEST.map(([operationId]) => operationId),
    requirements: LONGEST.map(([operationId, requirement]) => `${operationId}.${requirement}`),
    async run(t) {
      for (const [operationId, requirement, days] of LONGEST) {
        await t.attempt([`${operationId}.${requirement}`], async () => {
          const finished = await t.finishedReport(operationId);
          const seen = ageOf(finished, "everything");
          t.judgeThat(`${operationId}.${requirement}`, seen <= days + SLACK, [finished.report], {
            message: `${operationId} has a history of ${seen} days`,
            expected: `at most ${days}`,
            actual: `${seen}`,
          });
        });
      }
    },
  }),

  scenario("reports/assets-with-income", {
    title: "assets cover 61 days or start at fromDate, income covers 24 months or starts at incomeFromDate",
    operations: [WITH_INCOME],
    requirements: [HISTORY, FROM_DATE, INCOME, INCOME_FROM],
    async run(t) {
      const usual = await t.finishedReport(WITH_INCOME);
      const history = ageOf(usual, "but income");
      judgeDays(t, HISTORY, history <= 61 + SLACK, `${history} days by default`, [usual]);
      await t.attempt(FROM_DATE, async () => {
        const longer = await t.finishedReport(WITH_INCOME, "fromDate");
        const days = ageOf(longer, "but income");
        const holds = days > history + SLACK && days <= ASKED.fromDate + SLACK;
        judgeDays(t, FROM_DATE, holds, `${days} days for ${ASKED.fromDate}`, [longer, usual]);
      });
      await t.attempt(INCOME, async () => {
        const income = ageOf(usual, "income");
        const known = ageOf(await t.finishedReport("GenerateVOIReport"), "income");
        if (known <= history + SLACK)
          throw new NotTried("not-shown", "the customer has no income older than the history");
        const holds = income > history + SLACK && income <= 2 * YEAR + SLACK;
        judgeDays(t, INCOME, holds, `income of ${income} days, of ${known} known`, [usual]);
      });
      await t.attempt(INCOME_FROM, async () => {
        if (ageOf(usual, "income") <= ASKED.incomeFromDate)
          throw new NotTried("not-shown", "the income is too young");
        const other = await t.finishedReport(WITH_INCOME, "incomeFromDate");
        const altered = datesOf(other, "income").join() !== datesOf(usual, "income").join();
        judgeDays(t, INCOME_FROM, altered, "the same income with it as without", [other, usual]);
      });
    },
  }),

  scenario("reports/employment-without-amounts", {
    title: "verifications of employment describe transactions without their amounts",
    operations: [EMPLOYMENT],
    requirements: [`${EMPLOYMENT}.no-amounts`],
    async run(t) {
      const { report } = await t.finishedReport(EMPLOYMENT);
      const fields = fieldsIn(contentOf(report)).filter(({ names }) => names.includes("transactions"));
      const described = fields.some(({ names, value }) => names.at(-1) === "description" && value !== "");
      const amounts = fields.filter(({ names, value }) => names.at(-1) === "amount" && value !== null);
      if (!described)
        throw new NotTried("part-not-shown", "the report shows no descriptions of transactions");
      t.judgeThat(`${EMPLOYMENT}.no-amounts`, amounts.length === 0, [report], {
        message: "the transactions show their amounts",
        expected: "only descriptions",
        actual: `${amounts.length} amounts`,
      });
    },
  }),

  scenario("reports/transactions-window", {
    title: "a transactions report spans at most 24 months, with pending transactions on request",
    section: "Transactions",
    operations: [TRANSACTIONS],
    requirements: [WINDOW, PENDING],
    async run(t) {
      const pending = { operationId: TRANSACTIONS, name: "includePending", value: true };
      await t.attempt(PENDING, async () => {
        await t.tryParameter(PENDING, pending);
      });
      const window = (days: number) => ({
        operationId: TRANSACTIONS,
        parameters: { fromDate: t.daysAgo(days), toDate: t.daysAgo(1) },
      });
      const control = await t.generationOf(window(2 * YEAR - 10));
      if (!isAccepted(control))
        throw new NotTried("not-arranged", `a window of 24 months was refused with ${statusOf(control)}`);
      const [long] = await t.followReports([await t.generate(window(30 * 31))]);
      if (long?.ack === undefined) throw new NotTried(whyUnfinished(long));
      const pair = [long.ack, control] as const;
      if (!isAccepted(long.ack)) t.judgeRefused(WINDOW, "a window of 30 months", pair, REFUSALS);
      else if (long.polled?.end === "failure") t.pass(WINDOW, pair);
      else {
        const { report } = asFinished(long);
        const seen = ageOf({ report, askedAt: t.clock.now() }, "everything") - 1;
        t.judgeThat(WINDOW, seen <= 2 * YEAR + SLACK, [report, long.ack], {
          message: `a window of 30 months returned a report on ${seen} days`,
          expected: "at most 24 months",
          actual: `${seen} days`,
        });
      }
    },
  }),
];

/** The parts of a report that have a history, in words. */
const WORDS = {
  everything: "the report",
  "but income": "the report outside of its income",
  income: "the income of the report",
} as const;

/** Whether a field has the date of a transaction, by the names that the document gives. */
const isDate = (name: string): boolean => /^(posted|transaction)Date$/i.test(name);

/**
 * Returns the dates in a report in seconds since 1970, without the echoed request (`constraints`). Reads each report
 * once, because some reports are large.
 */
const datesIn = memoize((exchange: Exchange) =>
  fieldsIn(contentOf(exchange), isDate).flatMap(({ names, value }) => {
    if (!isDate(names.at(-1) ?? "") || names.includes("constraints")) return [];
    const seconds = secondsOf(value);
    if (seconds === undefined) return [];
    return [{ seconds, isOfIncome: names.some((name) => /income/i.test(name)) }];
  }),
);

/** Returns the dates of a part of a report in seconds since 1970, oldest first. */
const datesOf = ({ report }: Pick<Finished, "report">, part: keyof typeof WORDS): number[] =>
  datesIn(report)
    .filter(({ isOfIncome }) => part === "everything" || isOfIncome === (part === "income"))
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b);

/**
 * Returns the age of the oldest date in a report, in days.
 * @throws NotTried when the report has no dates
 */
const ageOf = (finished: Pick<Finished, "report" | "askedAt">, part: keyof typeof WORDS): number => {
  const [oldest] = datesOf(finished, part);
  if (oldest === undefined)
    throw new NotTried("part-not-shown", `${BY_CUSTOMER} shows no dates of transactions in ${WORDS[part]}`);
  return Math.floor((finished.askedAt / 1000 - oldest) / DAY);
};

const judgeDays = (
  t: T,
  requirement: string,
  holds: boolean,
  actual: string,
  finished: readonly Finished[],
): void =>
  t.recordIfConfirmed(
    requirement,
    holds,
    finished.map(({ report }) => report),
    { message: `${WITH_INCOME} shows ${actual}`, expected: EXPECTED[requirement] ?? "", actual },
  );

const EXPECTED: Readonly<Record<string, string>> = {
  [HISTORY]: "a history of 61 days",
  [FROM_DATE]: `a history of ${ASKED.fromDate} days`,
  [INCOME]: "income of up to 24 months",
  [INCOME_FROM]: "other income",
};
