/** Report retrieval: JSON or PDF on request, lists, and security freezes. */
import { BY_CONSUMER, BY_CUSTOMER, BY_ID, whyUnfinished } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { checkThat } from "../../../helpers/exchange/check-result.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { ifPossible, NotTried } from "../../../helpers/trials/kit/language.ts";

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

export const reportRetrievalScenarios = [
  ...WAYS.map((way) =>
    scenario(`report-retrieval/accept/${way}`, {
      title: `${way} answers with JSON or a PDF, as the Accept header requests`,
      operations: [way],
      requirements: ["accept-json", "accept-pdf", "accept-default-json"].map((one) => `${way}.${one}`),
      async run(t) {
        const report = await readableReport(t, VOA);
        for (const [suffix, accept] of [
          ["accept-json", "application/json"],
          ["accept-default-json", null],
          ["accept-default-json", "*/*"],
        ] as const) {
          const read = await t.answered(way, { report }, { headers: { accept } });
          if (!isAccepted(read)) throw new NotTried("refused", way, "a finished report", statusOf(read));
          judgeForm(t, `${way}.${suffix}`, isJson(read), "JSON", read);
        }
        const prints: Exchange[] = [];
        for (const kind of PRINTED) {
          await ifPossible(async () => {
            const other = { report: await readableReport(t, kind) };
            prints.push(await t.answered(way, other, { headers: { accept: "application/pdf" } }));
          });
        }
        const print = prints.find(isPdf) ?? prints[0];
        if (print === undefined) throw new NotTried("lacks", "a finished report");
        // Which way has reports as PDF is left open, unless the provider's document lists it.
        const { content = {} } = t.operationOf(way).responses[200] ?? {};
        const isSure = t.isConfirmed() || (t.isConfirmed(way) && "application/pdf" in content);
        judgeForm(t, `${way}.accept-pdf`, isPdf(print), "a PDF", print, isSure);
      },
    }),
  ),

  scenario("report-retrieval/parameters", {
    title: "reports are read with and without a purpose and an on-behalf-of parameter",
    operations: [...WAYS, ...LISTS],
    requirements: [FOR_PURPOSE, ON_BEHALF],
    async run(t) {
      const { id: report } = await t.finishedReport();
      for (const operationId of [...WAYS, ...LISTS])
        await t.tryParameter(FOR_PURPOSE, { operationId, name: "purpose" }, { report });
      for (const operationId of WAYS)
        await t.tryParameter(ON_BEHALF, { operationId, name: "onBehalfOf" }, { report });
    },
  }),

  scenario("report-retrieval/lists", {
    title: "the lists show each of two reports",
    operations: LISTS,
    requirements: [LISTED],
    async run(t) {
      const reports = await Promise.all(LISTED_KINDS.map((kind) => readableReport(t, kind)));
      for (const operationId of LISTS) {
        const list = await t.readUntil(
          () => t.accepted(operationId),
          (exchange) => reports.every((id) => holdsValue(contentOf(exchange), id)),
        );
        const lost = reports.filter((id) => !holdsValue(contentOf(list), id));
        t.recordIfConfirmed(LISTED, lost.length === 0, [list], {
          confirmed: t.isConfirmed(operationId) || lost.length < reports.length,
          named: t.identifiersIn(list, "report").length > 0,
          message: `${operationId} does not show a report of the ${operationId === LISTS[0] ? "customer" : "consumer"}`,
          expected: reports.join(" and "),
          actual: reports.filter((id) => !lost.includes(id)).join(" and ") || "neither",
        });
      }
    },
  }),

  scenario("report-retrieval/limit", {
    title: "report lists answer 429 when they are called too often",
    operations: LISTS,
    requirements: [LIMIT],
    async run(t) {
      // The test does not search for the limit, because the documents do not show it.
      const need = "a customer whose report lists are limited";
      const limited = await t.situation("rate-limited-list", need);
      for (const operationId of LISTS) {
        const probe = await t.answered(operationId, limited, { interruptions: "return" });
        const control = await t.answered(operationId);
        t.judgeRefused(LIMIT, `${operationId} called too often`, [probe, control], [429]);
      }
    },
  }),

  scenario("report-retrieval/security-freeze", {
    title: "reading reports on a consumer with a security freeze is refused with 403",
    operations: [...WAYS, ...LISTS, REISSUE, ...PORTFOLIOS],
    requirements: [FREEZE],
    async run(t) {
      const frozen = await t.situation("security-freeze", "a consumer under a security freeze");
      const { id: report, ack } = await t.finishedReport();
      const portfolio = t.identifierAt(ack, "portfolio");
      const free = { report, ...(portfolio !== undefined && { portfolio }) };
      for (const operationId of [...WAYS, ...LISTS, REISSUE, ...PORTFOLIOS]) {
        await t.attempt(FREEZE, async () => {
          const probe = await t.purposeful(operationId, frozen);
          const control = await t.purposeful(operationId, free);
          const what = `${operationId} for a consumer with a security freeze`;
          t.judgeRefused(FREEZE, what, [probe, control], [403]);
        });
      }
    },
  }),
];

/** Returns the id of a generated report, whether or not its polls showed a status. */
const readableReport = async (t: T, kind: string): Promise<string> => {
  const found = (await t.reportsOfSession()).find(({ operationId }) => operationId === kind);
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

const judgeForm = (t: T, id: string, holds: boolean, form: string, read: Exchange, isSure = true): void => {
  const actual = `${statusOf(read)} ${read.response?.headers["content-type"] ?? "without a content type"}`;
  const message = `${read.operationId} did not answer with ${form}`;
  const details = {
    pointer: "",
    message,
    expected: form,
    actual,
    ...(!isSure && { suspected: true as const }),
  };
  t.record(id, checkThat(holds, details), [read]);
};
