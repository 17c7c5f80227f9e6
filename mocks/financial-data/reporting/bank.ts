/** The bank data part of a report: institutions with their accounts and transactions. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { cents, DAY } from "../../engine/values/units.ts";
import type { Call } from "../calls.ts";
import type { Institution } from "../state/institutions.ts";
import type { Holding, Report } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { analyticsOfAccount } from "./analytics.ts";
import { cashFlowOfAccount } from "./cash-flow.ts";
import { hasAmounts, streamsOf } from "./income.ts";
import { REPORT_KINDS } from "./kinds.ts";
import { nameOf } from "./pay.ts";
import { dateOf, rowsBetween, sumOf, transactionOf } from "./rows.ts";

export const bankOf = (state: State, call: Call, report: Report): Fields => {
  const byInstitution = [...groupBy(report.holdings, ({ account }) => account.institutionId)];
  return {
    startDate: report.from,
    endDate: report.until,
    days: Math.round((report.until - report.from) / DAY),
    seasoned: report.until - report.from >= 60 * DAY,
    institutions: byInstitution.flatMap(([id, holdings]) => {
      const institution = state.institutions.find(id);
      return institution === undefined ? [] : [institutionOf(state, call, report, institution, holdings)];
    }),
  };
};

const institutionOf = (
  state: State,
  call: Call,
  report: Report,
  { id, name }: Institution,
  holdings: readonly Holding[],
): Fields => ({
  id,
  name,
  urlHomeApp: "https://bank.example.com/",
  accounts: holdings.map((holding) => accountOf(state, call, report, holding)),
});

const accountOf = (state: State, call: Call, report: Report, holding: Holding): Fields => {
  const { account, balance } = holding;
  const rows = rowsBetween(state, account, report.from, report.until);
  const parts = REPORT_KINDS[report.operationId]?.parts ?? [];
  const beginning = cents(balance - sumOf(rows));
  const shown = report.includePending ? rows : rows.filter(({ pending }) => !pending);
  return {
    id: account.id,
    number: account.number.slice(-4),
    name: account.name,
    type: account.type,
    currency: "USD",
    ...ownerOf(state, report),
    aggregationStatusCode: 0,
    balance,
    currentBalance: balance,
    availableBalance: balance,
    balanceDate: report.created,
    beginningBalance: beginning,
    averageMonthlyBalance: cents((balance + beginning) / 2),
    oldestTransactionDate: dateOf(rows[0]),
    transactions: shown.map((row) => transactionOf(row, hasAmounts(report, call))),
    asset: {
      type: account.type,
      currentBalance: balance,
      beginningBalance: beginning,
      availableBalance: balance,
      twoMonthAverage: cents((balance + beginning) / 2),
      sixMonthAverage: cents((balance + beginning) / 2),
    },
    ...(parts.includes("income") && { incomeStreams: streamsOf(state, call, report, holding) }),
    ...(parts.includes("cash-flow") && cashFlowOfAccount(rows, balance, report)),
    ...(parts.includes("analytics") && { analytics: analyticsOfAccount(state, rows, balance, report) }),
  };
};

const ownerOf = (state: State, report: Report): Fields => {
  const fields = state.customers.consumers.get(report.consumerId ?? "")?.fields;
  const address = [fields?.address, fields?.city, fields?.state, fields?.zip].filter(Boolean).join(", ");
  return { ownerName: nameOf(state, report), ...(address !== "" && { ownerAddress: address }) };
};
