/** Builds the content of a report: the parts of its type, from the accounts at the time of the request. */
import type { Answer } from "../../engine/call.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { cents } from "../../engine/values/units.ts";
import { jsonSchemaOf, success } from "../answers.ts";
import type { Call } from "../calls.ts";
import { kept } from "../kept-answers.ts";
import type { Report } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { analyticsOf } from "./analytics.ts";
import { bankOf } from "./bank.ts";
import { cashFlowOf } from "./cash-flow.ts";
import { incomeOf } from "./income.ts";
import { REPORT_KINDS, type ReportPart } from "./kinds.ts";
import { employmentOf, payStatementsOf } from "./pay.ts";

/** Returns the fields that acknowledge a generation and that show a report in progress. */
export const headOf = (state: State, report: Report): Fields => ({
  id: report.id,
  customerId: report.external ? undefined : report.customerId,
  customerType: report.customerType,
  requestId: report.requestId,
  requesterName: state.partners.all.get(report.partnerId)?.name,
  createdDate: report.created,
  title: REPORT_KINDS[report.operationId]?.title ?? "Merchant Metrics",
  consumerId: report.consumerId,
  consumerSsn: lastFourOf(state, report.consumerId),
  portfolioId: report.portfolioId,
  type: report.type,
  status: report.status,
  businessDetails: report.business && { ...report.business.fields, businessId: report.business.id },
  constraints: constraintsOf(report),
  errors:
    report.problem === undefined || report.status === "inProgress" ? undefined : [errorOf(report.problem)],
});

/** Returns the entry of the report in a portfolio. */
export const portfolioEntry = ({ id, portfolioId, type, status, created: createdDate }: Report): Fields => ({
  id,
  portfolioId,
  type,
  status,
  createdDate,
});

/**
 * Reads the complete report, and caches it for as long as its status stays the same. Operations whose answers have the
 * same schema share the cached report.
 */
export const readReport = (state: State, call: Call, report: Report): Answer => {
  const { operationId } = call.operation;
  const schema = jsonSchemaOf(call.operation, 200)?.$ref ?? operationId;
  return kept(state, `report ${schema} ${report.id}`, report.status, () =>
    success(state, call, fieldsOf(state, call, report), { key: report.id, made: "required" }),
  );
};

const fieldsOf = (state: State, call: Call, report: Report): Fields => {
  const parts = report.status === "success" ? (REPORT_KINDS[report.operationId]?.parts ?? []) : [];
  return {
    ...headOf(state, report),
    ...Object.assign({}, ...parts.map((part) => PARTS[part](state, call, report))),
    ...(report.status === "success" && report.extra),
  };
};

const assetsOf = (_state: State, _call: Call, { holdings }: Report): Fields => {
  const balance = cents(holdings.reduce((sum, holding) => sum + holding.balance, 0));
  return {
    consolidatedAvailableBalance: balance,
    assets: { type: "consolidated", currentBalance: balance, availableBalance: balance },
  };
};

const PARTS: Readonly<Record<ReportPart, (state: State, call: Call, report: Report) => Fields>> = {
  bank: bankOf,
  assets: assetsOf,
  income: incomeOf,
  "cash-flow": cashFlowOf,
  analytics: analyticsOf,
  employment: employmentOf,
  "pay-statements": payStatementsOf,
};

/** Repeats the constraints of the request in the form of reports, in which account ids are a list. */
const constraintsOf = ({ constraints, holdings }: Report): Fields => ({
  ...constraints,
  ...(constraints.accountIds !== undefined && { accountIds: holdings.map(({ account }) => account.id) }),
});

const errorOf = (message: string): Fields => ({ code: 1_020, message });

export const lastFourOf = (state: State, consumerId: string | undefined): string | undefined => {
  const ssn = state.customers.consumers.get(consumerId ?? "")?.fields.ssn;
  return ssn === undefined ? undefined : String(ssn).slice(-4);
};
