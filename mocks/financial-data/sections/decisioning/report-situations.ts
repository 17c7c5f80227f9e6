/** What no client can bring about around reports: freezes, failures, limits, resellers, reports of other partners. */

import { AdminError } from "../../../engine/service.ts";
import { addBusiness, addConsumer, addCustomer, ownCustomer } from "../../furnish.ts";
import { FAILING } from "../../reporting/wanted.ts";
import type { Situation } from "../../section.ts";
import type { Customer } from "../../world/customer.ts";
import { frozen, limited, type Report, reportOf, shelve } from "../../world/reports.ts";
import type { World } from "../../world/world.ts";

const ACCOUNTS = ["checking", "savings", "creditCard", "investment"];

/** A customer with accounts, a consumer and a business. */
const borrower = (world: World, name: string, partnerId = world.partners.main.id): Customer => {
  const customer = ownCustomer(world, name, "testing", partnerId);
  world.accounts.link(customer, world.institutions.test(), ACCOUNTS);
  addConsumer(world, customer);
  addBusiness(world, customer);
  return customer;
};

/** A report that is there already. */
const shelved = (world: World, customer: Customer, type = "voa", created = world.seconds()): Report => {
  const { id: customerId, partnerId, type: customerType } = customer;
  const consumerId = world.customers.consumerOf.get(customerId)?.id;
  const holdings = world.accounts.of(customerId).map((account) => ({ account, balance: account.balance }));
  const operationId = "GenerateVOAReport";
  const fields = { operationId, type, partnerId, customerId, customerType, consumerId, holdings };
  return shelve(world, reportOf(fields, created), "success", created);
};

const environmentOf = (world: World, customer: Customer, report?: Report): Record<string, string> => {
  const { consumerOf, businessOf } = world.customers;
  const [account] = world.accounts.of(customer.id);
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
  "security-freeze"(world) {
    const customer = borrower(world, "frozen");
    const report = shelved(world, customer);
    frozen(world).add(customer.id);
    return environmentOf(world, customer, report);
  },
  "report-that-fails"(world) {
    const customer = borrower(world, "failing");
    customer.marks.add(FAILING);
    return environmentOf(world, customer);
  },
  "rate-limited-list"(world) {
    const customer = borrower(world, "limited");
    const report = shelved(world, customer);
    limited(world).add(customer.id);
    return environmentOf(world, customer, report);
  },
  /** The report that the connect flow of the customer brought about has the id that is given. */
  "payroll-report"(world) {
    const customer = borrower(world, "payroll");
    const report = shelved(world, customer, "voiePayroll");
    return { ...environmentOf(world, customer, report), FINANCIAL_DATA_PAYROLL_REPORT_ID: report.id };
  },
  "report-of-another-partner"(world) {
    const customer = borrower(world, "elsewhere", world.partners.other.id);
    return { FINANCIAL_DATA_REPORT_ID: shelved(world, customer).id };
  },
  /** `{entries?}`: reports of active customers; half as many of testing customers come besides. */
  reseller(world, { entries = 130 }) {
    if (!Number.isInteger(entries) || Number(entries) < 0 || Number(entries) > MOST_ENTRIES) {
      throw new AdminError(`"entries" must be a whole number from 0 to ${MOST_ENTRIES}.`);
    }
    const serial = world.newId("reseller");
    const seller = world.partners.add(`Summit Reselling ${serial}`);
    const partner = world.partners.add(`Valley Lending ${serial}`);
    seller.resells.push(partner.id);
    const now = world.seconds();
    for (const type of ["active", "testing"] as const) {
      const customer = addCustomer(world, partner.id, `${type}-${serial}`, type);
      addConsumer(world, customer);
      const count = type === "active" ? Number(entries) : Math.ceil(Number(entries) / 2);
      for (let index = 0; index < count; index += 1) shelved(world, customer, "voa", now - 60 * (index + 1));
    }
    return { FINANCIAL_DATA_PARTNER_ID: seller.id, FINANCIAL_DATA_PARTNER_SECRET: seller.secret };
  },
  /** Nothing but a customer: what a report needs can be left out. `{accounts?, consumer?, business?}`. */
  "bare-customer"(world, { accounts = [], consumer = false, business = false }) {
    if (!Array.isArray(accounts)) throw new AdminError(`"accounts" must be a list of types of accounts.`);
    const customer = ownCustomer(world, "bare");
    if (accounts.length > 0) world.accounts.link(customer, world.institutions.test(), accounts.map(String));
    if (consumer === true) addConsumer(world, customer);
    if (business === true) addBusiness(world, customer);
    return { FINANCIAL_DATA_CUSTOMER_ID: customer.id };
  },
};
