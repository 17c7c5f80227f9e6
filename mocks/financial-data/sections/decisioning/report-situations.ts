/** Report situations that no client can cause: freezes, failures, limits, resellers, and reports of other partners. */
import { AdminError } from "../../../engine/service.ts";
import { FAILING } from "../../reporting/wanted.ts";
import type { Situation } from "../../section.ts";
import { addBusiness, addConsumer, addCustomer, ownCustomer } from "../../seed-data.ts";
import { type Customer, mark } from "../../state/customer.ts";
import { frozen, limited, type Report, reportOf, shelve } from "../../state/reports.ts";
import type { State } from "../../state/state.ts";

const ACCOUNTS = ["checking", "savings", "creditCard", "investment"];

/** Adds a customer with accounts, a consumer and a business. */
const borrower = (state: State, name: string, partnerId = state.partners.main.id): Customer => {
  const customer = ownCustomer(state, name, "testing", partnerId);
  state.accounts.link(customer, state.institutions.test(), ACCOUNTS);
  addConsumer(state, customer);
  addBusiness(state, customer);
  return customer;
};

/** Adds a finished report. */
const shelved = (state: State, customer: Customer, type = "voa", created = state.seconds()): Report => {
  const { id: customerId, partnerId, type: customerType } = customer;
  const consumerId = state.customers.consumerOf.get(customerId)?.id;
  const holdings = state.accounts.of(customerId).map((account) => ({ account, balance: account.balance }));
  const operationId = "GenerateVOAReport";
  const fields = { operationId, type, partnerId, customerId, customerType, consumerId, holdings };
  return shelve(state, reportOf(fields, created), "success", created);
};

const environmentOf = (state: State, customer: Customer, report?: Report): Record<string, string> => {
  const { consumerOf, businessOf } = state.customers;
  const [account] = state.accounts.of(customer.id);
  return {
    FINANCIAL_DATA_CUSTOMER_ID: customer.id,
    FINANCIAL_DATA_CONSUMER_ID: consumerOf.get(customer.id)?.id ?? "",
    FINANCIAL_DATA_BUSINESS_ID: businessOf.get(customer.id)?.id ?? "",
    FINANCIAL_DATA_ACCOUNT_ID: account?.id ?? "",
    ...(report && { FINANCIAL_DATA_REPORT_ID: report.id, FINANCIAL_DATA_PORTFOLIO_ID: report.portfolioId }),
  };
};

const MOST_ENTRIES = 5_000;

export const reportSituations: Readonly<Record<string, Situation>> = {
  "security-freeze"(state) {
    const customer = borrower(state, "frozen");
    const report = shelved(state, customer);
    frozen(state).add(customer.id);
    return environmentOf(state, customer, report);
  },
  "report-that-fails"(state) {
    const customer = borrower(state, "failing");
    mark(customer, FAILING);
    return environmentOf(state, customer);
  },
  "rate-limited-list"(state) {
    const customer = borrower(state, "limited");
    const report = shelved(state, customer);
    limited(state).add(customer.id);
    return environmentOf(state, customer, report);
  },
  /** Arranges the payroll report of the customer's connect flow. The values include its id. */
  "payroll-report"(state) {
    const customer = borrower(state, "payroll");
    const report = shelved(state, customer, "voiePayroll");
    return { ...environmentOf(state, customer, report), FINANCIAL_DATA_PAYROLL_REPORT_ID: report.id };
  },
  "report-of-another-partner"(state) {
    const customer = borrower(state, "elsewhere", state.partners.other.id);
    return { FINANCIAL_DATA_REPORT_ID: shelved(state, customer).id };
  },
  /** Arranges a reseller. `{entries?}`: number of reports of active customers; testing customers get half that number. */
  reseller(state, { entries = 130 }) {
    if (!Number.isInteger(entries) || Number(entries) < 0 || Number(entries) > MOST_ENTRIES) {
      throw new AdminError(`"entries" must be a whole number from 0 to ${MOST_ENTRIES}.`);
    }
    const serial = state.newId("reseller");
    const seller = state.partners.add(`Summit Reselling ${serial}`);
    const partner = state.partners.add(`Valley Lending ${serial}`);
    seller.resells.push(partner.id);
    const now = state.seconds();
    for (const type of ["active", "testing"] as const) {
      const customer = addCustomer(state, partner.id, `${type}-${serial}`, type);
      addConsumer(state, customer);
      const count = type === "active" ? Number(entries) : Math.ceil(Number(entries) / 2);
      for (let index = 0; index < count; index += 1) shelved(state, customer, "voa", now - 60 * (index + 1));
    }
    return {
      FINANCIAL_DATA_PARTNER_ID: seller.id,
      FINANCIAL_DATA_PARTNER_SECRET: seller.secret,
      FINANCIAL_DATA_ACTIVE_REPORTS: String(entries),
    };
  },
  /** Arranges a customer that may lack the prerequisites of a report. `{accounts?, consumer?, business?}`. */
  "bare-customer"(state, { accounts = [], consumer = false, business = false }) {
    if (!Array.isArray(accounts)) throw new AdminError(`"accounts" must be a list of types of accounts.`);
    const customer = ownCustomer(state, "bare");
    if (accounts.length > 0) state.accounts.link(customer, state.institutions.test(), accounts.map(String));
    if (consumer === true) addConsumer(state, customer);
    if (business === true) addBusiness(state, customer);
    return { FINANCIAL_DATA_CUSTOMER_ID: customer.id };
  },
};
