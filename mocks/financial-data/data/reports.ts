/** Reports in a data file, with the portfolios that group them. */
import { defined } from "../../../helpers/contract/json.ts";
import { existing, within } from "../../engine/data/data-error.ts";
import { type Kind, resources } from "../../engine/data/kinds.ts";
import {
  address,
  described,
  fields,
  flag,
  id,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  ownId,
  type RowOf,
  record,
  reference,
  seconds,
  text,
} from "../../engine/data/parts.ts";
import { REPORT_KINDS } from "../reporting/kinds.ts";
import type { Account, Login } from "../state/account.ts";
import { type Holding, type Report, reportOf, shelve, shelves } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { accountFrom, accountRow, giveTransactions, reserveRange, rowOfAccount } from "./accounts.ts";
import { partnerOf } from "./partners.ts";

export const portfolios: Kind<State> = resources({
  name: "portfolios",
  holds: ["reports"],
  key: "id",
  row: record({
    id: ownId("portfolio"),
    partnerId: optional(reference("partner")),
    customerId: reference("customer"),
  }),
  all: (state) => shelves(state).portfolios.values(),
  add: (state, { id: own, partnerId, customerId }) => {
    const portfolio = { id: own, partnerId: partnerOf(state, partnerId), customerId };
    shelves(state).portfolios.set(own, portfolio);
    shelves(state).portfolioOf.set(customerId, portfolio);
  },
});

const businessRow = record({
  id,
  customerId: id,
  partnerId: id,
  created: seconds,
  modified: seconds,
  fields,
});

const holdingRow = record({
  accountId: id,
  balance: optional(described(number, "At the time of the request.")),
  removed: optional(
    described(
      record({ loginId: id, institutionId: integer(), account: accountRow }),
      "The account, if it is no longer linked.",
    ),
  ),
});

const reportRow = record({
  id: ownId("report"),
  type: text,
  customerId: reference("customer"),
  partnerId: optional(reference("partner")),
  operationId: optional(text),
  external: optional(flag),
  customerType: optional(oneOf("testing", "active")),
  consumerId: optional(reference("consumer")),
  business: optional(businessRow),
  portfolioId: optional(reference("portfolio")),
  requestId: optional(text),
  created: optional(seconds),
  holdings: optional(described(listOf(holdingRow), "All accounts of the customer if absent.")),
  from: optional(seconds),
  until: optional(seconds),
  incomeFrom: optional(seconds),
  constraints: optional(fields),
  includePending: optional(flag),
  extra: optional(fields),
  callbackUrl: optional(address),
  problem: optional(described(text, "The reason for a failure.")),
  status: optional(oneOf("inProgress", "success", "failure")),
});

export const reports: Kind<State> = resources({
  name: "reports",
  holds: ["reports"],
  key: "id",
  row: reportRow,
  all: (state) =>
    [...shelves(state).byId.values()].map((report) => ({
      ...report,
      holdings: report.holdings.map((holding) => rowOfHolding(state, report, holding)),
    })),
  add: (state, row) => {
    const { id: own, type, customerId, partnerId, business, portfolioId, requestId, created, status } = row;
    if (portfolioId !== undefined)
      existing(shelves(state).portfolios.get(portfolioId), "portfolioId", "portfolio", portfolioId);
    const customer = state.customers.find(customerId);
    const at = created ?? state.seconds();
    const { consumerOf, businesses } = state.customers;
    const report = reportOf(
      {
        ...defined({ ...row, holdings: undefined, business: undefined }),
        type,
        customerId,
        operationId: row.operationId ?? operationOf(type),
        partnerId: partnerOf(state, partnerId),
        customerType: row.customerType ?? customer?.type ?? "testing",
        consumerId: row.consumerId ?? consumerOf.get(customerId)?.id,
        business: business && (businesses.get(business.id) ?? business),
        holdings:
          row.holdings?.map((holding, index) =>
            within("holdings", () => within(index, () => holdingOf(state, customerId, holding))),
          ) ?? state.accounts.of(customerId).map((account) => ({ account, balance: account.balance })),
      },
      at,
    );
    shelve(state, report, status ?? "success", at, defined({ id: own, portfolioId, requestId }));
  },
});

/** Returns the operation whose reports have the type. */
const operationOf = (type: string): string =>
  Object.entries(REPORT_KINDS).find(([, kind]) => kind.type === type)?.[0] ?? "";

const holdingOf = (
  state: State,
  customerId: string,
  { accountId, balance, removed }: RowOf<typeof holdingRow>,
): Holding => {
  const account =
    removed === undefined
      ? existing(state.accounts.find(accountId), "accountId", "account", accountId)
      : removedAccount(state, customerId, removed);
  return { account, balance: balance ?? account.balance };
};

/** Returns an account that only reports still have. */
const removedAccount = (
  state: State,
  customerId: string,
  { loginId, institutionId, account: row }: NonNullable<RowOf<typeof holdingRow>["removed"]>,
): Account => {
  const login: Login = {
    id: loginId,
    customerId,
    institutionId,
    connection: "legacy",
    created: row.created ?? state.seconds(),
    marks: new Set(),
  };
  const account = accountFrom(state, login, row, 1);
  reserveRange(state, account, row);
  giveTransactions(state, account, row);
  return account;
};

const rowOfHolding = (
  state: State,
  { customerId }: Report,
  { account, balance }: Holding,
): RowOf<typeof holdingRow> => {
  const { id: accountId, loginId, institutionId } = account;
  const isLinked = state.accounts.find(accountId)?.customerId === customerId;
  return {
    accountId,
    balance,
    ...(!isLinked && { removed: { loginId, institutionId, account: rowOfAccount(state, account) } }),
  };
};
