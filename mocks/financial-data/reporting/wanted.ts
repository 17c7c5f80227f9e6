/** Checks a generation request against the rules of its kind of report, and builds the report. */
import { type Fields, fieldsIn, numberIn } from "../../engine/values/fields.ts";
import { DAY } from "../../engine/values/units.ts";
import { refused } from "../answers.ts";
import type { Call } from "../calls.ts";
import { accountOf, bodyOf, partnerOf, pathValue } from "../found.ts";
import { addBusiness, addConsumer } from "../seed-data.ts";
import type { Account } from "../state/account.ts";
import type { Customer } from "../state/customer.ts";
import {
  frozen,
  type NewReport,
  type Report,
  reportOf,
  reportsOf,
  shelve,
  shelves,
} from "../state/reports.ts";
import type { State } from "../state/state.ts";
import type { ReportKind, UserType } from "./kinds.ts";

/** @throws RefusedError when the request violates a rule */
export const wantedReport = (state: State, call: Call, kind: ReportKind, customer: Customer): NewReport => {
  const userType = userTypeIn(call);
  if (frozen(state).has(customer.id) && !call.faulty("reports-freeze-ignored"))
    throw refused("security-freeze");
  requireParties(state, call, kind, customer, userType);
  const accounts = eligibleAccounts(state, call, kind, customer);
  const { consumerOf, businessOf } = state.customers;
  for (const account of accounts) state.accounts.ledgerOf(account);
  const fields = {
    operationId: call.operation.operationId,
    type: typeOf(call, kind, userType),
    partnerId: partnerOf(state, call).id,
    customerId: customer.id,
    customerType: customer.type,
    consumerId: consumerOf.get(customer.id)?.id,
    business: concernsBusiness(call, kind, userType) ? businessOf.get(customer.id) : undefined,
    holdings: accounts.map((account) => ({ account, balance: account.balance })),
    ...periodOf(state, call, kind),
    constraints: bodyOf(call),
    includePending: call.query.includePending === true,
    callbackUrl: callbackIn(call),
    problem: problemOf(kind, customer, accounts),
  };
  return reportOf(fields, state.seconds());
};

export const callbackIn = ({ query, faulty }: Call): string | undefined =>
  query.callbackUrl === undefined || faulty("reports-no-callback") ? undefined : String(query.callbackUrl);

const userTypeIn = (call: Call): UserType =>
  pathValue(call, "userType").toLowerCase() === "personal" ? "personal" : "business";

const analyticsData = (call: Call): Fields => fieldsIn(bodyOf(call).analyticsReportData);

const isCra = (call: Call): boolean => analyticsData(call).forCraPurpose === true;

const typeOf = (call: Call, { type }: ReportKind, userType: UserType): string => {
  if (typeof type === "string") return type;
  const { cra, other, guarantor } = type[userType];
  if (!isCra(call)) return other;
  return analyticsData(call).applicantIsPersonalGuarantor === true ? (guarantor ?? cra) : cra;
};

const concernsBusiness = (call: Call, { needs, type }: ReportKind, userType: UserType): boolean =>
  needs === "business" ||
  (needs === "created" && userType === "business") ||
  (type === "cfrb" && !call.faulty("reports-cfrb-needs-consumer"));

/** Refuses a request without the required parties. Faults change these rules for single operations. */
const requireParties = (
  state: State,
  call: Call,
  { needs, type }: ReportKind,
  customer: Customer,
  userType: UserType,
): void => {
  const { faulty } = call;
  const { consumerOf, businessOf } = state.customers;
  const hasConsumer = consumerOf.has(customer.id);
  const spared = faulty(type === "cfrp" ? "reports-cfrp-without-consumer" : "reports-without-consumer");
  const demanded =
    (needs === "consumer" && !spared) ||
    (needs === "nobody" && faulty(`reports-${type === "cfrb" ? "cfrb" : "foresight"}-needs-consumer`));
  if (demanded && !hasConsumer) throw refused("no-consumer");
  if (needs === "business" && !businessOf.has(customer.id) && !faulty("reports-without-business"))
    throw refused("no-business");
  if (needs === "business" && isCra(call) && !hasConsumer && !faulty("reports-history-without-consumer")) {
    throw refused("no-consumer");
  }
  if (needs === "created" && call.differs("parties-not-created")) {
    if (userType === "business" && !businessOf.has(customer.id)) throw refused("no-business");
    if (userType === "personal" && !hasConsumer) throw refused("no-consumer");
  } else if (needs === "created" && !faulty("reports-create-nobody")) {
    const other = faulty("reports-create-the-other") === (userType === "business");
    if (other && !hasConsumer) addConsumer(state, customer);
    if (!other && !businessOf.has(customer.id)) addBusiness(state, customer);
  }
};

/** Returns all accounts that the report may cover, or the requested ones among them. */
const eligibleAccounts = (state: State, call: Call, kind: ReportKind, customer: Customer): Account[] => {
  const asked = askedAccounts(state, call, customer);
  const types = eligibleTypes(call, kind);
  const found = types.length === 0 ? asked : asked.filter(({ type }) => types.includes(type));
  if (kind.eligible === undefined || found.length > 0) return found;
  const { differs, operation } = call;
  if (asked.length === 0 && differs("no-accounts-not-found"))
    throw refused("no-eligible-account", { status: 404 });
  const isPrequalification = operation.operationId.startsWith("GeneratePrequalification");
  if (asked.length > 0 && isPrequalification && differs("prequalification-of-any-account")) return asked;
  if (call.faulty(`reports-any-type-${operation.operationId}`)) return asked;
  if (operation.operationId.includes("Foresight") && differs("foresight-fails-later")) return [];
  throw refused("no-eligible-account");
};

const eligibleTypes = (
  { operation, faulty }: Call,
  { eligible, covers = [] }: ReportKind,
): readonly string[] => {
  if (eligible === undefined) return covers;
  return faulty(`reports-narrow-${operation.operationId}`) ? eligible.slice(0, -1) : eligible;
};

const askedAccounts = (state: State, call: Call, customer: Customer): Account[] => {
  const ids = idsIn(bodyOf(call).accountIds);
  const asked = ids.length === 0 ? state.accounts.of(customer.id).map(({ id }) => id) : ids;
  return asked.map((id) => accountOf(state, customer, id));
};

/** Reads ids from a list, or from a text with blanks or commas. */
const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? value.split(/[\s,]+/).filter((id) => id !== "") : [];
};

const periodOf = (
  state: State,
  call: Call,
  kind: ReportKind,
): Pick<NewReport, "from" | "until" | "incomeFrom"> => {
  const { operation, faulty } = call;
  const { fromDate, incomeFromDate } = bodyOf(call);
  const now = state.seconds();
  const long = faulty(`reports-long-history-${operation.operationId}`);
  const most = (long ? kind.most + 185 : kind.most) * DAY;
  const usual =
    kind.usual === undefined ? most : (kind.usual + (faulty("reports-usual-91-days") ? 30 : 0)) * DAY;
  const asked = long ? now - most : faulty("reports-from-date-ignored") ? undefined : numberIn(fromDate);
  const income = faulty("reports-income-from-date-ignored") ? undefined : numberIn(incomeFromDate);
  return {
    from: Math.min(now, Math.max(asked ?? now - usual, now - most)),
    until: now,
    incomeFrom: Math.max(income ?? 0, now - kind.most * DAY),
  };
};

export const FAILING = "failing-reports";

const problemOf = (
  kind: ReportKind,
  customer: Customer,
  accounts: readonly Account[],
): string | undefined => {
  if (customer.marks?.has(FAILING)) return "The institution gave no data for the report.";
  const isBare = (kind.parts.includes("bank") || kind.eligible !== undefined) && accounts.length === 0;
  return isBare ? "The customer has no account that the report can cover." : undefined;
};

const PAYROLL = "voiePayroll";

/** Returns the customer's reports. Adds the payroll report of the connect flow as soon as there is a consumer. */
export const reportsWithPayroll = (state: State, { faulty }: Call, customerId: string): readonly Report[] => {
  const since = shelves(state).payroll.get(customerId);
  const consumer = state.customers.consumerOf.get(customerId);
  const customer = state.customers.find(customerId);
  const waits = since === undefined || consumer === undefined || customer === undefined;
  const there = reportsOf(state, customerId).some(({ type }) => type === PAYROLL);
  if (!waits && !there && !faulty("reports-no-payroll-from-connect")) {
    const created = Math.max(since, consumer.created);
    const { partnerId, type: customerType } = customer;
    const operationId = "RefreshVOIEPayrollReport";
    const { id: consumerId } = consumer;
    const fields = { operationId, type: PAYROLL, partnerId, customerId, customerType, consumerId };
    // Reads may make the report, also in the copy of the state that shows changes late: it takes the id of no other report.
    const id = state.newId("payroll-report");
    shelve(state, reportOf(fields, created), "success", created, { id, requestId: `r${id}` });
  }
  return reportsOf(state, customerId);
};
