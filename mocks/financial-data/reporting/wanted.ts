/** What a generation asks for, held against the rules of its kind of report; the report that follows from it. */

import { type Fields, fieldsIn } from "../../engine/values/fields.ts";
import { DAY } from "../../engine/values/units.ts";
import { refused } from "../answers.ts";
import type { Call } from "../faults.ts";
import { accountOf, bodyOf, partnerOf, pathValue } from "../found.ts";
import { addBusiness, addConsumer } from "../furnish.ts";
import type { Account } from "../world/account.ts";
import type { Customer } from "../world/customer.ts";
import {
  frozen,
  type NewReport,
  type Report,
  reportOf,
  reportsOf,
  shelve,
  shelves,
} from "../world/reports.ts";
import type { World } from "../world/world.ts";
import type { ReportKind, UserType } from "./kinds.ts";

/** @throws RefusedError where a rule is broken */
export const wantedReport = (world: World, call: Call, kind: ReportKind, customer: Customer): NewReport => {
  const userType = userTypeIn(call);
  if (frozen(world).has(customer.id) && !call.bent("reports-freeze-ignored"))
    throw refused("security-freeze");
  requireParties(world, call, kind, customer, userType);
  const accounts = eligibleAccounts(world, call, kind, customer);
  const { consumerOf, businessOf } = world.customers;
  for (const account of accounts) world.accounts.ledgerOf(account);
  const fields = {
    operationId: call.operation.operationId,
    type: typeOf(call, kind, userType),
    partnerId: partnerOf(world, call).id,
    customerId: customer.id,
    customerType: customer.type,
    consumerId: consumerOf.get(customer.id)?.id,
    business: concernsBusiness(call, kind, userType) ? businessOf.get(customer.id) : undefined,
    holdings: accounts.map((account) => ({ account, balance: account.balance })),
    ...periodOf(world, call, kind),
    constraints: bodyOf(call),
    includePending: call.query.includePending === true,
    callbackUrl: callbackIn(call),
    problem: problemOf(kind, customer, accounts),
  };
  return reportOf(fields, world.seconds());
};

export const callbackIn = ({ query, bent }: Call): string | undefined =>
  query.callbackUrl === undefined || bent("reports-no-callback") ? undefined : String(query.callbackUrl);

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
  (type === "cfrb" && !call.bent("reports-cfrb-needs-consumer"));

/** Behaviours bend the rules of single operations where a fault asks for it. */
const requireParties = (
  world: World,
  call: Call,
  { needs, type }: ReportKind,
  customer: Customer,
  userType: UserType,
): void => {
  const { bent } = call;
  const { consumerOf, businessOf } = world.customers;
  const hasConsumer = consumerOf.has(customer.id);
  const spared = bent(type === "cfrp" ? "reports-cfrp-without-consumer" : "reports-without-consumer");
  const demanded =
    (needs === "consumer" && !spared) ||
    (needs === "nobody" && bent(`reports-${type === "cfrb" ? "cfrb" : "foresight"}-needs-consumer`));
  if (demanded && !hasConsumer) throw refused("no-consumer");
  if (needs === "business" && !businessOf.has(customer.id) && !bent("reports-without-business"))
    throw refused("no-business");
  if (needs === "business" && isCra(call) && !hasConsumer && !bent("reports-history-without-consumer")) {
    throw refused("no-consumer");
  }
  if (needs === "created" && !bent("reports-create-nobody")) {
    const other = bent("reports-create-the-other") === (userType === "business");
    if (other && !hasConsumer) addConsumer(world, customer);
    if (!other && !businessOf.has(customer.id)) addBusiness(world, customer);
  }
};

/** All that the report may cover, or those of them that were asked for. */
const eligibleAccounts = (world: World, call: Call, kind: ReportKind, customer: Customer): Account[] => {
  const asked = askedAccounts(world, call, customer);
  const types = eligibleTypes(call, kind);
  const found = types.length === 0 ? asked : asked.filter(({ type }) => types.includes(type));
  if (kind.eligible === undefined || found.length > 0) return found;
  if (call.bent(`reports-any-type-${call.operation.operationId}`)) return asked;
  throw refused("no-eligible-account");
};

const eligibleTypes = (
  { operation, bent }: Call,
  { eligible, covers = [] }: ReportKind,
): readonly string[] => {
  if (eligible === undefined) return covers;
  return bent(`reports-narrow-${operation.operationId}`) ? eligible.slice(0, -1) : eligible;
};

const askedAccounts = (world: World, call: Call, customer: Customer): Account[] => {
  const ids = idsIn(bodyOf(call).accountIds);
  const asked = ids.length === 0 ? world.accounts.of(customer.id).map(({ id }) => id) : ids;
  return asked.map((id) => accountOf(world, customer, id));
};

/** Separated by blanks or commas, or a list. */
const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? value.split(/[\s,]+/).filter((id) => id !== "") : [];
};

type Period = Pick<NewReport, "from" | "until" | "incomeFrom">;

const periodOf = (world: World, call: Call, kind: ReportKind): Period => {
  const { operation, bent } = call;
  const { fromDate, incomeFromDate } = bodyOf(call);
  const now = world.seconds();
  const long = bent(`reports-long-history-${operation.operationId}`);
  const most = (long ? kind.most + 185 : kind.most) * DAY;
  const usual =
    kind.usual === undefined ? most : (kind.usual + (bent("reports-usual-91-days") ? 30 : 0)) * DAY;
  const asked = long ? now - most : bent("reports-from-date-ignored") ? undefined : secondsIn(fromDate);
  const income = bent("reports-income-from-date-ignored") ? undefined : secondsIn(incomeFromDate);
  return {
    from: Math.min(now, Math.max(asked ?? now - usual, now - most)),
    until: now,
    incomeFrom: Math.max(income ?? 0, now - kind.most * DAY),
  };
};

export const secondsIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

export const FAILING = "failing-reports";

const problemOf = (
  kind: ReportKind,
  customer: Customer,
  accounts: readonly Account[],
): string | undefined => {
  if (customer.marks.has(FAILING)) return "The institution gave no data for the report.";
  const empty = kind.parts.includes("bank") && accounts.length === 0;
  return empty ? "The customer has no account that the report can cover." : undefined;
};

const PAYROLL = "voiePayroll";

/** The reports of a customer, with that of its connect flow: it is about the consumer, so it waits for one. */
export const reportsWithPayroll = (world: World, { bent }: Call, customerId: string): readonly Report[] => {
  const since = shelves(world).payroll.get(customerId);
  const consumer = world.customers.consumerOf.get(customerId);
  const customer = world.customers.find(customerId);
  const waits = since === undefined || consumer === undefined || customer === undefined;
  const there = reportsOf(world, customerId).some(({ type }) => type === PAYROLL);
  if (!waits && !there && !bent("reports-no-payroll-from-connect")) {
    const created = Math.max(since, consumer.created);
    const { partnerId, type: customerType } = customer;
    const operationId = "RefreshVOIEPayrollReport";
    const { id: consumerId } = consumer;
    const fields = { operationId, type: PAYROLL, partnerId, customerId, customerType, consumerId };
    shelve(world, reportOf(fields, created), "success", created);
  }
  return reportsOf(world, customerId);
};
