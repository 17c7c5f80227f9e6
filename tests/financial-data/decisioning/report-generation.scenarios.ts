/** Report generation: it is accepted with 202, polled while in progress, and readable when complete. */
import { GENERATION_SECTION, GENERATORS } from "../../../fixtures/financial-data/reporting.ts";
import {
  BY_CONSUMER,
  BY_CUSTOMER,
  BY_ID,
  FIRST_OR_THIRD_PARTY,
  type Generated,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { checkReportStatuses, isInProgress } from "../../../helpers/flows/report-poll.ts";
import { because, NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const ANSWERS = "reports.generate-answers-202";
const ASYNCHRONOUS = "reports.asynchronous";
const BODIES = "reports.generate.request-bodies";
const TRANSACTIONS = "GenerateTransactionsReport";
const FETCHED = "reports.fetched-by-report-id";
const FETCHED_BY_ID = `${FIRST_OR_THIRD_PARTY}.fetched-by-report-id`;
const STATUSES = "reports.status-enum";
const LENDER = "GetReportById.request-body";

export const reportGenerationScenarios = [
  scenario("reports/generation", {
    title: "each kind of report is accepted with 202 while it is still in progress",
    operations: GENERATORS,
    requirements: [ANSWERS, ASYNCHRONOUS, BODIES, `${TRANSACTIONS}.request-body`],
    async run(t) {
      const all = await t.reportsOfSession();
      for (const generated of all) judgeAcceptance(t, generated);
      for (const generated of all) judgeProgress(t, generated);
      const reason = because("lacks-resource", "a report in progress", whyUnfinished(all[0]));
      t.leaveRestUntried([ANSWERS, ASYNCHRONOUS, BODIES], reason);
      const own = all.find(({ operationId }) => operationId === TRANSACTIONS);
      t.leaveRestUntried(`${TRANSACTIONS}.request-body`, whyUnfinished(own));
    },
  }),

  scenario("reports/result", {
    title: "each kind of report is polled to its end and read with all operations by its report id",
    operations: [...GENERATORS, BY_ID, BY_CUSTOMER, BY_CONSUMER],
    requirements: [FETCHED, STATUSES, LENDER, FETCHED_BY_ID],
    async run(t) {
      const all = await t.reportsOfSession();
      const some = [...t.someOf(GENERATORS), FIRST_OR_THIRD_PARTY];
      for (const generated of all) if (some.includes(generated.operationId)) await judgeResult(t, generated);
      t.leaveRestUntried([FETCHED, STATUSES, LENDER], whyUnfinished(all[0]));
      const own = all.find(({ operationId }) => operationId === FIRST_OR_THIRD_PARTY);
      t.leaveRestUntried(FETCHED_BY_ID, whyUnfinished(own));
    },
  }),

  scenario("reports/failure", {
    title: "a report that can't be generated ends as a failure",
    operations: ["GenerateVOAReport", BY_CUSTOMER],
    requirements: [STATUSES],
    async run(t) {
      const resources = await t.situation("report-that-fails", "a report whose generation fails");
      const started = await t.generate({ operationId: "GenerateVOAReport" }, resources);
      const [failed] = await t.followReports([started]);
      const { end, statuses = [], exchanges = [] } = failed?.polled ?? {};
      if (end === undefined || statuses.length === 0) throw new NotTried(whyUnfinished(failed));
      const check = checkReportStatuses(statuses);
      if (!check.holds) t.record(STATUSES, check, exchanges.toReversed());
      else {
        t.judgeThat(STATUSES, end === "failure", exchanges.toReversed(), {
          message: `the report ended as ${end}`,
          expected: "failure",
          actual: statuses.join(", "),
        });
      }
    },
  }),
];

const judgeAcceptance = (t: T, { operationId, ack }: Generated): void => {
  if (ack === undefined) return;
  const body = operationId === TRANSACTIONS ? `${TRANSACTIONS}.request-body` : BODIES;
  // A 404 may be about a missing payroll report or pay statement, so it does not show whether the body is valid.
  if (statusOf(ack) !== 404)
    t.judgeAcceptedCall(body, `${operationId} with a body of the schema that is named for it`, ack);
  if (!isAccepted(ack)) return;
  t.judgeThat(ANSWERS, statusOf(ack) === 202, [ack], {
    message: `${operationId} accepted a request with ${statusOf(ack)}`,
    expected: "202",
  });
};

/** Judges that the acknowledgement or the first poll shows the report in progress. */
const judgeProgress = (t: T, { operationId, ack, polled }: Generated): void => {
  if (ack === undefined || polled === undefined) return;
  const { status } = (contentOf(ack) ?? {}) as { readonly status?: unknown };
  const said = typeof status === "string" ? status : polled.statuses[0];
  if (isInProgress(said) || isInProgress(polled.statuses[0])) t.pass(ASYNCHRONOUS, [ack]);
  else if (typeof status === "string" && /^(success|failure)$/i.test(status)) {
    t.judgeThat(ASYNCHRONOUS, false, [ack, ...polled.exchanges.slice(0, 1)], {
      message: `${operationId} answered only when the report was complete`,
      expected: "inProgress",
      actual: status,
    });
  }
};

const WAYS = [BY_ID, BY_CUSTOMER, BY_CONSUMER];

const judgeResult = async (t: T, generated: Generated): Promise<void> => {
  const { operationId, id: report, polled, ack } = generated;
  if (report === undefined || polled === undefined || ack === undefined) return;
  const external = operationId === FIRST_OR_THIRD_PARTY;
  const readings: Exchange[] = [];
  for (const way of external ? [BY_ID] : WAYS) {
    const consumer = await consumerOf(t, way);
    if (consumer === undefined) continue;
    const call = await t.validCall(way, { ...generated.resources, ...consumer, report });
    const reading = await t.readUntil(
      () => t.send(call),
      (exchange) => statusOf(exchange) !== 404 || !isConcerned(generated, way, exchange),
    );
    readings.push(reading);
    if (!isConcerned(generated, way, reading) || !showsId(t, reading)) continue;
    const isFetched = isAccepted(reading) && holdsValue(contentOf(reading), report);
    const wording = {
      message: `${way} ${isAccepted(reading) ? "answered with another report" : "does not find the report"}`,
      expected: `200 and the report ${report}`,
    };
    const body = way === BY_ID && readings.length === 1 && !isAccepted(reading);
    if (!body || statusOf(reading) === 404) t.judgeThat(FETCHED, isFetched, [reading], wording);
    if (external) t.judgeThat(FETCHED_BY_ID, isFetched, [reading, ack], wording);
  }
  judgeLender(t, readings);
  const statuses = [...polled.statuses, ...readings.flatMap((one) => t.statusOfReport(one) ?? [])];
  const shown = [...readings.toReversed(), ...polled.exchanges];
  if (statuses.length > 0) t.record(STATUSES, checkReportStatuses(statuses), shown);
};

/** Whether a report that was read shows which one it is. */
const showsId = (t: T, reading: Exchange): boolean =>
  !isAccepted(reading) || t.idOf(reading.operationId, "report", contentOf(reading)) !== undefined;

/** Whether the operation must find the report. A report on a business may have no consumer. */
const isConcerned = ({ operationId }: Generated, way: string, reading: Exchange): boolean =>
  way !== BY_CONSUMER || isAccepted(reading) || !BUSINESS.test(operationId);

const BUSINESS = /Business|PaymentHistory|Analytics/;

const consumerOf = async ({ arrange }: T, way: string): Promise<Resources | undefined> => {
  if (way !== BY_CONSUMER) return {};
  const arranged = await arrange.get("consumer");
  return "value" in arranged ? { consumer: arranged.value } : undefined;
};

/** Judges the body of GetReportById. A refusal counts only if another operation can read the report. */
const judgeLender = (t: T, [byId, ...others]: readonly Exchange[]): void => {
  if (byId === undefined) return;
  const readable = others.find(isAccepted);
  if (!isAccepted(byId) && (readable === undefined || statusOf(byId) === 404)) return;
  const shown = readable === undefined ? [byId] : [byId, readable];
  t.recordIfConfirmed(LENDER, isAccepted(byId), shown, {
    message: "GetReportById refused a body of the schema Lender",
    expected: "200",
  });
};
