/** What reports hold: how far they look back, whose income they show, what they leave out. */

import { answerTo } from "../../../fixtures/financial-data/asking.ts";
import { secondsOf } from "../../../fixtures/financial-data/calls.ts";
import { attempt, conclude, recordPair, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { fieldsIn, GENERATION_SECTION, isNew, REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import {
  ASKED,
  BY_CUSTOMER,
  daysAgo,
  type Finished,
  finishedReport,
  follow,
  generate,
  generationCall,
  WITH_INCOME,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkRefused } from "../../../helpers/checks/refusal.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const DAY = 24 * 60 * 60;
const YEAR = 366;
/** Days by which the ends of months and of days may differ. */
const SLACK = 4;

const LONGEST: readonly (readonly [operationId: string, requirement: string, days: number])[] = [
  ["GenerateVOAReport", "history-12-months", YEAR],
  [WITH_INCOME, "history-24-months", 2 * YEAR],
  ["GenerateVOIReport", "history-two-years", 2 * YEAR],
];

const TRANSACTIONS = "GenerateTransactionsReport";
const EMPLOYMENT = "GenerateVOETransactionsReport";
export const reportContentScenarios: readonly Trial[] = [
  scenario(
    {
      id: "reports/longest-history",
      title: "reports look no further back than documented",
      section: GENERATION_SECTION,
      operations: LONGEST.map(([operationId]) => operationId),
      requirements: LONGEST.map(([operationId, requirement]) => `${operationId}.${requirement}`),
    },
    async (context) => {
      for (const [operationId, requirement, days] of LONGEST) {
        await attempt(context, [`${operationId}.${requirement}`], async () => {
          const finished = await finishedReport(context, operationId);
          const seen = ageOf(finished, "everything");
          const holds = seen <= days + SLACK;
          const finding = {
            message: `${operationId} looks back ${seen} days`,
            expected: `at most ${days}`,
            actual: `${seen}`,
          };
          conclude(context, `${operationId}.${requirement}`, { holds, certain: true, finding }, [
            finished.report,
          ]);
        });
      }
    },
  ),

  scenario(
    {
      id: "reports/assets-with-income",
      title: "assets go back 61 days or to fromDate, income 24 months or to incomeFromDate",
      section: GENERATION_SECTION,
      operations: [WITH_INCOME],
      requirements: [
        `${WITH_INCOME}.default-history-61-days`,
        `${WITH_INCOME}.fromDate-changes-history`,
        `${WITH_INCOME}.income-credits-24-months`,
        `${WITH_INCOME}.incomeFromDate`,
      ],
    },
    async (context) => {
      const usual = await finishedReport(context, WITH_INCOME);
      const history = ageOf(usual, "but income");
      judgeDays(context, "default-history-61-days", history <= 61 + SLACK, `${history} days by default`, [
        usual,
      ]);
      await attempt(context, [`${WITH_INCOME}.fromDate-changes-history`], async () => {
        const longer = await finishedReport(context, WITH_INCOME, "fromDate");
        const days = ageOf(longer, "but income");
        const holds = days > history + SLACK && days <= ASKED.fromDate + SLACK;
        judgeDays(context, "fromDate-changes-history", holds, `${days} days for ${ASKED.fromDate}`, [
          longer,
          usual,
        ]);
      });
      await attempt(context, [`${WITH_INCOME}.income-credits-24-months`], async () => {
        const income = ageOf(usual, "income");
        const known = ageOf(await finishedReport(context, "GenerateVOIReport"), "income");
        if (known <= history + SLACK) throw new NotTried("the customer has no income older than the history");
        const holds = income > history + SLACK && income <= 2 * YEAR + SLACK;
        judgeDays(context, "income-credits-24-months", holds, `income of ${income} days, of ${known} known`, [
          usual,
        ]);
      });
      await attempt(context, [`${WITH_INCOME}.incomeFromDate`], async () => {
        if (ageOf(usual, "income") <= ASKED.incomeFromDate) throw new NotTried("the income is too young");
        const other = await finishedReport(context, WITH_INCOME, "incomeFromDate");
        const altered = datesOf(other, "income").join() !== datesOf(usual, "income").join();
        judgeDays(context, "incomeFromDate", altered, "the same income with it as without", [other, usual]);
      });
    },
  ),

  scenario(
    {
      id: "reports/employment-without-amounts",
      title: "verifications of employment describe transactions without their amounts",
      section: GENERATION_SECTION,
      operations: [EMPLOYMENT],
      requirements: [`${EMPLOYMENT}.no-amounts`],
    },
    async (context) => {
      const { report } = await finishedReport(context, EMPLOYMENT);
      const fields = [...fieldsIn(report.response?.json)].filter(({ names }) =>
        names.includes("transactions"),
      );
      const described = fields.some(({ names, value }) => names.at(-1) === "description" && value !== "");
      const amounts = fields.filter(({ names, value }) => names.at(-1) === "amount" && value !== null);
      if (!described) throw new NotTried("the report shows no descriptions of transactions");
      const finding = {
        message: "the transactions show their amounts",
        expected: "descriptions alone",
        actual: `${amounts.length} amounts`,
      };
      conclude(context, `${EMPLOYMENT}.no-amounts`, { holds: amounts.length === 0, certain: true, finding }, [
        report,
      ]);
    },
  ),

  scenario(
    {
      id: "reports/transactions-window",
      title: "a transactions report spans at most 24 months, with pending transactions if they are asked for",
      section: "Transactions",
      operations: [TRANSACTIONS],
      requirements: [`${TRANSACTIONS}.window-24-months`, `${TRANSACTIONS}.include-pending`],
    },
    async (context) => {
      const suffix = `${TRANSACTIONS}.include-pending`;
      await attempt(context, [suffix], async () => {
        await tryParameter(
          context,
          suffix,
          {},
          { operationId: TRANSACTIONS, name: "includePending", value: true },
        );
      });
      const window = (days: number) => ({
        operationId: TRANSACTIONS,
        parameters: { fromDate: daysAgo(context, days), toDate: daysAgo(context, 1) },
      });
      const twin = await answerTo(context, await generationCall(context, window(2 * YEAR - 10)));
      if (!isAccepted(twin)) throw new NotTried(`a window of 24 months was refused with ${statusOf(twin)}`);
      const [long] = await follow(context, [await generate(context, window(30 * 31))]);
      if (long?.ack === undefined) throw new NotTried(whyUnfinished(long));
      const requirement = `${TRANSACTIONS}.window-24-months`;
      if (!isAccepted(long.ack)) {
        const what = { what: "a window of 30 months", pointer: "fromDate" };
        recordPair(context, requirement, checkRefused(what, long.ack, twin, REFUSALS), [long.ack, twin]);
        return;
      }
      const report = long.polled?.exchanges.at(-1);
      if (long.polled?.end === "failure") {
        context.judge.passed(id(requirement), [long.ack, twin]);
        return;
      }
      if (report === undefined || long.polled?.end !== "success") throw new NotTried(whyUnfinished(long));
      const seen = ageOf({ report, askedAt: context.clock.now() }, "everything") - 1;
      const finding = {
        message: `a window of 30 months gave a report on ${seen} days`,
        expected: "at most 24 months",
        actual: `${seen} days`,
      };
      const holds = seen <= 2 * YEAR + SLACK;
      conclude(context, requirement, { holds, certain: true, finding }, [report, long.ack]);
    },
  ),
];

type Part = "everything" | "but income" | "income";

/** Fields that tell when something happened, or from when on. */
const DATES = /^(posted|transaction|start)Date$/i;

/** Dates in a report in seconds since 1970, oldest first; what was asked for is no part of it. */
const datesOf = ({ report }: Pick<Finished, "report">, part: Part): number[] =>
  [...fieldsIn(report.response?.json)]
    .filter(({ names }) => DATES.test(names.at(-1) ?? "") && !names.includes("constraints"))
    .filter(
      ({ names }) =>
        part === "everything" || names.some((name) => /income/i.test(name)) === (part === "income"),
    )
    .flatMap(({ value }) => secondsOf(value) ?? [])
    .sort((a, b) => a - b);

/**
 * Days back to the oldest date in a report.
 * @throws NotTried when it shows none
 */
const ageOf = (finished: Pick<Finished, "report" | "askedAt">, part: Part): number => {
  const [oldest] = datesOf(finished, part);
  if (oldest === undefined) throw new NotTried(`${BY_CUSTOMER} shows no dates of transactions in ${part}`);
  return Math.floor((finished.askedAt / 1000 - oldest) / DAY);
};

const judgeDays = (
  context: TrialContext,
  suffix: string,
  holds: boolean,
  actual: string,
  finished: readonly Finished[],
): void => {
  const finding = { message: `${WITH_INCOME} shows ${actual}`, expected: EXPECTED[suffix] ?? "", actual };
  const exchanges = finished.map(({ report }) => report);
  conclude(context, `${WITH_INCOME}.${suffix}`, { holds, certain: isNew(context), finding }, exchanges);
};

const EXPECTED: Readonly<Record<string, string>> = {
  "default-history-61-days": "a history of 61 days",
  "fromDate-changes-history": `a history of ${ASKED.fromDate} days`,
  "income-credits-24-months": "income of up to 24 months",
  incomeFromDate: "other income",
};
