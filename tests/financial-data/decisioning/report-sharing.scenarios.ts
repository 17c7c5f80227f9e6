/** Portfolios, which contain the newest report of each type, and the reissue of reports to other partners. */
import { REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import {
  asFinished,
  type Finished,
  type Generated,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { unsettled } from "../../../helpers/contract/lookups.ts";
import { contentOf, type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { fieldOf, NotTried, unbound } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Report retrieval");
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const REISSUE = "ReportReissue";
const NEWEST = "portfolios.most-recent-per-type";
const VOA = "GenerateVOAReport";
const ATTEMPTS = 2;
const OPTIONAL = `${REISSUE}.purpose-optional-before-2026-04-30`;
const REQUIRED = `${REISSUE}.purpose-required-by-2026-04-30`;

export const reportSharingScenarios = [
  scenario("report-retrieval/portfolio", {
    title: "a portfolio contains only the newest report of each type",
    operations: PORTFOLIOS,
    requirements: [NEWEST],
    async run(t) {
      let older = (await t.startedReports()).find(({ operationId }) => operationId === VOA);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const pair = await finishedPair(t, older);
        if (await judgePortfolios(t, ...pair)) return;
        older = pair[1];
      }
      throw new NotTried("not-arranged", "others generate such reports at the same time");
    },
  }),

  scenario("report-retrieval/reissue", {
    title: "a report is reissued to another partner by its id and the permissible purpose",
    operations: [REISSUE],
    requirements: ["lender-required", "by-report-id-and-purpose", "third-party-retrieval"].map(
      (suffix) => `${REISSUE}.${suffix}`,
    ),
    async run(t) {
      const own = { report: (await t.finishedReport()).id };
      const control = await t.purposeful(REISSUE, own);
      const without = await t.answered(REISSUE, own, { json: null });
      t.judgeRefused(`${REISSUE}.lender-required`, "a reissue without a body", [without, control], [400]);
      judgeReissue(t, "by-report-id-and-purpose", control, own.report);
      await t.attempt(`${REISSUE}.third-party-retrieval`, async () => {
        const need = "a report of another partner and the right to retrieve it";
        const other = await t.situation("report-of-another-partner", need);
        const reissue = await t.purposeful(REISSUE, other);
        judgeReissue(t, "third-party-retrieval", reissue, other.report ?? "");
      });
    },
  }),

  scenario("report-retrieval/reissue-purpose", {
    title: "the purpose of a reissue is required from April 30, 2026",
    operations: [REISSUE],
    requirements: [OPTIONAL, REQUIRED],
    async run(t) {
      const { id: report } = await t.finishedReport();
      const { requiredFrom } = t.operationOf(REISSUE);
      const days = (t.clock.now() - Date.parse(requiredFrom["/purpose"] ?? "")) / 86_400_000;
      const without = await t.purposeful(REISSUE, { report }, null);
      const control = await t.purposeful(REISSUE, { report });
      const what = "a reissue without a purpose code";
      const pair = [without, control] as const;
      // The documents do not state whether the day itself counts, or its time zone.
      if (days < -2) t.judgeAccepted(OPTIONAL, what, pair, "/purpose");
      else
        t.leaveUntried(OPTIONAL, "left-open", "the date from which on a purpose code is required has come");
      if (days < 2)
        t.leaveUntried(REQUIRED, "left-open", "a purpose code is not required before April 30, 2026");
      else if (isAccepted(without) && !t.isConfirmed())
        t.leaveUntried(REQUIRED, "name-assumed", "the field of the purpose may have another name");
      else t.judgeRefused(REQUIRED, what, pair, REFUSALS);
    },
  }),
];

/** Generates a newer report, and waits for both. @throws NotTried when one of them was not generated */
const finishedPair = async (
  t: T,
  older: Generated | undefined,
): Promise<[older: Finished, newer: Finished]> => {
  if (older?.id === undefined)
    throw new NotTried("lacks-resource", "a finished report", whyUnfinished(older));
  // The times of the reports may have a resolution of one second.
  await t.clock.pass(1);
  const newer = await t.generate({ operationId: VOA }, older.resources);
  const [one, two] = await t.followReports([older, newer]);
  return [asFinished(one), asFinished(two)];
};

/** @returns `false` when a report of another client may be newer */
const judgePortfolios = async (t: T, older: Finished, newer: Finished): Promise<boolean> => {
  const portfolio = t.identifierAt(older.ack, "portfolio");
  if (portfolio === undefined) throw new NotTried(unsettled(t.contract, `${VOA} shows no portfolio`));
  const ours = (await t.startedReports()).flatMap((one) => one.id ?? []);
  for (const operationId of PORTFOLIOS) {
    const read = await t.readUntil(
      () => t.accepted(operationId, { ...older.resources, portfolio }),
      (exchange) => holdsValue(contentOf(exchange), newer.id) && !holdsValue(contentOf(exchange), older.id),
    );
    const items = t.itemsIn(read);
    const types = items.map((item) => {
      const type = fieldOf(item, "type");
      return typeof type === "string" ? type : String(t.idOf(operationId, "report", item));
    });
    const areNamed = items.some((item) => t.idOf(operationId, "report", item) !== undefined);
    if (items.length > 0 && !areNamed) throw unbound(operationId, "report in its items");
    const shows = ({ id: report }: Finished) => items.some((item) => holdsValue(item, report));
    const isOneEach = new Set(types).size === types.length;
    const holds = !shows(older) && shows(newer) && isOneEach;
    const isOurs = (item: unknown) => ours.some((report) => holdsValue(item, report));
    if (!holds && !shows(older) && isOneEach && !items.every(isOurs)) return false;
    t.judgeThat(NEWEST, holds, [read, newer.ack], {
      message: `${operationId} does not show exactly the newest report of each type`,
      expected: `${newer.id} and not ${older.id}`,
      actual: types.join(", "),
    });
  }
  return true;
};

const judgeReissue = (t: T, suffix: string, exchange: Exchange, report: string): void => {
  const holds = isAccepted(exchange) && holdsValue(contentOf(exchange), report);
  t.recordIfConfirmed(`${REISSUE}.${suffix}`, holds, [exchange], {
    message: `a reissue of the report ${report} did not return it`,
    expected: "200 and the report",
  });
};
