/** The pay parts of a report: stored pay statements, and employment data of a payroll provider. */
import { type Fields, fieldsIn, listIn } from "../../engine/values/fields.ts";
import { randomOf } from "../../engine/values/random.ts";
import { cents, DAY } from "../../engine/values/units.ts";
import type { Call } from "../calls.ts";
import type { Report } from "../state/reports.ts";
import type { State } from "../state/state.ts";

const EMPLOYER = "Northwind Traders";
const BIWEEKLY = 26;

export const payStatementsOf = (state: State, _call: Call, report: Report): Fields => {
  const assetIds = assetIdsIn(report.constraints);
  return {
    startDate: report.from,
    endDate: report.until,
    assetIds,
    numberOfBillableAssets: assetIds.length,
    payStatements: assetIds.map((assetId) => {
      const gross = randomOf(`${state.seed} pay ${assetId}`).integer(2_000_00, 4_000_00) / 100;
      const payDate = report.created - 7 * DAY;
      return {
        assetId,
        billable: true,
        payPeriod: "BiWeekly",
        payDate,
        startDate: payDate - 14 * DAY,
        endDate: payDate,
        grossPayCurrent: gross,
        grossPayYTD: cents(gross * 12),
        netPayCurrent: cents(gross * 0.8),
        netPayYTD: cents(gross * 0.8 * 12),
        employer: { name: EMPLOYER },
        employee: { name: nameOf(state, report) },
        monthlyIncome: {
          estimatedMonthlyBasePay: cents((gross * BIWEEKLY) / 12),
          estimatedMonthlyTotalPay: cents((gross * BIWEEKLY) / 12),
        },
      };
    }),
  };
};

/** Collects the asset ids from the fields of all kinds of pay statement reports. */
export const assetIdsIn = (constraints: Fields): string[] => {
  const { paystatementReport, voieWithStatementData, voieWithInterviewData } = constraints;
  const { assetIds } = fieldsIn(paystatementReport ?? voieWithStatementData);
  const { txVerifyInterview } = fieldsIn(voieWithInterviewData);
  const interviewed = listIn(txVerifyInterview).map((interview) => fieldsIn(interview).assetId);
  return [...listIn(assetIds), ...interviewed].map(String);
};

export const employmentOf = (state: State, _call: Call, report: Report): Fields => ({
  employmentHistory: [
    {
      asOfDate: report.created,
      employerName: EMPLOYER,
      payrollSource: "Meadow Payroll",
      employee: { name: nameOf(state, report) },
    },
  ],
  gseEnabled: false,
});

/** Returns the name of the consumer, or of the customer if there is no consumer. */
export const nameOf = (state: State, { consumerId, customerId }: Report): string => {
  const fields = state.customers.consumers.get(consumerId ?? "")?.fields;
  const customer = state.customers.find(customerId);
  const first = fields?.firstName ?? customer?.firstName ?? "Robin";
  return `${first} ${fields?.lastName ?? customer?.lastName ?? "Fielding"}`;
};
