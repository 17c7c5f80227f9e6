/** Decisioning report generation: checks a request immediately and generates the report on the clock. */
import { fieldsIn, numberIn } from "../../../engine/values/fields.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { accountOf, bodyOf, customerById, customerIn, partnerOf } from "../../found.ts";
import { headOf } from "../../reporting/content.ts";
import { REPORT_KINDS } from "../../reporting/kinds.ts";
import { assetIdsIn } from "../../reporting/pay.ts";
import { callbackIn, reportsWithPayroll, wantedReport } from "../../reporting/wanted.ts";
import type { Handler, Section } from "../../section.ts";
import { assetOf } from "../../state/assets.ts";
import type { Customer } from "../../state/customer.ts";
import {
  announce,
  generate,
  generateAtOnce,
  type NewReport,
  type Report,
  reportOf,
  shelves,
} from "../../state/reports.ts";
import type { State } from "../../state/state.ts";
import { indexOf, statementAsset, statementAt } from "../../state/statements.ts";
import { enrichedFor } from "../transactions/enrichment.ts";
import { reportSituations } from "./report-situations.ts";

type Adapt = (state: State, call: Call, customer: Customer, report: NewReport) => NewReport;

const generator =
  (adapt: Adapt = same): Handler =>
  (state, call) =>
    generated(state, call, customerIn(state, call), adapt);

const generated = async (state: State, call: Call, customer: Customer, adapt: Adapt) => {
  const kind = REPORT_KINDS[call.operation.operationId];
  if (kind === undefined) throw new Error(`No report kind for ${call.operation.operationId}.`);
  const wanted = adapt(state, call, customer, wantedReport(state, call, kind, customer));
  const atOnce = call.faulty("reports-complete-at-once");
  if (call.faulty("reports-callback-early") && wanted.callbackUrl !== undefined) {
    const report = generate(state, { ...wanted, callbackUrl: undefined });
    void announce(state, { ...report, callbackUrl: wanted.callbackUrl });
    return acknowledged(state, call, report);
  }
  return acknowledged(state, call, atOnce ? await generateAtOnce(state, wanted) : generate(state, wanted));
};

const acknowledged = (state: State, call: Call, report: Report) =>
  success(state, call, headOf(state, report), { key: report.id, made: "required" });

/** Refuses pay statements that are not stored for the customer. */
const withAssets: Adapt = (state, call, customer, report) => {
  const known = assetIdsIn(report.constraints).every((id) => assetOf(state, customer.id, id) !== undefined);
  if ((!known && !call.faulty("reports-any-asset")) || call.faulty("reports-no-asset"))
    throw refused("unknown-pay-statement");
  return report;
};

const ofStatement: Adapt = (state, call, customer, report) => {
  const { accountId, statementIndex } = fieldsIn(bodyOf(call).statementReportData);
  const account = accountOf(state, customer, accountId);
  const { id } = statementAsset(state, account, statementAt(state, indexOf(statementIndex)));
  return { ...report, extra: { assetId: id } };
};

const TWO_YEARS = 24;

const ofWindow: Adapt = (state, call, _customer, report) => {
  const { fromDate, toDate } = bodyOf(call);
  const from = numberIn(call.query.fromDate) ?? numberIn(fromDate);
  const until = numberIn(call.query.toDate) ?? numberIn(toDate);
  if (from === undefined && isDemanded(call, "fromDate")) throw refused("no-from-date");
  if (until === undefined && isDemanded(call, "toDate")) throw refused("no-to-date");
  const now = state.seconds();
  const period = { from: from ?? report.from, until: until ?? now };
  if (period.from > period.until) throw refused("dates-reversed");
  if (call.differs("long-windows-cut"))
    return { ...report, ...period, from: Math.max(period.from, monthsAfter(period.until, -TWO_YEARS)) };
  if (period.until > monthsAfter(period.from, TWO_YEARS) && !call.faulty("reports-any-window"))
    throw refused("window-too-long");
  return { ...report, ...period };
};

/** Whether the handler refuses calls without the date, because the contract does not, or the date may be in the body. */
const isDemanded = ({ operation, differs }: Call, name: string): boolean =>
  differs("report-dates-in-body") ||
  !operation.parameters.some((parameter) => parameter.name === name && parameter.required);

const monthsAfter = (seconds: number, months: number): number => {
  const date = new Date(seconds * 1000);
  return date.setUTCMonth(date.getUTCMonth() + months) / 1000;
};

/** Refreshes a payroll report. The connect flow creates it first. */
const refresh: Adapt = (state, call, customer, report) => {
  const there = reportsWithPayroll(state, call, customer.id).some(({ type }) => type === report.type);
  if (!there && !call.faulty("reports-refresh-creates")) throw refused("no-payroll-report");
  return report;
};

const same: Adapt = (_state, _call, _customer, report) => report;

const ofExternal = (state: State, call: Call, partnerId: string, customerId: string) => {
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
  return acknowledged(state, call, generate(state, reportOf(fields, state.seconds())));
};

const SPECIAL: Readonly<Record<string, Handler>> = {
  GeneratePayStatementReport: generator(withAssets),
  GenerateVOIEPaystubWithTXVerifyReport: generator(withAssets),
  GenerateVOIEPaystubReport: generator(withAssets),
  GenerateStatementReport: generator(ofStatement),
  GenerateTransactionsReport: generator(ofWindow),
  RefreshVOIEPayrollReport: generator(refresh),
  /** Accepts a customer with linked accounts, an external customer with enriched transactions, or both. */
  GenerateForesightAnalyticsFirstThirdPartyNonCraReport(state, call) {
    const { customerId, externalCustomerId } = bodyOf(call);
    if (customerId === undefined && externalCustomerId === undefined) throw refused("nobody-named");
    if (customerId !== undefined && externalCustomerId !== undefined && call.faulty("reports-either-id"))
      throw refused("both-named");
    const partner = partnerOf(state, call);
    if (externalCustomerId !== undefined && !enrichedFor(state).has(`${partner.id} ${externalCustomerId}`))
      throw refused("unknown-external-customer");
    if (customerId !== undefined) return generated(state, call, customerById(state, call, customerId), same);
    return ofExternal(state, call, partner.id, String(externalCustomerId));
  },
};

export const reportGeneration: Section = {
  handlers: {
    ...Object.fromEntries(Object.keys(REPORT_KINDS).map((operationId) => [operationId, generator()])),
    ...SPECIAL,
  },
  situations: reportSituations,
  open: (state) => {
    state.events.on("accounts-linked", ({ customer }) =>
      shelves(state).payroll.set(customer.id, state.seconds()),
    );
  },
};
