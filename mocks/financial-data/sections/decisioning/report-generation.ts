/** Decisioning report generation: what is asked for is checked at once and generated on the clock. */

import { fieldsIn } from "../../../engine/values/fields.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { accountOf, bodyOf, customerById, customerIn, partnerOf } from "../../found.ts";
import { headOf } from "../../reporting/content.ts";
import { REPORT_KINDS } from "../../reporting/kinds.ts";
import { assetIdsIn } from "../../reporting/pay.ts";
import { callbackIn, reportsWithPayroll, secondsIn, wantedReport } from "../../reporting/wanted.ts";
import type { Handler, Section } from "../../section.ts";
import { assetOf } from "../../world/assets.ts";
import type { Customer } from "../../world/customer.ts";
import {
  generate,
  generateAtOnce,
  type NewReport,
  type Report,
  reportOf,
  shelves,
} from "../../world/reports.ts";
import { indexOf, statementAsset, statementAt } from "../../world/statements.ts";
import type { World } from "../../world/world.ts";
import { enrichedFor } from "../transactions/enrichment.ts";
import { reportSituations } from "./report-situations.ts";

type Adapt = (world: World, call: Call, customer: Customer, report: NewReport) => NewReport;

const generator =
  (adapt: Adapt = same): Handler =>
  (world, call) =>
    generated(world, call, customerIn(world, call), adapt);

const generated = async (world: World, call: Call, customer: Customer, adapt: Adapt) => {
  const kind = REPORT_KINDS[call.operation.operationId];
  if (kind === undefined) throw new Error(`No report kind for ${call.operation.operationId}.`);
  const wanted = adapt(world, call, customer, wantedReport(world, call, kind, customer));
  const atOnce = call.bent("reports-complete-at-once");
  return acknowledged(world, call, atOnce ? await generateAtOnce(world, wanted) : generate(world, wanted));
};

const acknowledged = (world: World, call: Call, report: Report) =>
  success(world, call, headOf(world, report), { key: report.id, made: "required" });

/** Only pay statements that were stored for the customer can be read. */
const withAssets: Adapt = (world, call, customer, report) => {
  const known = assetIdsIn(report.constraints).every((id) => assetOf(world, customer.id, id) !== undefined);
  if ((!known && !call.bent("reports-any-asset")) || call.bent("reports-no-asset"))
    throw refused("unknown-pay-statement");
  return report;
};

const ofStatement: Adapt = (world, call, customer, report) => {
  const { accountId, statementIndex } = fieldsIn(bodyOf(call).statementReportData);
  const account = accountOf(world, customer, accountId);
  const { id } = statementAsset(world, account, statementAt(world, indexOf(statementIndex)));
  return { ...report, extra: { assetId: id } };
};

const TWO_YEARS = 24;

const ofWindow: Adapt = (world, call, _customer, report) => {
  const { fromDate, toDate } = bodyOf(call);
  const from = secondsIn(call.query.fromDate) ?? secondsIn(fromDate);
  const until = secondsIn(call.query.toDate) ?? secondsIn(toDate);
  if (from === undefined && !isRequired(call, "fromDate")) throw refused("no-from-date");
  if (until === undefined && !isRequired(call, "toDate")) throw refused("no-to-date");
  const now = world.seconds();
  const period = { from: from ?? report.from, until: until ?? now };
  if (period.from > period.until) throw refused("dates-reversed");
  if (period.until > monthsAfter(period.from, TWO_YEARS) && !call.bent("reports-any-window"))
    throw refused("window-too-long");
  return { ...report, ...period };
};

/** Whether the contract in use refuses calls without it. */
const isRequired = ({ operation }: Call, name: string): boolean =>
  operation.parameters.some((parameter) => parameter.name === name && parameter.required);

const monthsAfter = (seconds: number, months: number): number => {
  const date = new Date(seconds * 1000);
  return date.setUTCMonth(date.getUTCMonth() + months) / 1000;
};

/** Payroll reports come from the connect flow; here one that is there is brought up to date. */
const refresh: Adapt = (world, call, customer, report) => {
  const there = reportsWithPayroll(world, call, customer.id).some(({ type }) => type === report.type);
  if (!there && !call.bent("reports-refresh-creates")) throw refused("no-payroll-report");
  return report;
};

const same: Adapt = (_world, _call, _customer, report) => report;

const ofExternal = (world: World, call: Call, partnerId: string, customerId: string) => {
  const fields = {
    operationId: call.operation.operationId,
    type: "farpbfnoncra",
    partnerId,
    customerId,
    external: true,
    customerType: "active",
    constraints: bodyOf(call),
    callbackUrl: callbackIn(call),
  } as const;
  return acknowledged(world, call, generate(world, reportOf(fields, world.seconds())));
};

const SPECIAL: Readonly<Record<string, Handler>> = {
  GeneratePayStatementReport: generator(withAssets),
  GenerateVOIEPaystubWithTXVerifyReport: generator(withAssets),
  GenerateVOIEPaystubReport: generator(withAssets),
  GenerateStatementReport: generator(ofStatement),
  GenerateTransactionsReport: generator(ofWindow),
  RefreshVOIEPayrollReport: generator(refresh),
  /** Of a customer with linked accounts, of one whose transactions were submitted through enrichment, or of both. */
  GenerateForesightAnalyticsFirstThirdPartyNonCraReport(world, call) {
    const { customerId, externalCustomerId } = bodyOf(call);
    if (customerId === undefined && externalCustomerId === undefined) throw refused("nobody-named");
    if (customerId !== undefined && externalCustomerId !== undefined && call.bent("reports-either-id"))
      throw refused("both-named");
    const partner = partnerOf(world, call);
    if (externalCustomerId !== undefined && !enrichedFor(world).has(`${partner.id} ${externalCustomerId}`))
      throw refused("unknown-external-customer");
    if (customerId !== undefined) return generated(world, call, customerById(world, call, customerId), same);
    return ofExternal(world, call, partner.id, String(externalCustomerId));
  },
};

export const reportGeneration: Section = {
  handlers: {
    ...Object.fromEntries(Object.keys(REPORT_KINDS).map((operationId) => [operationId, generator()])),
    ...SPECIAL,
  },
  situations: reportSituations,
  open: (world) => {
    world.happenings.on("accounts-linked", ({ customer }) =>
      shelves(world).payroll.set(customer.id, world.seconds()),
    );
  },
};
