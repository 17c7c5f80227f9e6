/** Report retrieval: JSON or PDF as asked for, lists, and what a security freeze does to them. */

import { answerTo } from "../../../fixtures/financial-data/asking.ts";
import { answered, callOf, situation } from "../../../fixtures/financial-data/calls.ts";
import { attempt, conclude, recordPair, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { purposeful } from "../../../fixtures/financial-data/reporting.ts";
import {
  BY_CONSUMER,
  BY_CUSTOMER,
  BY_ID,
  finishedReport,
  placeIn,
  reportsOfSession,
  whyUnfinished,
} from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkRefused } from "../../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Report retrieval";
const WAYS = [BY_ID, BY_CUSTOMER, BY_CONSUMER];
const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const REISSUE = "ReportReissue";
const FREEZE = "errors.403-security-freeze-on-retrieval";
const LIMIT = "reports.lists.429";
const VOA = "GenerateVOAReport";

/** Kinds of reports of which one at least comes as a PDF; which of them do is left open. */
const PRINTED = [VOA, "GenerateVOIReport", "GenerateStatementReport", "GenerateTransactionsReport"];

export const reportRetrievalScenarios: readonly Trial[] = [
  ...WAYS.map((way) =>
    scenario(
      {
        id: `report-retrieval/accept/${way}`,
        title: `${way} answers with JSON or a PDF, as the Accept header asks`,
        section: SECTION,
        operations: [way],
        requirements: ["accept-json", "accept-pdf", "accept-default-json"].map((one) => `${way}.${one}`),
      },
      async (context) => {
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
          await attempt(context, [], async () => {
            const other = await readableReport(context, kind);
            prints.push(
              await answered(context, way, { report: other }, { headers: { accept: "application/pdf" } }),
            );
          });
        }
        const print = prints.find(isPdf) ?? prints[0];
        if (print === undefined) throw new NotTried("needs a finished report");
        judgeForm(context, `${way}.accept-pdf`, isPdf(print), "a PDF", print);
      },
    ),
  ),

  scenario(
    {
      id: "report-retrieval/parameters",
      title: "reports are read with a purpose and on behalf of somebody, and without",
      section: SECTION,
      operations: [...WAYS, ...LISTS],
      requirements: ["reports.get.purpose-parameter", "reports.get.on-behalf-of-parameter"],
    },
    async (context) => {
      const { id: report } = await finishedReport(context);
      for (const operationId of [...WAYS, ...LISTS]) {
        await tryParameter(
          context,
          "reports.get.purpose-parameter",
          { report },
          { operationId, name: "purpose" },
        );
      }
      for (const operationId of WAYS) {
        const parameter = { operationId, name: "onBehalfOf" };
        await tryParameter(context, "reports.get.on-behalf-of-parameter", { report }, parameter);
      }
    },
  ),

  scenario(
    {
      id: "report-retrieval/limit",
      title: "report lists that are called too often answer 429",
      section: SECTION,
      operations: LISTS,
      requirements: [LIMIT],
    },
    async (context) => {
      // Nobody's limit is looked for: it is not shown.
      const limited = await situation(
        context,
        "rate-limited-list",
        "a customer whose report lists are limited",
      );
      for (const operationId of LISTS) {
        const probe = await answerTo(context, {
          ...(await callOf(context, operationId, limited)),
          interruptions: "return",
        });
        const twin = await answered(context, operationId, {});
        const what = { what: `${operationId} called too often`, pointer: "" };
        recordPair(context, LIMIT, checkRefused(what, probe, twin, [429]), [probe, twin]);
      }
    },
  ),

  scenario(
    {
      id: "report-retrieval/security-freeze",
      title: "reports about a consumer under a security freeze are kept back with 403",
      section: SECTION,
      operations: [...WAYS, ...LISTS, REISSUE, ...PORTFOLIOS],
      requirements: [FREEZE],
    },
    async (context) => {
      const frozen = await situation(context, "security-freeze", "a consumer under a security freeze");
      const { id: report, ack } = await finishedReport(context);
      const portfolio = placeIn(context, ack, "portfolio");
      const free = { report, ...(portfolio !== undefined && { portfolio }) };
      for (const operationId of [...WAYS, ...LISTS, REISSUE, ...PORTFOLIOS]) {
        await attempt(context, [FREEZE], async () => {
          const probe = await purposeful(context, operationId, frozen);
          const twin = await purposeful(context, operationId, free);
          const what = { what: `${operationId} for a consumer under a security freeze`, pointer: "" };
          recordPair(context, FREEZE, checkRefused(what, probe, twin, [403]), [probe, twin]);
        });
      }
    },
  ),
];

/** A report that was generated, whatever form its polling found it in. */
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
  suffix: string,
  holds: boolean,
  form: string,
  read: Exchange,
): void => {
  const actual = `${statusOf(read)} ${read.response?.headers["content-type"] ?? "without a content type"}`;
  const message = `${read.operationId} did not answer with ${form}`;
  conclude(context, suffix, { holds, certain: true, finding: { message, expected: form, actual } }, [read]);
};
