/** Several reports of one customer: each stays as it ended, lists show all, and portfolios the newest of each type. */
import { BY_CUSTOMER, type Generated, whyUnfinished } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { lettersOf } from "../../../helpers/flows/report-poll.ts";
import { NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const VOA = "GenerateVOAReport";
const VOI = "GenerateVOIReport";

const FETCHED = "reports.fetched-by-report-id";
const STAYS = "sequences.reports-stay-ended";
const LISTED = "sequences.lists-agree";
const NEWEST = "portfolios.most-recent-per-type";

/** A report that has ended, and its status if it shows one. */
interface Ended extends Generated {
  readonly id: string;
  readonly status: string | undefined;
}

export const reportSeriesScenarios = [
  scenariosIn("Report retrieval")("report-retrieval/series", {
    title: "several reports of a customer stay as they ended, and portfolios show the newest of each type",
    operations: [VOA, VOI, BY_CUSTOMER, ...LISTS, ...PORTFOLIOS],
    requirements: [FETCHED, STAYS, LISTED, NEWEST],
    async run(t) {
      const customer = await t.freshCustomer();
      const known = await t.answered("GetConsumerForCustomer", { customer });
      const consumer = isAccepted(known) ? known : await t.accepted("CreateConsumer", { customer });
      const about = { customer, consumer: t.identifierIn(consumer, "consumer") };
      let reports: readonly Ended[] = [];
      for (const operationId of [VOA, VOI, VOA, VOA]) {
        const started = await t.generate({ operationId }, about);
        await judgeStayed(t, about, reports);
        reports = [...reports, await endedOf(t, started)];
        await judgeStayed(t, about, reports.slice(0, -1));
      }
      for (const operationId of LISTS) await judgeList(t, operationId, about, reports);
      const portfolio = t.identifierAt(reports.at(-1)?.ack as Exchange, "portfolio");
      if (portfolio === undefined) return t.leaveUntried(NEWEST, "not-shown", `${VOA} names no portfolio`);
      for (const operationId of PORTFOLIOS)
        await judgePortfolio(t, operationId, { ...about, portfolio }, reports);
    },
  }),
];

const endedOf = async (t: T, started: Generated): Promise<Ended> => {
  const [found = started] = await t.followReports([started]);
  const { id, polled } = found;
  if (id === undefined || polled === undefined || polled.end === "undecided")
    throw new NotTried(whyUnfinished(found));
  return { ...found, id, status: polled.statuses.at(-1) };
};

/** Reads the reports again, and judges that they still show how they ended. */
const judgeStayed = async (t: T, about: Resources, reports: readonly Ended[]): Promise<void> => {
  for (const { id: report, ack, status: before } of reports) {
    const read = await t.readUntil(() => t.answered(BY_CUSTOMER, { ...about, report }), isAccepted);
    t.judgeAccepted(FETCHED, `${BY_CUSTOMER} of a report that had ended`, [read, ack ?? read]);
    const now = isAccepted(read) ? t.statusOfReport(read) : undefined;
    if (now === undefined || before === undefined) continue;
    t.recordIfConfirmed(STAYS, lettersOf(now) === lettersOf(before), [read], {
      confirmed: t.isConfirmed(BY_CUSTOMER) || ENDS.includes(lettersOf(before)),
      message: "a report had ended, but now has another status",
      expected: before,
      actual: now,
    });
  }
};

const ENDS = ["success", "failure"];

const idsIn = (exchange: Exchange, reports: readonly Ended[]): string[] =>
  reports.flatMap(({ id }) => (holdsValue(contentOf(exchange), id) ? [id] : []));

const judgeList = async (
  t: T,
  operationId: string,
  about: Resources,
  reports: readonly Ended[],
): Promise<void> => {
  const list = await t.readUntil(
    () => t.accepted(operationId, about),
    (exchange) => idsIn(exchange, reports).length === reports.length,
  );
  const shown = idsIn(list, reports);
  t.recordIfConfirmed(LISTED, shown.length === reports.length, [list], {
    confirmed: t.isConfirmed(operationId) || shown.length > 0,
    message: `${operationId} does not show all reports`,
    expected: reports.map(({ id }) => id).join(" and "),
    actual: shown.join(" and ") || "none",
  });
};

const judgePortfolio = async (
  t: T,
  operationId: string,
  about: Resources,
  reports: readonly Ended[],
): Promise<void> => {
  const newest = [VOA, VOI].flatMap((kind) => reports.findLast((one) => one.operationId === kind)?.id ?? []);
  const isNewest = (exchange: Exchange) => idsIn(exchange, reports).sort().join() === newest.sort().join();
  const read = await t.readUntil(() => t.answered(operationId, about), isNewest);
  const shown = idsIn(read, reports);
  if (!isAccepted(read)) return;
  t.recordIfConfirmed(NEWEST, isNewest(read), [read], {
    confirmed: t.isConfirmed(operationId) || shown.length > 0,
    message: `${operationId} does not show the newest report of each type, and no older one`,
    expected: newest.join(" and "),
    actual: shown.join(" and ") || "none",
  });
};
