/** Report retrieval: JSON or PDF on request, lists, and security freezes. */

import { purposeful } from "../../../fixtures/financial-data/reporting.ts";
import {
  BY_CONSUMER,
  BY_CUSTOMER,
  BY_ID,
  finishedReport,
  reportsOfSession,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { attempt, ifPossible } from "../../../helpers/trials/kit/attempt.ts";
import { situation } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { tryParameter } from "../../../helpers/trials/kit/parameters.ts";
import { identifierAt, identifiersIn } from "../../../helpers/trials/kit/reading.ts";
import { judgeRefused, judgeThat, recordIfConfirmed } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Report retrieval");
const WAYS = [BY_ID, BY_CUSTOMER, BY_CONSUMER];
const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const REISSUE = "ReportReissue";
const FREEZE = "errors.403-security-freeze-on-retrieval";
const FOR_PURPOSE = "reports.get.purpose-parameter";
const ON_BEHALF = "reports.get.on-behalf-of-parameter";
const LIMIT = "reports.lists.429";
const LISTED = "sequences.lists-agree";
const VOA = "GenerateVOAReport";
/** Two reports of the same customer and consumer. */
const LISTED_KINDS = [VOA, "GenerateVOIReport"];

/** Kinds of reports. At least one kind is available as a PDF, but the documents do not state which one. */
const PRINTED = [VOA, "GenerateVOIReport", "GenerateStatementReport", "GenerateTransactionsReport"];

export const reportRetrievalScenarios: readonly Trial[] = [
  ...WAYS.map((way) =>
    scenario({
      id: `report-retrieval/accept/${way}`,
      title: `${way} answers with JSON or a PDF, as the Accept header requests`,
      operations: [way],
      requirements: ["accept-json", "accept-pdf", "accept-default-json"].map((one) => `${way}.${one}`),
      async run(context) {
        const report = await readableReport(context, VOA);
        for (const [suffix, accept] of [
          ["accept-json", "application/json"],
          ["accept-default-json", null],
          ["accept-default-json", "*/*"],
        ] as const) {
          const read = await answered(context, way, { report }, { headers: { accept } });
          if (!isAccepted(read))
            throw new NotTried(`${way} refused a finished report with ${statusOf(read)}`);
          judgeForm(context, `${way}.${suffix}`, isJson(read), "JSON", read);
        }
        const prints: Exchange[] = [];
        for (const kind of PRINTED) {
          await ifPossible(async () => {
            const other = { report: await readableReport(context, kind) };
            prints.push(await answered(context, way, other, { headers: { accept: "application/pdf" } }));
          });
        }
        const print = prints.find(isPdf) ?? prints[0];
        if (print === undefined) throw new NotTried("needs a finished report");
        judgeForm(context, `${way}.accept-pdf`, isPdf(print), "a PDF", print);
      },
    }),
  ),

  scenario({
    id: "report-retrieval/parameters",
    title: "reports are read with and without a purpose and an on-behalf-of parameter",
    operations: [...WAYS, ...LISTS],
    requirements: [FOR_PURPOSE, ON_BEHALF],
    async run(context) {
      const { id: report } = await finishedReport(context);
      for (const operationId of [...WAYS, ...LISTS])
        await tryParameter(context, FOR_PURPOSE, { operationId, name: "purpose" }, { report });
      for (const operationId of WAYS)
        await tryParameter(context, ON_BEHALF, { operationId, name: "onBehalfOf" }, { report });
    },
  }),

  scenario({
    id: "report-retrieval/lists",
    title: "the lists show each of two reports",
    operations: LISTS,
    requirements: [LISTED],
    async run(context) {
      const reports = await Promise.all(LISTED_KINDS.map((kind) => readableReport(context, kind)));
      for (const operationId of LISTS) {
        const list = await readUntil(
          context,
          () => accepted(context, operationId),
          (exchange) => reports.every((id) => holdsValue(contentOf(exchange), id)),
        );
        const lost = reports.filter((id) => !holdsValue(contentOf(list), id));
        recordIfConfirmed(context, LISTED, lost.length === 0, [list], {
          confirmed: isConfirmed(context, operationId) || lost.length < reports.length,
          named: identifiersIn(context, list, "report").length > 0,
          message: `${operationId} does not show a report of the ${operationId === LISTS[0] ? "customer" : "consumer"}`,
          expected: reports.join(" and "),
          actual: reports.filter((id) => !lost.includes(id)).join(" and ") || "neither",
        });
      }
    },
  }),

  scenario({
    id: "report-retrieval/limit",
    title: "report lists answer 429 when they are called too often",
    operations: LISTS,
    requirements: [LIMIT],
    async run(context) {
      // The test does not search for the limit, because the documents do not show it.
      const need = "a customer whose report lists are limited";
      const limited = await situation(context, "rate-limited-list", need);
      for (const operationId of LISTS) {
        const probe = await answered(context, operationId, limited, { interruptions: "return" });
        const control = await answered(context, operationId);
        judgeRefused(context, LIMIT, `${operationId} called too often`, [probe, control], [429]);
      }
    },
  }),

  scenario({
    id: "report-retrieval/security-freeze",
    title: "reading reports on a consumer with a security freeze is refused with 403",
    operations: [...WAYS, ...LISTS, REISSUE, ...PORTFOLIOS],
    requirements: [FREEZE],
    async run(context) {
      const frozen = await situation(context, "security-freeze", "a consumer under a security freeze");
      const { id: report, ack } = await finishedReport(context);
      const portfolio = identifierAt(context, ack, "portfolio");
      const free = { report, ...(portfolio !== undefined && { portfolio }) };
      for (const operationId of [...WAYS, ...LISTS, REISSUE, ...PORTFOLIOS]) {
        await attempt(context, FREEZE, async () => {
          const probe = await purposeful(context, operationId, frozen);
          const control = await purposeful(context, operationId, free);
          const what = `${operationId} for a consumer with a security freeze`;
          judgeRefused(context, FREEZE, what, [probe, control], [403]);
        });
      }
    },
  }),
];

/** Returns the id of a generated report, whether or not its polls showed a status. */
const readableReport = async (context: TrialContext, kind: string): Promise<string> => {
  const found = (await reportsOfSession(context)).find(({ operationId }) => operationId === kind);
  const end = found?.polled?.end;
  if (found?.id !== undefined && (end === "success" || end === "statusless")) return found.id;
  throw new NotTried(whyUnfinished(found));
};

const isJson = ({ response }: Exchange): boolean =>
  response?.json !== undefined && /json/i.test(response.headers["content-type"] ?? "");

const isPdf = ({ response }: Exchange): boolean =>
  response?.status === 200 &&
  /pdf/i.test(response.headers["content-type"] ?? "") &&
  response.body.subarray(0, 5).toString() === "%PDF-";

const judgeForm = (
  context: TrialContext,
  requirement: string,
  holds: boolean,
  form: string,
  read: Exchange,
): void => {
  judgeThat(context, requirement, holds, [read], {
    message: `${read.operationId} did not answer with ${form}`,
    expected: form,
    actual: `${statusOf(read)} ${read.response?.headers["content-type"] ?? "without a content type"}`,
  });
};
