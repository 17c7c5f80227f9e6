/** Report retrieval: JSON or PDF as asked for, lists, portfolios, reissue, and what a security freeze does to them. */
import {
  accepted,
  answered,
  callOf,
  fieldOf,
  idOf,
  itemsIn,
  type Resources,
  situation,
} from "../../fixtures/financial-data-calls.ts";
import {
  BY_CONSUMER,
  BY_CUSTOMER,
  BY_ID,
  finishedReport,
  follow,
  generate,
  placeIn,
  reportsOfSession,
  whyUnfinished,
} from "../../fixtures/financial-data-reports.ts";
import { checkAccepted, checkRefused } from "../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { NotTried, type Trial, type TrialContext } from "../../helpers/trials/trial.ts";
import { answerTo } from "./asking.ts";
import { attempt, conclude, recordPair, tryParameter } from "./conclude.ts";
import { isNew, REFUSALS } from "./reporting.ts";
import { id, scenario } from "./trial.ts";

const SECTION = "Report retrieval";
const WAYS = [BY_ID, BY_CUSTOMER, BY_CONSUMER];
const LISTS = ["GetReportsByCustomerId", "GetReportsByConsumerId"];
const PORTFOLIOS = ["GetPortfolioByCustomer", "GetPortfolioByConsumer"];
const REISSUE = "ReportReissue";
const FREEZE = "errors.403-security-freeze-on-retrieval";
const LIMIT = "reports.lists.429";
const NEWEST = "portfolios.most-recent-per-type";
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

  scenario(
    {
      id: "report-retrieval/portfolio",
      title: "a portfolio holds the newest report of a type and none before it",
      section: SECTION,
      operations: PORTFOLIOS,
      requirements: [NEWEST],
    },
    async (context) => {
      const older = await finishedReport(context, VOA);
      // Whatever tells which is newer counts in seconds at least.
      await context.clock.pass(1);
      const [newer] = await follow(context, [await generate(context, { operationId: VOA }, older.resources)]);
      if (newer?.id === undefined || newer.polled?.end !== "success")
        throw new NotTried(whyUnfinished(newer));
      const portfolio = placeIn(context, older.ack, "portfolio");
      if (portfolio === undefined)
        throw new NotTried(`${VOA} shows no portfolio: give its document with --contract`);
      for (const operationId of PORTFOLIOS) {
        const read = await accepted(context, operationId, { ...older.resources, portfolio });
        const items = itemsIn(context, read);
        const types = items.map((item) =>
          String(fieldOf(item, "type") ?? idOf(context, operationId, "report", item)),
        );
        const holds =
          !items.some((item) => holdsValue(item, older.id)) &&
          items.some((item) => holdsValue(item, newer.id as string)) &&
          new Set(types).size === types.length;
        const finding = {
          message: `${operationId} shows other reports than the newest of each type`,
          expected: `${newer.id} and not ${older.id}`,
          actual: types.join(", "),
        };
        conclude(context, NEWEST, { holds, certain: true, finding }, [read, newer.ack as Exchange]);
      }
    },
  ),

  scenario(
    {
      id: "report-retrieval/reissue",
      title: "a report is reissued to another partner by its id and the permissible purpose",
      section: SECTION,
      operations: [REISSUE],
      requirements: ["lender-required", "by-report-id-and-purpose", "third-party-retrieval"].map(
        (suffix) => `${REISSUE}.${suffix}`,
      ),
    },
    async (context) => {
      const own = { report: (await finishedReport(context)).id };
      const twin = await purposeful(context, REISSUE, own);
      const without = await answered(context, REISSUE, own, { json: null });
      const missing = { what: "a reissue without a body", pointer: "" };
      recordPair(context, `${REISSUE}.lender-required`, checkRefused(missing, without, twin, [400]), [
        without,
        twin,
      ]);
      judgeReissue(context, "by-report-id-and-purpose", twin, own.report);
      await attempt(context, [`${REISSUE}.third-party-retrieval`], async () => {
        const need = "a report of another partner and the right to retrieve it";
        const other = await situation(context, "report-of-another-partner", need);
        judgeReissue(
          context,
          "third-party-retrieval",
          await purposeful(context, REISSUE, other),
          other.report ?? "",
        );
      });
    },
  ),

  scenario(
    {
      id: "report-retrieval/reissue-purpose",
      title: "the purpose of a reissue is required from April 30, 2026",
      section: SECTION,
      operations: [REISSUE],
      requirements: [
        `${REISSUE}.purpose-optional-before-2026-04-30`,
        `${REISSUE}.purpose-required-by-2026-04-30`,
      ],
    },
    async (context) => {
      const { report } = { report: (await finishedReport(context)).id };
      const days = (context.clock.now() - PURPOSE_REQUIRED) / 86_400_000;
      const without = await purposeful(context, REISSUE, { report }, null);
      const twin = await purposeful(context, REISSUE, { report });
      const what = { what: "a reissue without a purpose code", pointer: "/purpose" };
      const pair = [without, twin] as const;
      const optional = `${REISSUE}.purpose-optional-before-2026-04-30`;
      const required = `${REISSUE}.purpose-required-by-2026-04-30`;
      // Whether the day itself counts, and when in the world it begins, is left open.
      if (days < -2) recordPair(context, optional, checkAccepted(what, without, twin), pair);
      else context.judge.notTried(id(optional), "the date from which on a purpose code is required has come");
      if (days < 2)
        context.judge.notTried(id(required), "a purpose code is not required before April 30, 2026");
      else if (isAccepted(without) && !isNew(context))
        context.judge.notTried(
          id(required),
          "accepted without: the field of the purpose may have another name",
        );
      else recordPair(context, required, checkRefused(what, without, twin, REFUSALS), pair);
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

const PURPOSE_REQUIRED = Date.UTC(2026, 3, 30);

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

/** A permissible purpose code. */
const PURPOSE = "31";

/** A call with a purpose code in its body, where it takes a body; `null` leaves the code out. */
const purposeful = async (
  context: TrialContext,
  operationId: string,
  resources: Resources,
  purpose: string | null = PURPOSE,
): Promise<Exchange> => {
  const call = await callOf(context, operationId, resources);
  if (call.json === undefined) return answerTo(context, call);
  const { purpose: _, ...others } = call.json as Readonly<Record<string, unknown>>;
  return answerTo(context, { ...call, json: { ...others, ...(purpose !== null && { purpose }) } });
};

const judgeReissue = (context: TrialContext, suffix: string, exchange: Exchange, report: string): void => {
  const holds = isAccepted(exchange) && holdsValue(exchange.response?.json, report);
  const finding = {
    message: `a reissue of the report ${report} did not give it`,
    expected: "200 and the report",
    actual: `${statusOf(exchange)}`,
  };
  conclude(context, `${REISSUE}.${suffix}`, { holds, certain: isNew(context), finding }, [exchange]);
};
