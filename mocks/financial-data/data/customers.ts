/** Customers in a data file, with their logins and accounts. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { DataError, existing, refuseRepeated, within } from "../../engine/data/data-error.ts";
import { type Kind, resources } from "../../engine/data/kinds.ts";
import {
  described,
  fields,
  flag,
  listOf,
  oneOf,
  optional,
  ownId,
  type RowOf,
  record,
  reference,
  seconds,
  text,
} from "../../engine/data/parts.ts";
import initial from "../initial-data.json" with { type: "json" };
import { addBusiness, addConsumer } from "../seed-data.ts";
import type { Login } from "../state/account.ts";
import { newLogin } from "../state/accounts.ts";
import { type Customer, mark } from "../state/customer.ts";
import { frozen, limited, shelves } from "../state/reports.ts";
import type { State } from "../state/state.ts";
import { accountFrom, accountRow, giveTransactions, reserveRange, rowOfAccount } from "./accounts.ts";
import { partnerOf } from "./partners.ts";

const sent = described(fields, "The fields that a client sends when it creates the resource.");

const loginRow = record({
  id: ownId("institution-login"),
  institutionId: reference("institution"),
  connection: optional(oneOf("legacy", "oauth")),
  created: optional(seconds),
  situations: optional(listOf(text)),
  accounts: listOf(accountRow),
});

const customerRow = record({
  id: ownId("customer", { "active-customer": { type: "active" } }),
  partnerId: optional(described(reference("partner"), "The main partner if absent.")),
  username: text,
  type: optional(oneOf("testing", "active")),
  firstName: optional(text),
  lastName: optional(text),
  email: optional(text),
  phone: optional(text),
  applicationId: optional(text),
  created: optional(seconds),
  modified: optional(seconds),
  situations: optional(listOf(text)),
  connected: optional(described(seconds, "When it completed a connect flow.")),
  reportsFrozen: optional(described(flag, "Whether a security freeze refuses its reports.")),
  reportsLimited: optional(described(flag, "Whether lists of its reports are refused.")),
  consumer: optional(record({ id: ownId("consumer"), created: optional(seconds), fields: optional(sent) })),
  business: optional(
    record({
      id: ownId("business"),
      created: optional(seconds),
      modified: optional(seconds),
      fields: optional(sent),
    }),
  ),
  logins: optional(listOf(loginRow)),
});

const addCustomer = (state: State, row: RowOf<typeof customerRow>): void => {
  const { logins = [], consumer, business, created, modified, type = "testing" } = row;
  const { id: own, username, firstName, lastName, email, phone, applicationId } = row;
  const partnerId = partnerOf(state, row.partnerId);
  const known = state.customers.findByUsername(partnerId, username);
  refuseRepeated(known !== undefined, "username", username, "username");
  const customer = state.customers.add(
    { partnerId, type, username, firstName, lastName, email, phone, applicationId },
    { id: own, ...(created !== undefined && { created }) },
  );
  customer.modified = modified;
  for (const situation of row.situations ?? []) mark(customer, situation);
  if (row.connected !== undefined) shelves(state).payroll.set(own, row.connected);
  if (row.reportsFrozen === true) frozen(state).add(own);
  if (row.reportsLimited === true) limited(state).add(own);
  if (consumer !== undefined)
    addConsumer(state, customer, consumer.fields ?? { ...initial.consumer, firstName }, {
      id: consumer.id,
      ...(consumer.created !== undefined && { created: consumer.created }),
    });
  if (business !== undefined) {
    const added = addBusiness(state, customer, business.fields, {
      id: business.id,
      ...(business.created !== undefined && { created: business.created }),
    });
    added.modified = business.modified ?? added.created;
  }
  for (const [index, login] of logins.entries())
    within("logins", () => within(index, () => addLogin(state, customer, login)));
};

const addLogin = (state: State, customer: Customer, row: RowOf<typeof loginRow>): void => {
  const { institutionId, connection, created = state.seconds(), situations } = row;
  const found = state.institutions.find(institutionId);
  const institution = existing(found, "institutionId", "institution", institutionId);
  refuseRepeated(state.accounts.logins.has(row.id), "id", row.id);
  const fresh = newLogin(row.id, customer, institution, created);
  const login: Login = {
    ...fresh,
    connection: connection ?? fresh.connection,
    marks: situations === undefined ? fresh.marks : new Set(situations),
  };
  const before = state.accounts.of(customer.id).length;
  const seen = new Set<string>();
  const inAccount = <Result>(index: number, work: () => Result): Result =>
    within("accounts", () => within(index, work));
  const accounts = row.accounts.map((one, index) =>
    inAccount(index, () => {
      refuseRepeated(seen.has(one.id) || state.accounts.find(one.id) !== undefined, "id", one.id);
      seen.add(one.id);
      const account = accountFrom(state, login, one, before + index + 1);
      reserveRange(state, account, one);
      return account;
    }),
  );
  state.accounts.put(login, accounts);
  for (const [index, one] of row.accounts.entries())
    inAccount(index, () => giveTransactions(state, accounts[index] as (typeof accounts)[number], one));
};

const rowsOfCustomers = (state: State): RowOf<typeof customerRow>[] => {
  const loginsOf = groupBy([...state.accounts.logins.values()], ({ customerId }) => customerId);
  const { consumerOf, businessOf } = state.customers;
  return [...state.partners.all.keys()].flatMap((partnerId) =>
    state.customers.of(partnerId).map(({ marks, ...customer }) => ({
      ...customer,
      situations: marks && [...marks],
      connected: shelves(state).payroll.get(customer.id),
      reportsFrozen: frozen(state).has(customer.id) || undefined,
      reportsLimited: limited(state).has(customer.id) || undefined,
      consumer: consumerOf.get(customer.id),
      business: businessOf.get(customer.id),
      logins: (loginsOf.get(customer.id) ?? []).map((login) => rowOfLogin(state, login)),
    })),
  );
};

const rowOfLogin = (state: State, { marks, institutionId, ...login }: Login): RowOf<typeof loginRow> => ({
  ...login,
  institutionId: String(institutionId),
  situations: [...marks],
  accounts: state.accounts.ofLogin(login.id).map((account) => rowOfAccount(state, account)),
});

export const customers: Kind<State> = resources({
  name: "customers",
  holds: [
    "customers",
    "accounts",
    "balances",
    "frozen-customers",
    "historic-loads",
    "limited-customers",
    "pending-transactions",
  ],
  description: "They replace the customers of the sandbox. So do the lists below.",
  key: "id",
  row: customerRow,
  all: rowsOfCustomers,
  add: addCustomer,
});

/** Consumers whose customer is deleted. */
export const formerConsumers: Kind<State> = resources({
  name: "formerConsumers",
  holds: ["customers"],
  description: "Consumers whose customer is deleted.",
  key: "id",
  row: record({
    id: ownId("consumer"),
    customerId: reference("customer"),
    partnerId: optional(reference("partner")),
    created: seconds,
    fields,
  }),
  all: (state) =>
    [...state.customers.consumers.values()].filter(
      ({ customerId }) => state.customers.find(customerId) === undefined,
    ),
  add: (state, { partnerId, ...row }) => {
    if (state.customers.find(row.customerId) !== undefined)
      throw new DataError(["customerId"], `the customer "${row.customerId}" is not deleted`);
    const consumer = { ...row, partnerId: partnerOf(state, partnerId) };
    state.customers.consumers.set(consumer.id, consumer);
    state.customers.consumerOf.set(consumer.customerId, consumer);
  },
});
