/** Stores reports: generated on the clock, assigned to a consumer, grouped in portfolios, frozen and limited. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { Fields } from "../../engine/values/fields.ts";
import type { Account } from "./account.ts";
import type { Business, Customer } from "./customer.ts";
import { send } from "./sending.ts";
import { type State, stored } from "./state.ts";

export interface Report {
  readonly id: string;
  /** The operation that generated it. */
  readonly operationId: string;
  readonly type: string;
  readonly partnerId: string;
  readonly customerId: string;
  /** Whether the customer is external: its transactions were submitted through enrichment. */
  readonly external: boolean;
  readonly customerType: Customer["type"];
  readonly consumerId: string | undefined;
  readonly business: Business | undefined;
  readonly portfolioId: string;
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly holdings: readonly Holding[];
  /** Seconds since 1970. The start and end of the history. */
  readonly from: number;
  readonly until: number;
  /** Seconds since 1970. The start of the income history. */
  readonly incomeFrom: number;
  /** The constraints of the client's request. */
  readonly constraints: Fields;
  readonly includePending: boolean;
  /** Additional fields that the type does not define. */
  readonly extra: Fields;
  readonly callbackUrl: string | undefined;
  /** The reason for a failure. */
  readonly problem: string | undefined;
  status: "inProgress" | "success" | "failure";
}

/** An account at the time of the report request. */
export interface Holding {
  readonly account: Account;
  /** In dollars. */
  readonly balance: number;
}

export type NewReport = Omit<Report, "id" | "portfolioId" | "requestId" | "created" | "status">;

/** Builds a report of one moment without accounts, except for the given fields. @param at seconds since 1970 */
export const reportOf = (
  fields: Pick<NewReport, "operationId" | "type" | "partnerId" | "customerId" | "customerType"> &
    Partial<NewReport>,
  at: number,
): NewReport => ({
  external: false,
  consumerId: undefined,
  business: undefined,
  holdings: [],
  from: at,
  until: at,
  incomeFrom: at,
  constraints: {},
  includePending: false,
  extra: {},
  callbackUrl: undefined,
  problem: undefined,
  ...fields,
});

export interface Portfolio {
  readonly id: string;
  readonly partnerId: string;
  readonly customerId: string;
}

/** Milliseconds from the request to the end of the generation. */
const GENERATION = { usual: 10_000, slow: 18_000, slower: 50_000, quick: 1 };

export const shelves = stored("reports", () => ({
  byId: new Map<string, Report>(),
  /** Oldest first. */
  byCustomer: new Map<string, Report[]>(),
  portfolios: new Map<string, Portfolio>(),
  portfolioOf: new Map<string, Portfolio>(),
  /**
   * Seconds since 1970 by customer, at which a connect flow was completed. The flow included a payroll source, so a
   * payroll report appears as soon as there is a consumer.
   */
  payroll: new Map<string, number>(),
}));

export const reportById = (state: State, id: string): Report | undefined => shelves(state).byId.get(id);

/** Returns the customer's reports, in the order in which they were stored. */
export const reportsOf = (state: State, customerId: string): readonly Report[] =>
  shelves(state).byCustomer.get(customerId) ?? [];

/** Stores the report. @param created seconds since 1970; now if absent */
export const shelve = (
  state: State,
  report: NewReport,
  status: Report["status"],
  created = state.seconds(),
  chosen: Partial<Pick<Report, "id" | "portfolioId" | "requestId">> = {},
): Report => {
  const { byId, byCustomer } = shelves(state);
  const shelved: Report = {
    ...report,
    id: chosen.id ?? state.newId("report"),
    portfolioId: chosen.portfolioId ?? portfolioFor(state, report).id,
    requestId: chosen.requestId ?? `r${state.newId("report-request")}`,
    created,
    status,
  };
  byId.set(shelved.id, shelved);
  getOrInsert(byCustomer, report.customerId, () => []).push(shelved);
  return shelved;
};

/** Generates the report after a delay, then sends the result to the callback address. */
export const generate = (state: State, wanted: NewReport): Report => {
  const report = shelve(state, wanted, "inProgress");
  state.clock.at(state.clock.now().getTime() + generationIn(state), () => complete(state, report));
  return report;
};

/** Continues the generation of the reports of an image. */
export const resumeReports = (state: State): void => {
  for (const report of shelves(state).byId.values()) {
    if (report.status === "inProgress")
      state.clock.at(report.created * 1000 + generationIn(state), () => complete(state, report));
  }
};

const generationIn = ({ differs }: State): number => {
  if (differs("reports-slower")) return GENERATION.slower;
  if (differs("reports-slow")) return GENERATION.slow;
  return differs("reports-quick") ? GENERATION.quick : GENERATION.usual;
};

/** Generates the report without a delay. */
export const generateAtOnce = async (state: State, wanted: NewReport): Promise<Report> => {
  const report = shelve(state, wanted, "inProgress");
  await complete(state, report);
  return report;
};

/** Completes the report. Returns after the first attempt of its callback. */
const complete = async (state: State, report: Report): Promise<void> => {
  report.status = report.problem === undefined ? "success" : "failure";
  await announce(state, report);
};

/** Sends the result to the callback address. */
export const announce = async (state: State, report: Report): Promise<void> => {
  const { id, callbackUrl, customerId, consumerId, type, status } = report;
  // A sandbox that does not enforce the format of the address may have taken any text.
  if (callbackUrl === undefined || !URL.canParse(callbackUrl)) return;
  if (state.differs("callback-by-get")) {
    await state.deliveries.call({ method: "GET", url: withQuery(callbackUrl, { reportId: id, status }) });
    return;
  }
  const body = { reportId: id, customerId, ...(consumerId !== undefined && { consumerId }), type, status };
  await send(state, {
    kind: "report-callback",
    url: callbackUrl,
    body: state.differs("callback-of-another-shape") ? { report: { id }, result: "COMPLETE" } : body,
  });
};

const withQuery = (address: string, query: Readonly<Record<string, string>>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url.href;
};

const portfolioFor = (state: State, { customerId, partnerId }: NewReport): Portfolio => {
  const { portfolios, portfolioOf } = shelves(state);
  return getOrInsert(portfolioOf, customerId, () => {
    const letters = state.identifiers.uuid("portfolio", customerId).replaceAll("-", "").slice(0, 12);
    const portfolio = { id: `${letters}-port`, partnerId, customerId };
    portfolios.set(portfolio.id, portfolio);
    return portfolio;
  });
};

/**
 * Ids of customers with a security freeze: reports of the customers and of their consumers are not returned and not
 * generated.
 */
export const frozen = stored("frozen-customers", () => new Set<string>());

/** Ids of customers for whom report lists are refused, including the lists of their consumers. */
export const limited = stored("limited-customers", () => new Set<string>());
