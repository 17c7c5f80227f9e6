/** Report retrieval: one report in JSON or as a PDF, lists, portfolios, and reissue to another partner. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { instantOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, consumerIn, customerIn, partnerOf, pathValue, textIn } from "../../found.ts";
import { pdfOf } from "../../pdf.ts";
import { headOf, lastFourOf, portfolioEntry, readReport } from "../../reporting/content.ts";
import { reportsWithPayroll } from "../../reporting/wanted.ts";
import type { Section } from "../../section.ts";
import type { Consumer } from "../../world/customer.ts";
import { frozen, limited, type Report, reportById, shelves } from "../../world/reports.ts";
import type { World } from "../../world/world.ts";
import { REPORT_TWISTS } from "./report-twists.ts";
import { resellerBilling } from "./reseller-billing.ts";

const readable = (world: World, call: Call): Report => {
  const report = existing(reportById(world, pathValue(call, "reportId")), "unknown-report");
  refuseFrozen(world, call, report.customerId);
  return report;
};

const refuseFrozen = (world: World, { bent }: Call, customerId: string): void => {
  if (frozen(world).has(customerId) && !bent("reports-read-despite-freeze")) throw refused("security-freeze");
};

/** What the Accept header selects (RFC 9110, 12.5.1): JSON wherever it prefers neither that nor a PDF. */
const asksForPdf = ({ headers, bent, operation }: Call): boolean => {
  const { operationId } = operation;
  const weights = weightsIn(headers.accept);
  const json = weights.get("application/json") ?? 0;
  const pdf = weights.get("application/pdf") ?? 0;
  if (pdf > json) return !bent(`reports-pdf-as-json-${operationId}`);
  if (json > 0) return bent(`reports-json-as-pdf-${operationId}`);
  return bent(`reports-pdf-by-default-${operationId}`);
};

/** By media type, without wildcards: those prefer nothing. */
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

const shown = (world: World, call: Call, report: Report): Answer => {
  if (asksForPdf(call))
    return { status: 200, raw: { content: printed(world, report), contentType: "application/pdf" } };
  return readReport(world, call, report);
};

const printed = (world: World, report: Report): Buffer => {
  const { title, requesterName, id, status, type } = headOf(world, report);
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

const ofConsumer = (world: World, call: Call, { id, customerId }: Consumer): Report[] => {
  const lost = call.bent("reports-lost-with-customer") && !world.customers.find(customerId);
  return lost
    ? []
    : reportsWithPayroll(world, call, customerId).filter(({ consumerId }) => consumerId === id);
};

const listed = (world: World, call: Call, customerId: string, reports: readonly Report[]): Answer => {
  refuseFrozen(world, call, customerId);
  if (limited(world).has(customerId) && !call.bent("reports-limit-ignored"))
    throw refused("too-many-requests");
  const summaries = reports.map((report) => summaryOf(world, report));
  return success(world, call, { reports: summaries }, { made: "required" });
};

const summaryOf = (world: World, report: Report): Fields => {
  const head = headOf(world, report);
  const { id, requestId, requesterName, createdDate, type, status, consumerId, consumerSsn } = head;
  return { id, requestId, requesterName, createdDate, type, status, consumerId, consumerSsn };
};

const portfolio = (
  world: World,
  call: Call,
  customerId: string,
  reports: readonly Report[],
  more: Fields = {},
): Answer => {
  const named = shelves(world).portfolios.get(pathValue(call, "portfolioId"));
  const own = named?.customerId === customerId ? named : undefined;
  const found = existing(own, "unknown-portfolio");
  refuseFrozen(world, call, customerId);
  const newest = call.bent("reports-portfolio-of-all") ? reports : newestOfEach(call, reports);
  const known = { portfolioId: found.id, reports: newest.map(portfolioEntry), ...more };
  return success(world, call, known, { key: found.id, made: "required" });
};

const newestOfEach = ({ bent }: Call, reports: readonly Report[]): Report[] => {
  const newest = new Map<string, Report>();
  for (const report of reports) {
    const known = newest.get(report.type);
    const replaced =
      known === undefined || report.created >= known.created !== bent("reports-portfolio-oldest");
    if (replaced) newest.set(report.type, report);
  }
  return [...newest.values()];
};

/** Milliseconds since 1970 from which on a purpose code is required. */
const PURPOSE_REQUIRED = Date.UTC(2026, 3, 30);

export const reportRetrieval: Section = {
  handlers: {
    GetReportById(world, call) {
      const report = readable(world, call);
      if (report.partnerId !== partnerOf(world, call).id) throw refused("unknown-report");
      if (report.type.startsWith("farp") && call.bent("reports-foresight-not-fetched"))
        throw refused("unknown-report");
      return shown(world, call, report);
    },
    GetReportByCustomer(world, call) {
      const customer = customerIn(world, call);
      const report = readable(world, call);
      if (report.external || report.customerId !== customer.id) throw refused("unknown-report");
      return shown(world, call, report);
    },
    GetReportByConsumer(world, call) {
      const consumer = consumerIn(world, call);
      const report = readable(world, call);
      const lost = call.bent("reports-lost-with-customer") && !world.customers.find(consumer.customerId);
      if (report.consumerId !== consumer.id || lost) throw refused("unknown-report");
      return shown(world, call, report);
    },
    GetReportsByCustomerId(world, call) {
      const { id } = customerIn(world, call);
      return listed(world, call, id, reportsWithPayroll(world, call, id));
    },
    GetReportsByConsumerId(world, call) {
      const consumer = consumerIn(world, call);
      return listed(world, call, consumer.customerId, ofConsumer(world, call, consumer));
    },
    /** For a partner that did not generate the report, too. */
    ReportReissue(world, call) {
      const report = readable(world, call);
      const { bent } = call;
      if (bent("reports-reissue-own-only") && report.partnerId !== partnerOf(world, call).id)
        throw refused("unknown-report");
      const due = world.clock.now().getTime() >= PURPOSE_REQUIRED;
      const required = due && !bent("reports-purpose-never-required");
      const stated = call.body === undefined || (textIn(bodyOf(call), "purpose") ?? "") !== "";
      if (required && !stated) throw refused("no-purpose");
      return readReport(world, call, report);
    },
    GetPortfolioByCustomer(world, call) {
      const { id } = customerIn(world, call);
      return portfolio(world, call, id, reportsWithPayroll(world, call, id));
    },
    GetPortfolioByConsumer(world, call) {
      const consumer = consumerIn(world, call);
      const { id, customerId } = consumer;
      const { firstName, lastName, birthday, suffix } = consumer.fields;
      return portfolio(world, call, customerId, ofConsumer(world, call, consumer), {
        consumer: { id, customerId, firstName, lastName, birthday, suffix, ssn: lastFourOf(world, id) },
      });
    },
    getResellerBillingReport: resellerBilling,
  },
  twists: [REPORT_TWISTS],
};
