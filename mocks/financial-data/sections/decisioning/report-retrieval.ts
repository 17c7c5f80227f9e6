/** Report retrieval: one report as JSON or PDF, lists, portfolios, and reissue to another partner. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { instantOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, consumerIn, customerIn, partnerOf, pathValue, textIn } from "../../found.ts";
import { pdfOf } from "../../pdf.ts";
import { headOf, lastFourOf, portfolioEntry, readReport } from "../../reporting/content.ts";
import { reportsWithPayroll } from "../../reporting/wanted.ts";
import type { Section } from "../../section.ts";
import type { Consumer } from "../../state/customer.ts";
import { frozen, limited, type Report, reportById, shelves } from "../../state/reports.ts";
import type { State } from "../../state/state.ts";
import { REPORT_STATEFUL_FAULTS } from "./report-stateful-faults.ts";
import { resellerBilling } from "./reseller-billing.ts";

const readable = (state: State, call: Call): Report => {
  for (const customerId of shelves(state).payroll.keys()) reportsWithPayroll(state, call, customerId);
  const report = existing(reportById(state, pathValue(call, "reportId")), "unknown-report");
  if (call.differs("reports-found-late") && report.status === "inProgress") throw refused("unknown-report");
  refuseFrozen(state, call, report.customerId);
  return report;
};

const refuseFrozen = (state: State, { faulty }: Call, customerId: string): void => {
  if (frozen(state).has(customerId) && !faulty("reports-read-despite-freeze"))
    throw refused("security-freeze");
};

/** Whether the Accept header prefers a PDF (RFC 9110, 12.5.1). Without a preference the answer is JSON. */
const asksForPdf = ({ headers, faulty, operation }: Call, isPrintable: boolean): boolean => {
  const { operationId } = operation;
  const weights = weightsIn(headers.accept);
  const json = weights.get("application/json") ?? 0;
  const pdf = weights.get("application/pdf") ?? 0;
  if (pdf > json) return !faulty(`reports-pdf-as-json-${operationId}`);
  if (json > 0)
    return (
      faulty(`reports-json-as-pdf-${operationId}`) ||
      (!isPrintable && faulty(`reports-others-as-pdf-${operationId}`))
    );
  return faulty(`reports-pdf-by-default-${operationId}`);
};

/** Returns the weights by media type. Wildcards have no effect, since they express no preference. */
const weightsIn = (accept: string | string[] | undefined): Map<string, number> =>
  new Map(
    [accept ?? []]
      .flat()
      .join(",")
      .split(",")
      .map((range): [string, number] => {
        const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
        const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [type, quality === undefined ? 1 : Number(quality) || 0];
      }),
  );

const shown = (state: State, call: Call, report: Report): Answer => {
  const isPrintable = report.type === "voa";
  const isAsked = asksForPdf(call, isPrintable);
  if (isAsked && !isPrintable && call.differs("some-reports-without-pdf")) throw refused("no-pdf");
  if (isAsked && (isPrintable || !call.differs("some-reports-only-as-json")))
    return { status: 200, raw: { content: printed(state, report), contentType: "application/pdf" } };
  return readReport(state, call, report);
};

const printed = (state: State, report: Report): Buffer => {
  const { title, requesterName, id, status, type } = headOf(state, report);
  return pdfOf([
    String(title),
    `Report ${id} of type ${type}, ${status}`,
    `Requested by ${requesterName}`,
    `Created ${instantOf(report.created)}`,
    ...report.holdings.map(
      ({ account, balance }) => `${account.name} ${account.number.slice(-4)}: ${balance.toFixed(2)} USD`,
    ),
  ]);
};

const ofConsumer = (state: State, call: Call, { id, customerId }: Consumer): Report[] => {
  const lost = call.faulty("reports-lost-with-customer") && !state.customers.find(customerId);
  return lost
    ? []
    : reportsWithPayroll(state, call, customerId).filter(({ consumerId }) => consumerId === id);
};

const listed = (state: State, call: Call, customerId: string, reports: readonly Report[]): Answer => {
  refuseFrozen(state, call, customerId);
  if (limited(state).has(customerId) && !call.faulty("reports-limit-ignored"))
    throw refused("too-many-requests");
  const summaries = reports.map((report) => summaryOf(state, report));
  return success(state, call, { reports: summaries }, { made: "required" });
};

const summaryOf = (state: State, report: Report): Fields => {
  const head = headOf(state, report);
  const { id, requestId, requesterName, createdDate, type, status, consumerId, consumerSsn } = head;
  return { id, requestId, requesterName, createdDate, type, status, consumerId, consumerSsn };
};

const portfolio = (
  state: State,
  call: Call,
  customerId: string,
  reports: readonly Report[],
  more: Fields = {},
): Answer => {
  const named = shelves(state).portfolios.get(pathValue(call, "portfolioId"));
  const own = named?.customerId === customerId ? named : undefined;
  const found = existing(own, "unknown-portfolio");
  refuseFrozen(state, call, customerId);
  const newest = call.faulty("reports-portfolio-of-all") ? reports : newestOfEach(call, reports);
  const known = { portfolioId: found.id, reports: newest.map(portfolioEntry), ...more };
  return success(state, call, known, { key: found.id, made: "required" });
};

const newestOfEach = ({ faulty }: Call, reports: readonly Report[]): Report[] => {
  const newest = new Map<string, Report>();
  for (const report of reports) {
    const known = newest.get(report.type);
    const replaced =
      known === undefined || report.created >= known.created !== faulty("reports-portfolio-oldest");
    if (replaced) newest.set(report.type, report);
  }
  return [...newest.values()];
};

/** The operations whose reports are about a business. */
const OF_BUSINESS = /Business|PaymentHistory|Analytics/;

export const reportRetrieval: Section = {
  handlers: {
    GetReportById(state, call) {
      const report = readable(state, call);
      if (report.partnerId !== partnerOf(state, call).id) throw refused("unknown-report");
      if (report.type.startsWith("farp") && call.faulty("reports-foresight-not-fetched"))
        throw refused("unknown-report");
      return shown(state, call, report);
    },
    GetReportByCustomer(state, call) {
      const customer = customerIn(state, call);
      const report = readable(state, call);
      if (report.external || report.customerId !== customer.id) throw refused("unknown-report");
      return shown(state, call, report);
    },
    GetReportByConsumer(state, call) {
      const consumer = consumerIn(state, call);
      const report = readable(state, call);
      const lost = call.faulty("reports-lost-with-customer") && !state.customers.find(consumer.customerId);
      if (report.consumerId !== consumer.id || lost) throw refused("unknown-report");
      if (call.differs("business-reports-not-by-consumer") && OF_BUSINESS.test(report.operationId))
        throw refused("unknown-report");
      return shown(state, call, report);
    },
    GetReportsByCustomerId(state, call) {
      const { id } = customerIn(state, call);
      return listed(state, call, id, reportsWithPayroll(state, call, id));
    },
    GetReportsByConsumerId(state, call) {
      const consumer = consumerIn(state, call);
      return listed(state, call, consumer.customerId, ofConsumer(state, call, consumer));
    },
    /** Reissues a report to a partner, even to a partner that did not generate it. */
    ReportReissue(state, call) {
      const report = readable(state, call);
      const { faulty } = call;
      if (faulty("reports-reissue-own-only") && report.partnerId !== partnerOf(state, call).id)
        throw refused("unknown-report");
      const due = state.clock.now().getTime() >= Date.parse(call.operation.requiredFrom["/purpose"] ?? "");
      const required = due && !faulty("reports-purpose-never-required");
      const stated = call.body === undefined || (textIn(bodyOf(call), "purpose") ?? "") !== "";
      if (required && !stated) throw refused("no-purpose");
      return readReport(state, call, report);
    },
    GetPortfolioByCustomer(state, call) {
      const { id } = customerIn(state, call);
      return portfolio(state, call, id, reportsWithPayroll(state, call, id));
    },
    GetPortfolioByConsumer(state, call) {
      const consumer = consumerIn(state, call);
      const { id, customerId } = consumer;
      const { firstName, lastName, birthday, suffix } = consumer.fields;
      return portfolio(state, call, customerId, ofConsumer(state, call, consumer), {
        consumer: { id, customerId, firstName, lastName, birthday, suffix, ssn: lastFourOf(state, id) },
      });
    },
    getResellerBillingReport: resellerBilling,
  },
  statefulFaults: [REPORT_STATEFUL_FAULTS],
};
