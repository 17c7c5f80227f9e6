/** Report generation: accepted with 202, polled while it is in progress, and there to be read when it is done. */
import { callOf, situation } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { GENERATION_SECTION, GENERATORS, isNew } from "../../../fixtures/financial-data/reporting.ts";
import {
  BY_CONSUMER,
  BY_CUSTOMER,
  BY_ID,
  FIRST_OR_THIRD_PARTY,
  follow,
  type Generated,
  generate,
  reportsOfSession,
  statusOfReport,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { HOLDS, violation } from "../../../helpers/checks/check.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { checkReportStatuses, isInProgress } from "../../../helpers/flows/report-poll.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const FETCHED_BY_ID = `${FIRST_OR_THIRD_PARTY}.fetched-by-report-id`;

export const reportGenerationScenarios: readonly Trial[] = [
  scenario(
    {
      id: "reports/generation",
      title: "each kind of report is accepted with 202 and still in progress",
      section: GENERATION_SECTION,
      operations: GENERATORS,
      requirements: [
        "reports.generate-answers-202",
        "reports.asynchronous",
        "reports.generate.request-bodies",
        "GenerateTransactionsReport.request-body",
      ],
    },
    async (context) => {
      const all = await reportsOfSession(context);
      for (const generated of all) judgeAcceptance(context, generated);
      for (const generated of all) judgeProgress(context, generated);
      const { judge } = context;
      const [first] = all;
      for (const one of ["generate-answers-202", "asynchronous", "generate.request-bodies"]) {
        if (!judge.hasVerdict(id(`reports.${one}`)))
          judge.notTried(id(`reports.${one}`), `no report was seen in progress: ${whyUnfinished(first)}`);
      }
      if (!judge.hasVerdict(id("GenerateTransactionsReport.request-body"))) {
        const own = all.find(({ operationId }) => operationId === "GenerateTransactionsReport");
        judge.notTried(id("GenerateTransactionsReport.request-body"), whyUnfinished(own));
      }
    },
  ),

  scenario(
    {
      id: "reports/result",
      title:
        "each kind of report is polled to its end and read in all ways, by the id that its generation gave",
      section: GENERATION_SECTION,
      operations: [...GENERATORS, BY_ID, BY_CUSTOMER, BY_CONSUMER],
      requirements: [
        "reports.fetched-by-report-id",
        "reports.status-enum",
        "GetReportById.request-body",
        FETCHED_BY_ID,
      ],
    },
    async (context) => {
      const all = await reportsOfSession(context);
      for (const generated of all) await judgeResult(context, generated);
      for (const one of [
        "reports.fetched-by-report-id",
        "reports.status-enum",
        "GetReportById.request-body",
      ]) {
        if (!context.judge.hasVerdict(id(one))) context.judge.notTried(id(one), whyUnfinished(all[0]));
      }
      if (!context.judge.hasVerdict(id(FETCHED_BY_ID))) {
        const own = all.find(({ operationId }) => operationId === FIRST_OR_THIRD_PARTY);
        context.judge.notTried(id(FETCHED_BY_ID), whyUnfinished(own));
      }
    },
  ),

  scenario(
    {
      id: "reports/failure",
      title: "a report that can't be generated ends as a failure",
      section: GENERATION_SECTION,
      operations: ["GenerateVOAReport", BY_CUSTOMER],
      requirements: ["reports.status-enum"],
    },
    async (context) => {
      const resources = await situation(context, "report-that-fails", "a report whose generation fails");
      const started = await generate(context, { operationId: "GenerateVOAReport" }, resources);
      const [failed] = await follow(context, [started]);
      const { end, statuses = [], exchanges = [] } = failed?.polled ?? {};
      if (end === undefined || statuses.length === 0) throw new NotTried(whyUnfinished(failed));
      const check = checkReportStatuses(statuses);
      const message = `the report ended as ${end}`;
      const result =
        check.holds && end !== "failure"
          ? violation({ pointer: "", message, expected: "failure", actual: statuses.join(", ") })
          : check;
      context.judge.record(id("reports.status-enum"), result, exchanges.toReversed());
    },
  ),
];

const judgeAcceptance = (context: TrialContext, { operationId, ack }: Generated): void => {
  if (ack === undefined) return;
  const { judge } = context;
  const isOwn = operationId === "GenerateTransactionsReport";
  const body = isOwn ? "GenerateTransactionsReport.request-body" : "reports.generate.request-bodies";
  const message = `${operationId} refused a body of the schema that is named for it`;
  const finding = { message, expected: "202", actual: `${statusOf(ack)}` };
  // What lacks for a refresh or for a stored pay statement is told in the same way as an unknown body.
  if (isAccepted(ack) || statusOf(ack) !== 404)
    conclude(context, body, { holds: isAccepted(ack), certain: isNew(context), finding }, [ack]);
  if (!isAccepted(ack)) return;
  const accepted = { pointer: "", message: `${operationId} accepted a request with ${statusOf(ack)}` };
  const result =
    statusOf(ack) === 202 ? HOLDS : violation({ ...accepted, expected: "202", actual: finding.actual });
  judge.record(id("reports.generate-answers-202"), result, [ack]);
};

/** The acknowledgement comes before the report is complete, or the first reading tells so. */
const judgeProgress = (context: TrialContext, { operationId, ack, polled }: Generated): void => {
  if (ack === undefined || polled === undefined) return;
  const { status } = (ack.response?.json ?? {}) as { readonly status?: unknown };
  const said = typeof status === "string" ? status : polled.statuses[0];
  const [reading] = polled.exchanges;
  if (isInProgress(said) || isInProgress(polled.statuses[0])) {
    context.judge.record(id("reports.asynchronous"), HOLDS, [ack]);
  } else if (typeof status === "string" && /^(success|failure)$/i.test(status)) {
    const message = `${operationId} answered when the report was complete`;
    const result = violation({ pointer: "", message, expected: "inProgress", actual: status });
    context.judge.record(id("reports.asynchronous"), result, reading === undefined ? [ack] : [ack, reading]);
  }
};

const WAYS = [BY_ID, BY_CUSTOMER, BY_CONSUMER];

const judgeResult = async (context: TrialContext, generated: Generated): Promise<void> => {
  const { operationId, id: report, polled, ack } = generated;
  if (report === undefined || polled === undefined || ack === undefined) return;
  const { judge } = context;
  const external = operationId === FIRST_OR_THIRD_PARTY;
  const readings: Exchange[] = [];
  for (const way of external ? [BY_ID] : WAYS) {
    const consumer = await consumerOf(context, way);
    if (consumer === undefined) continue;
    const reading = await context.send(
      await callOf(context, way, { ...generated.resources, ...consumer, report }),
    );
    readings.push(reading);
    if (!isConcerned(generated, way, reading)) continue;
    const result = fetched(way, reading, report);
    const body = way === BY_ID && readings.length === 1 && !isAccepted(reading);
    if (!body || statusOf(reading) === 404)
      judge.record(id("reports.fetched-by-report-id"), result, [reading]);
    if (external) judge.record(id(FETCHED_BY_ID), result, [reading, ack]);
  }
  judgeLender(context, readings);
  const statuses = [...polled.statuses, ...readings.flatMap((one) => statusOfReport(context, one) ?? [])];
  if (statuses.length > 0)
    judge.record(id("reports.status-enum"), checkReportStatuses(statuses), [
      ...readings.toReversed(),
      ...polled.exchanges,
    ]);
};

/** A report on a business may be about no consumer. */
const isConcerned = ({ operationId }: Generated, way: string, reading: Exchange): boolean =>
  way !== BY_CONSUMER || isAccepted(reading) || !BUSINESS.test(operationId);

const BUSINESS = /Business|PaymentHistory|Analytics/;

const consumerOf = async (
  { arrange }: TrialContext,
  way: string,
): Promise<Readonly<Record<string, string>> | undefined> => {
  if (way !== BY_CONSUMER) return {};
  const arranged = await arrange.get("consumer");
  return "value" in arranged ? { consumer: arranged.value } : undefined;
};

const fetched = (way: string, reading: Exchange, report: string) => {
  if (isAccepted(reading) && holdsValue(reading.response?.json, report)) return HOLDS;
  return violation({
    pointer: "",
    message: isAccepted(reading) ? `${way} answered with another report` : `${way} does not find the report`,
    expected: `200 and the report ${report}`,
    actual: `${statusOf(reading)}`,
  });
};

/** With the body GetReportById was refused what another way reads. */
const judgeLender = (context: TrialContext, [byId, ...others]: readonly Exchange[]): void => {
  if (byId === undefined) return;
  const readable = others.find(isAccepted);
  if (!isAccepted(byId) && (readable === undefined || statusOf(byId) === 404)) return;
  const finding = {
    message: "GetReportById refused a body of the schema Lender",
    expected: "200",
    actual: `${statusOf(byId)}`,
  };
  const shown = readable === undefined ? [byId] : [byId, readable];
  conclude(
    context,
    "GetReportById.request-body",
    { holds: isAccepted(byId), certain: isNew(context), finding },
    shown,
  );
};
